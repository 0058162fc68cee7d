import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type PackedPort, packed } from "../../../worker/packets.js";

let here: PackedPort;
let near: MessagePort;
let far: MessagePort;
/** What crossed, as it came. */
let crossed: unknown[];

beforeEach(() => {
  ({ port1: near, port2: far } = new MessageChannel());
  here = packed(near);
  crossed = [];
  far.addEventListener("message", ({ data }) => crossed.push(data));
  far.start();
});
afterEach(() => {
  near.close();
  far.close();
});

describe("what is posted in one moment", () => {
  it("crosses together behind the first, in its order, and what comes later by itself", async () => {
    for (const id of [1, 2, 3]) here.postMessage({ id });
    await Promise.resolve();
    here.postMessage({ id: 4 });
    await expect.poll(() => crossed).toEqual([{ id: 1 }, [{ id: 2 }, { id: 3 }], [{ id: 4 }]]);
  });

  it("crosses as one after a moment that had several, until one has a single message", async () => {
    const moments = [[1, 2], [3, 4], [5], [6], [7, 8]];
    for (const ids of moments) {
      for (const id of ids) here.postMessage(id);
      await Promise.resolve();
    }
    await expect.poll(() => crossed).toEqual([1, [2], [3, 4], [5], 6, 7, [8]]);
  });

  it("is not lost with a first that can't be copied, also after a moment that had several", async () => {
    for (const id of [1, 2]) here.postMessage(id);
    await Promise.resolve();
    expect(() => here.postMessage(() => {})).toThrow(
      expect.objectContaining({ name: "DataCloneError" }),
    );
    here.postMessage(3);
    await expect.poll(() => crossed).toEqual([1, [2], [3]]);
  });

  it("crosses as it was when it was posted", async () => {
    const message = { id: 1 };
    here.postMessage(message);
    here.postMessage(message);
    message.id = 2;
    await expect.poll(() => crossed).toEqual([{ id: 1 }, [{ id: 1 }]]);
  });

  it("is not lost with what can't be copied, which its own sender is told", async () => {
    here.postMessage({ id: 1 });
    expect(() => here.postMessage({ id: 2, value: () => {} })).toThrow(
      expect.objectContaining({ name: "DataCloneError" }),
    );
    here.postMessage({ id: 3 });
    await expect.poll(() => crossed).toEqual([{ id: 1 }, [{ id: 3 }]]);
  });

  it("crosses before the port is closed, if it is told to", async () => {
    here.postMessage({ id: 1 });
    here.postMessage({ id: 2 });
    here.flush();
    near.close();
    await expect.poll(() => crossed).toEqual([{ id: 1 }, [{ id: 2 }]]);
  });
});

describe("what arrives", () => {
  it("is heard message by message, but for those that are not let through", async () => {
    const heard: unknown[] = [];
    const listener = { handleEvent: ({ data }: MessageEvent) => void heard.push(data) };
    const guarded = packed(near, (message) => message !== 2);
    guarded.addEventListener("message", listener as EventListenerObject);
    guarded.start?.();
    far.postMessage([1, 2, 3]);
    far.postMessage(4);
    await expect.poll(() => heard).toEqual([1, 3, 4]);
    guarded.removeEventListener("message", listener as EventListenerObject);
    const last = new Promise((resolve) => near.addEventListener("message", resolve));
    far.postMessage(5);
    await last;
    expect(heard).toEqual([1, 3, 4]);
  });
});
