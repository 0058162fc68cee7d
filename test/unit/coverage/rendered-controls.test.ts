import { expect, test } from "vitest";
import type { Tool } from "../../../src/index.js";
import { following } from "../../../src/react/following.js";

type NoteTool = Tool<{ text: string }, undefined, string>;

const bare: NoteTool = {
  name: "send_note",
  description: "Send one short note.",
  inputSchema: { type: "object" },
  execute: () => "sent",
};

test("controls that a later render leaves out keep their last say", async () => {
  const said: string[] = [];
  const say = <Answer>(name: string, answer: Answer) => {
    return () => {
      said.push(name);
      return answer;
    };
  };
  const controlled: NoteTool = {
    ...bare,
    authorize: say("authorize", true),
    confirm: say("confirm", true),
    idempotency: { key: say("key", "note") },
    journal: { key: say("journal key", "entry") },
    recover: say("recover", { recovered: false }),
    verify: say("verify", true),
  };
  const latest = { tool: controlled };
  const tool = following(latest);
  latest.tool = bare;

  const { signal } = new AbortController();
  const call = { input: { text: "hi" }, context: undefined, signal };
  const review = { ...call, operation: undefined };
  await tool.authorize?.(call);
  await (typeof tool.confirm === "function" ? tool.confirm : tool.confirm?.request)?.(call);
  await tool.idempotency?.key(call);
  await tool.journal?.key?.(call);
  await tool.recover?.({ ...review, error: undefined });
  await tool.verify?.({ ...review, output: "sent" });
  expect(said).toEqual(["authorize", "confirm", "key", "journal key", "recover", "verify"]);
});
