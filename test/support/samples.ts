import { readFileSync } from "node:fs";

/** A named code sample of a document: a fence that begins with three backquotes and `ts sample=NAME`. */
export interface Sample {
  readonly name: string;
  readonly code: string;
}

/** Reads the named samples of a Markdown file. */
export function samplesOf(file: string): readonly Sample[] {
  const fence = /^```ts sample=(\S+)\n(.*?)^```$/gms;
  return Array.from(readFileSync(file, "utf8").matchAll(fence), ([, name = "", code = ""]) => ({
    name,
    code,
  }));
}

/** The functions of the reader's own application that samples call. */
export const APPLICATION = `
declare function currentSession(options: { signal: AbortSignal }): Promise<{ accountId: string }>;
declare function cancelOrder(
  orderId: string,
  options: { key: string | undefined; signal: AbortSignal },
): Promise<{ refused?: string }>;
declare function findReceipt(
  key: string | undefined,
  options: { signal: AbortSignal },
): Promise<object | undefined>;
declare function getOrder(orderId: string, options: { signal: AbortSignal }): Promise<{ cancelled: boolean }>;
`;
