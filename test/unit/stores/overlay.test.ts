import { describe, expect, it } from "vitest";
import { Overlay } from "../../../stores/overlay.js";
import type { Rows } from "../../../stores/rows.js";
import { claimed } from "./samples.js";

/** Rows that note every request. */
function noted() {
  const requests: string[] = [];
  const note = async (request: string) => void requests.push(request);
  const rows: Rows = {
    record: async (key) => void requests.push(`get ${key}`),
    putRecord: ({ key, fence }) => note(`put ${key} ${fence}`),
    deleteRecord: (key) => note(`delete ${key}`),
    entry: async (key) => void requests.push(`get entry ${key}`),
    putEntry: (key, entry) => note(`put entry ${key} ${entry}`),
    deleteEntry: (key) => note(`delete entry ${key}`),
    lastFence: async () => {
      requests.push("get fence");
      return 7;
    },
    putLastFence: (fence) => note(`put fence ${fence}`),
  };
  return { requests, rows, overlay: new Overlay(rows) };
}

describe("the jobs of one transaction", () => {
  it("ask for all their records before any of them is answered", async () => {
    const { requests, overlay } = noted();
    const read = overlay.read([{ key: "a" }, { key: "b", lastFence: true }]);
    expect(requests).toEqual(["get a", "get b", "get fence"]);
    await read;
  });

  it("read a row once, however many of them need it", async () => {
    const { requests, overlay } = noted();
    await overlay.read([{ key: "a" }]);
    await Promise.all([overlay.record("a"), overlay.entry("a"), overlay.entry("a")]);
    expect(requests).toEqual(["get a", "get entry a"]);
  });

  it("see at once what those before them wrote", async () => {
    const { overlay } = noted();
    await overlay.read([{ key: "a" }]);
    const record = claimed({ key: "a" });
    await overlay.putRecord(record);
    await overlay.putEntry("a", "sent");
    await overlay.putLastFence(8);
    expect(await overlay.record("a")).toBe(record);
    expect(await overlay.entry("a")).toEqual({ entry: "sent" });
    expect(await overlay.lastFence()).toBe(8);
    await overlay.deleteRecord("a");
    await overlay.deleteEntry("a");
    expect(await overlay.record("a")).toBeUndefined();
    expect(await overlay.entry("a")).toBeUndefined();
  });

  it("write at their end, and of each row the last state only", async () => {
    const { requests, overlay } = noted();
    await overlay.putRecord(claimed({ key: "a", fence: 8 }));
    await overlay.putLastFence(8);
    await overlay.deleteRecord("a");
    await overlay.putRecord(claimed({ key: "a", fence: 9 }));
    await overlay.putLastFence(9);
    await overlay.putEntry("b", "sent");
    await overlay.deleteEntry("b");
    expect(requests).toEqual([]);
    await overlay.write();
    expect(requests).toEqual(["put a 9", "put fence 9", "delete entry b"]);
  });

  it("fail together when one write is refused, also at once", async () => {
    const refused = new DOMException("The disk is full.", "QuotaExceededError");
    const overlay = new Overlay({
      ...noted().rows,
      deleteRecord: () => Promise.reject(new Error("aborted with it")),
      putLastFence: () => {
        throw refused;
      },
    });
    await overlay.putLastFence(1);
    await overlay.deleteRecord("a");
    await expect(overlay.write()).rejects.toBe(refused);
  });
});
