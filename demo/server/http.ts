import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiError } from "./api.js";

/** An answer that has been decided but not sent. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The request cannot be served as it is. It becomes an answer with an {@link ApiError}. */
export class RequestError extends Error {
  override readonly name = "RequestError";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  toAnswer(): Answer {
    const body: ApiError = { code: this.code, message: this.message };
    return { status: this.status, body, headers: this.headers };
  }
}

const BODY_LIMIT = 64 * 1024;

/** Sends an answer whole. */
export function send(response: ServerResponse, answer: Answer): void {
  response.end(writeHead(response, answer));
}

/**
 * Sends the headers and half of the body, then cuts the connection. With nothing sent, Chromium
 * would send the request again by itself and nothing would be lost.
 */
export function sendHalf(response: ServerResponse, answer: Answer): void {
  const body = writeHead(response, answer);
  response.write(body.subarray(0, body.length / 2), () => response.req.socket.destroy());
}

function writeHead(response: ServerResponse, { status, body, headers }: Answer): Buffer {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    ...headers,
    "Content-Type": "application/json",
    "Content-Length": bytes.length,
    "Cache-Control": "no-store",
  });
  return bytes;
}

/**
 * Reads a JSON body; without a body the result is `undefined`.
 *
 * @throws {RequestError} if it is too large, of another content type, or malformed.
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  const type = request.headers["content-type"] ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new RequestError(415, "unsupported_media_type", "Send the body as application/json.");
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new RequestError(400, "malformed_json", "The body is not valid JSON.");
  }
}

/** Reads to the end even when there is too much, or the client would never see the refusal. */
async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= BODY_LIMIT) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (length > BODY_LIMIT) {
    throw new RequestError(413, "body_too_large", `Send at most ${BODY_LIMIT} bytes.`);
  }
  return Buffer.concat(chunks);
}

/**
 * Refuses changes asked for by a page of another origin.
 *
 * @throws {RequestError} if the request's origin is not this server.
 */
export function requireSameOrigin({ method, headers }: IncomingMessage): void {
  if (method === "GET" || headers.origin === undefined) return;
  if (hostOf(headers.origin) !== headers.host?.toLowerCase()) {
    throw new RequestError(403, "cross_origin", "Only the demo's own pages may do this.");
  }
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
