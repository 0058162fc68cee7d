declare module "*?validator" {
  /** Checks an input by the JSON Schema of the file, for a tool's `validate`. */
  const validate: import("./validator.js").InputCheck;
  export default validate;
}
