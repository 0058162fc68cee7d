import * as Comlink from "comlink";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { guarded } from "../../../worker/endpoint.js";

/** A port with an object behind it, as the worker exposes one. */
interface Line {
  readonly page: MessagePort;
  /** What was looked up on the object, whether called or not. */
  readonly touched: PropertyKey[];
}

const ports: MessagePort[] = [];
let line: Line;

beforeEach(() => {
  const { port1, port2 } = new MessageChannel();
  const touched: PropertyKey[] = [];
  const exposed = new Proxy(
    { begin: (asked: unknown) => ({ asked }), leave: () => null },
    {
      get(target, property, receiver) {
        touched.push(property);
        return Reflect.get(target, property, receiver);
      },
      set(_target, property) {
        touched.push(property);
        return false;
      },
    },
  );
  Comlink.expose(exposed, guarded(port1, ["begin", "leave"]));
  ports.push(port1, port2);
  line = { page: port2, touched };
});
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

const raw = (value: unknown) => ({ type: "RAW", value });

/** Sends a message, then a good one, and gives all that was answered up to the good one's answer. */
function answersTo(message: unknown, transfer: Transferable[] = []): Promise<unknown[]> {
  return new Promise((resolve) => {
    const answers: unknown[] = [];
    line.page.onmessage = ({ data }) => {
      answers.push(data);
      if (data.id === "good") resolve(answers);
    };
    line.page.postMessage(message, transfer);
    line.page.postMessage({
      id: "good",
      type: "APPLY",
      path: ["begin"],
      argumentList: [raw("good")],
    });
  });
}

const good = { id: "good", type: "RAW", value: { asked: "good" } };

describe("the worker's port", () => {
  it("lets a client's calls through", async () => {
    const remote = Comlink.wrap<{ begin(asked: unknown): unknown }>(line.page);
    expect(await remote.begin({ key: "order-1" })).toEqual({ asked: { key: "order-1" } });
    remote[Comlink.releaseProxy]();
  });

  const call = { id: "bad", type: "APPLY", path: ["begin"], argumentList: [] };
  const bad: Record<string, unknown> = {
    "a call of a method that is not in the protocol": { ...call, path: ["toString"] },
    "a call of the constructor": { ...call, path: ["constructor"] },
    "a path through a method to `Function`": { ...call, path: ["begin", "constructor"] },
    "a path to the prototype": { ...call, path: ["__proto__", "polluted"] },
    "an empty path": { ...call, path: [] },
    "no path": { id: "bad", type: "APPLY", argumentList: [] },
    "a path that is a text": { ...call, path: "begin" },
    "a path that holds a list": { ...call, path: [["begin"]] },
    "no arguments": { id: "bad", type: "APPLY", path: ["begin"] },
    "an argument that throws": {
      ...call,
      argumentList: [{ type: "HANDLER", name: "throw", value: { isError: false, value: 1 } }],
    },
    "an argument that is nothing": { ...call, argumentList: [null] },
    "a read": { ...call, type: "GET" },
    "a read of the object itself": { id: "bad", type: "GET", path: [] },
    "a write": { ...call, type: "SET", value: raw(1) },
    "a construction": { ...call, type: "CONSTRUCT" },
    "a request for another port": { ...call, type: "ENDPOINT" },
    "a message of an unknown type": { ...call, type: "EVAL" },
    "a text": "begin",
    nothing: null,
    "a list in a list": [[call]],
  };

  it.each(Object.entries(bad))("lets through nothing else: %s", async (_, message) => {
    expect(await answersTo(message)).toEqual([good]);
    expect(line.touched).toEqual(["begin"]);
  });

  it("lets through no port for the worker to call back (C035, GoogleChromeLabs/comlink#63)", async () => {
    const { port1: kept, port2: given } = new MessageChannel();
    ports.push(kept);
    const handedOver = { type: "HANDLER", name: "proxy", value: given };
    const answers = answersTo({ ...call, argumentList: [raw(1), handedOver] }, [given]);
    expect(await answers).toEqual([good]);
    expect(line.touched).toEqual(["begin"]);
  });

  it("lets a client go", async () => {
    const answers = new Promise<unknown>((resolve) => {
      line.page.onmessage = ({ data }) => resolve(data);
    });
    line.page.postMessage({ id: "end", type: "RELEASE" });
    expect(await answers).toMatchObject({ id: "end" });
    line.page.postMessage(call);
    const { port1: stop, port2: stopped } = new MessageChannel();
    ports.push(stop, stopped);
    await new Promise((resolve) => {
      stopped.onmessage = resolve;
      stop.postMessage("after the call");
    });
    expect(line.touched).toEqual([]);
  });
});
