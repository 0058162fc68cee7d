import { bounded } from "./text.js";

/** The longest message, in characters. */
export const MAX_MESSAGE = 1_000;
/** The longest text that a message quotes from the application, in characters. */
export const MAX_QUOTE = 200;

/** Under this, errors of every copy of the library in a page give the name of their class. */
const NAME = Symbol.for("signett:error");

/**
 * The base of every error that Signett decides on (errors seed). Exceptions of the application and of its storage
 * keep their identity and are not wrapped in it.
 *
 * Hosts may drop everything but the message, so each message stands alone. It is at most 1,000 characters long,
 * and what it quotes from the application at most 200.
 *
 * A page can have more than one copy of the library. `instanceof` knows the errors of all of them.
 */
export abstract class SignettError extends Error {
  /** The name of its instances: a literal in each class, because minifiers rename classes. */
  static readonly errorName: string = "SignettError";
  /** Tells the kinds apart: a literal in each class but `ToolError`, which has the application's. */
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(bounded(message, MAX_MESSAGE), options);
  }
}

/** `instanceof`: also for errors of another copy, whose classes are others of the same names. */
function isInstance(this: typeof SignettError, value: unknown): boolean {
  if (Function.prototype[Symbol.hasInstance].call(this, value)) return true;
  // A class that the application derives has no other copies.
  if (!Object.hasOwn(this, "errorName")) return false;
  const name = nameOf(value);
  return this === SignettError ? name !== undefined : name === this.errorName;
}

/** A foreign exception may throw when it is looked at. It stays what it is. */
function nameOf(value: unknown): unknown {
  try {
    return Object(value)[NAME];
  } catch {
    return undefined;
  }
}

function errorName(this: SignettError): string {
  return (this.constructor as typeof SignettError).errorName;
}

function rename(this: SignettError, value: unknown): void {
  Object.defineProperty(this, "name", { value, writable: true, configurable: true });
}

Object.defineProperty(SignettError, Symbol.hasInstance, { value: isInstance });
// On the prototype, so that stack traces show it, and no accessor to TypeScript, so that a subclass can have a field.
Object.defineProperties(SignettError.prototype, {
  [NAME]: { get: errorName },
  name: { get: errorName, set: rename, configurable: true },
});
