import type { Agent } from "./agent.js";
import { type Answer, createAnswers, type Request } from "./answers.js";
import { type Calls, createCalls } from "./calls.js";
import type { Channel } from "./channel.js";
import type { Store } from "./store.js";

export interface RequestsOptions {
  readonly agent: Agent;
  readonly tab: Answer["tab"];
  readonly channel: Channel;
}

type Input = Request["input"];

/** What people ask of the agent, in this tab and in the others, and the answers of all tabs. */
export interface Requests {
  readonly answers: Store<readonly Answer[]>;
  readonly observe: Calls["observe"];
  /** Calls the tool in this tab. */
  call(tool: string, input: Input): void;
  /** Calls the tool in every open tab at the same moment. */
  callEverywhere(tool: string, input: Input): void;
  /** Cancels, in every tab, the running calls that this tab's person asked for. */
  cancel(): void;
}

export function createRequests({ agent, tab, channel }: RequestsOptions): Requests {
  const answers = createAnswers();
  const calls = createCalls({
    agent,
    tab,
    publish(answer) {
      answers.put(answer);
      channel.post({ type: "answer", answer });
    },
  });
  const request = (tool: string, input: Input): Request => ({
    id: crypto.randomUUID(),
    from: tab.id,
    tool,
    input,
  });

  const repeat = () => {
    for (const answer of answers.get()) {
      if (answer.tab.id === tab.id) channel.post({ type: "answer", answer });
    }
  };

  channel.onReopened(() => {
    repeat();
    channel.post({ type: "repeat" });
  });
  channel.subscribe((message) => {
    if (message.type === "request") calls.run(message.request);
    if (message.type === "cancel") calls.cancel(message.requestId);
    if (message.type === "answer") answers.put(message.answer);
    if (message.type === "repeat") repeat();
  });

  return {
    answers,
    observe: calls.observe,
    call: (tool, input) => calls.run(request(tool, input)),
    callEverywhere(tool, input) {
      const everywhere = request(tool, input);
      channel.post({ type: "request", request: everywhere });
      calls.run(everywhere);
    },
    cancel() {
      for (const { request, outcome } of answers.get()) {
        if (request.from !== tab.id || outcome.state !== "running") continue;
        channel.post({ type: "cancel", requestId: request.id });
        calls.cancel(request.id);
      }
    },
  };
}
