/** Texts that break stores which build object properties, lock names or paths from them. */
export const ODD_KEYS = [
  " ",
  "-dash",
  "a:b",
  "a/b?c#d",
  "a\nb",
  "a\u0000b",
  "__proto__",
  "constructor",
  "*",
  "'\"\\",
  // Equal to the eye, and two keys.
  "é",
  "e\u0301",
  "👩‍👩‍👧",
  "x".repeat(1_024),
];
