/** The server cannot start. The message is one line that says why and what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
}
