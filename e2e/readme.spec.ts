import { Agent } from "./support/agent.js";
import { expect, ready, test } from "./support/test.js";

test("the README's tool, as it stands there, does in two tabs what the README says", async ({
  context,
  server,
}) => {
  const agents: Agent[] = [];
  for (let tab = 0; tab < 2; tab++) {
    const page = await context.newPage();
    await page.goto("/samples.html");
    await ready(page);
    agents.push(await Agent.of(page));
  }
  const call = (agent: Agent, orderId: string) =>
    agent.call("cancel_order", { orderId, operationId: "op-1" });

  await server.set({ answers: "lost" });
  const outcomes = await Promise.all(agents.map((agent) => call(agent, "A-1001")));
  for (const outcome of outcomes) {
    expect(outcome).toEqual({
      status: "answered",
      output: { orderId: "A-1001", status: "cancelled" },
    });
  }
  expect(await server.effects()).toHaveLength(1);

  await server.set({ answers: "normal" });
  for (const agent of agents) {
    expect(await call(agent, "A-1006")).toMatchObject({
      status: "failed",
      error: { code: "not_cancellable" },
    });
  }
  expect(await server.effects()).toHaveLength(1);
});
