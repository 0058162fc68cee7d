import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createTestProfile } from "signett/testing";
import { afterEach, expect, it, vi } from "vitest";

afterEach(() => {
  vi.useRealTimers();
});

const { signal } = new AbortController();

/** In which order three tabs were told what, when they asked for a key at once. */
async function history(seed: number): Promise<string[]> {
  const profile = createTestProfile({ tabs: 3, seed });
  const told: string[] = [];
  const calls = [0, 1, 2].map(async (index) => {
    const { idempotency } = profile.tab(index).profile;
    const begun = await idempotency.begin("17", {
      signal,
      onWait: () => told.push(`${index} waits`),
    });
    told.push(`${index} ${begun.state}`);
    if (begun.state === "fresh") await idempotency.complete("17", index, { signal });
  });
  await Promise.all(calls);
  return told;
}

it("an order of events that a seed gave comes again with the seed, and other seeds give others", async () => {
  const seeds = Array.from({ length: 20 }, (_, seed) => seed);
  const first = await Promise.all(seeds.map(history));
  expect(await Promise.all(seeds.map(history))).toEqual(first);
  const owners = first.map((told) => told.find((event) => event.endsWith("fresh")));
  expect(new Set(owners).size).toBe(3);
});

it("goes on while a test has stopped all timers (C131, dumbmatter/fakeIndexedDB#64)", async () => {
  vi.useFakeTimers();
  expect((await history(1)).length).toBeGreaterThanOrEqual(3);
});

it("works in node:test", () => {
  const file = fileURLToPath(new URL("node-test.fixture.mjs", import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, ["--test", file], { encoding: "utf8" });
  expect(stdout).toContain("# pass 1");
  expect(status).toBe(0);
}, 60_000);
