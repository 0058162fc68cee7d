import { afterEach, describe, expect, it, vi } from "vitest";
import { WebStorageOperationJournal } from "../../../src/web-storage-journal.js";
import { makeStorage } from "./storage.js";

afterEach(() => {
  vi.unstubAllGlobals();
});

const PREFIX = "signett:operation:";

describe("an entry", () => {
  it.each([{ orderId: "A-1" }, [1, null], "text", 0, false, null])(
    "is read as it was written: %j",
    (entry) => {
      const storage = makeStorage();
      new WebStorageOperationJournal(storage, PREFIX).write("order-1", entry);
      expect(new WebStorageOperationJournal(storage, PREFIX).read("order-1")).toEqual(entry);
    },
  );

  it("is an item under the prefix, apart from all others", () => {
    const storage = makeStorage();
    storage.setItem("order-1", "the application's");
    const journal = new WebStorageOperationJournal(storage, PREFIX);
    expect(journal.read("order-1")).toBeUndefined();
    journal.write("order-1", 1);
    journal.write("order-2", 2);
    journal.remove("order-1");
    journal.remove("order-1");
    expect(journal.read("order-1")).toBeUndefined();
    expect(journal.read("order-2")).toBe(2);
    expect(storage.getItem("order-1")).toBe("the application's");
    expect(storage.getItem("signett:operation:order-2")).toBe("2");
  });

  it("that is no JSON throws, so that it counts as written", () => {
    const storage = makeStorage();
    storage.setItem(`${PREFIX}order-1`, "{ half");
    const journal = new WebStorageOperationJournal(storage, PREFIX);
    expect(() => journal.read("order-1")).toThrow(SyntaxError);
  });

  it.each([undefined, () => {}, Symbol("entry")])(
    "that JSON has no text for is refused",
    (entry) => {
      const storage = makeStorage();
      const journal = new WebStorageOperationJournal(storage, PREFIX);
      expect(() => journal.write("order-1", entry)).toThrow(TypeError);
      expect(storage).toHaveLength(0);
    },
  );

  it("that the full storage refuses says so, and the earlier one stays", () => {
    const storage = makeStorage();
    const journal = new WebStorageOperationJournal(storage, PREFIX);
    journal.write("order-1", "earlier");
    const full = new DOMException("full", "QuotaExceededError");
    vi.spyOn(storage, "setItem").mockImplementation(() => {
      throw full;
    });
    expect(() => journal.write("order-1", "later")).toThrow(full);
    expect(journal.read("order-1")).toBe("earlier");
  });
});

describe("the scope", () => {
  it("is the profile over localStorage, and the tab over any other storage", () => {
    const localStorage = makeStorage();
    vi.stubGlobal("localStorage", localStorage);
    expect(new WebStorageOperationJournal(localStorage, PREFIX).scope).toBe("profile");
    expect(new WebStorageOperationJournal(makeStorage(), PREFIX).scope).toBe("tab");
  });

  it("is the tab where the page may not even look at localStorage", () => {
    const original = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
    Object.defineProperty(globalThis, "localStorage", {
      configurable: true,
      get: () => {
        throw new DOMException("denied", "SecurityError");
      },
    });
    expect(new WebStorageOperationJournal(makeStorage(), PREFIX).scope).toBe("tab");
    if (original) Object.defineProperty(globalThis, "localStorage", original);
    else Reflect.deleteProperty(globalThis, "localStorage");
  });

  it("tells journals of different prefixes apart", () => {
    const ids = ["a:", "b:"].map(
      (prefix) => new WebStorageOperationJournal(makeStorage(), prefix).id,
    );
    expect(ids[0]).not.toBe(ids[1]);
  });
});
