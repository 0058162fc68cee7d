import { expect, it } from "vitest";
import type { Clock } from "../../../src/clock.js";
import { PartyLine } from "../../../worker/party-line.js";

/** A channel as browsers have it: one that is closed throws. */
function open() {
  const channel = new BroadcastChannel("shop");
  const due: (() => void)[] = [];
  const clock: Clock = {
    now: () => 0,
    after(_, task) {
      due.push(task);
      return () => void due.splice(due.indexOf(task), 1);
    },
  };
  const line = new PartyLine({ channel, clock, hear: () => {} });
  return { line, channel, pass: () => due.splice(0).forEach((task) => void task()) };
}

it("a coordinator that has closed its line breaks nothing with what it settles late", async () => {
  const { line, channel, pass } = open();
  const listener = new BroadcastChannel("shop");
  const heard = new Promise((resolve) =>
    listener.addEventListener("message", (event) => resolve((event as MessageEvent).data)),
  );
  line.settled("in time");
  line.close();
  expect(await heard).toEqual({ settled: ["in time"] });
  channel.close();
  listener.close();
  line.settled("late");
  expect(pass).not.toThrow();
  expect(() => line.tell({ purge: true })).not.toThrow();
});
