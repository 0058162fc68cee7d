/** Why a schema can't be a tool's. The message begins with the JSON Pointer of the fault. */
export class SchemaFault extends TypeError {
  /** @param path JSON Pointer into the schema. */
  constructor(path: string, fault: string) {
    super(`${path === "" ? "the schema" : path} ${fault}`);
  }
}
