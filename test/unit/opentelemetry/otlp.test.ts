import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as api from "@opentelemetry/api";
import * as otlp from "@opentelemetry/exporter-trace-otlp-http";
import * as sdk from "@opentelemetry/sdk-trace-base";
import { afterEach, expect, it, vi } from "vitest";
import * as signett from "../../../src/index.js";
import * as binding from "../../../src/opentelemetry/index.js";
import { createWebMcpTestHarness } from "../../../src/testing/index.js";
import { runSample } from "../../support/run-sample.js";
import { orderTool } from "../runtime/tab.js";

interface Received {
  readonly path: string | undefined;
  readonly body: string;
}

/** A collector that keeps what it gets. */
async function openCollector() {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ path: request.url, body });
    response.setHeader("connection", "close").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    url: `http://127.0.0.1:${port}/v1/traces`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

it("a collector gets the span over OTLP, without what the agent and the application said", async () => {
  const collector = await openCollector();
  const { modelContext, invoke } = createWebMcpTestHarness();
  vi.stubGlobal("document", { modelContext });
  closing.push(
    collector.close,
    () => vi.unstubAllGlobals(),
    () => api.trace.disable(),
  );

  const modules = {
    ...{ signett, "signett/opentelemetry": binding, "@opentelemetry/api": api },
    "@opentelemetry/exporter-trace-otlp-http": otlp,
    "@opentelemetry/sdk-trace-base": sdk,
  };
  const application = { collectorUrl: collector.url };
  const sample = await runSample("docs/opentelemetry.md", "opentelemetry", modules, application);
  const { provider, signett: surface } = sample as {
    readonly provider: sdk.BasicTracerProvider;
    readonly signett: signett.Signett<undefined>;
  };
  await surface.expose(
    orderTool({ execute: () => Promise.reject(new RangeError("secret answer")) }),
  );
  await invoke("cancel_order", { orderId: "secret order" }).catch(() => {});
  await provider.shutdown();

  const [{ path, body } = { path: "", body: "{}" }] = collector.received;
  expect(path).toBe("/v1/traces");
  const [span] = JSON.parse(body).resourceSpans[0].scopeSpans[0].spans;
  expect(span).toMatchObject({ name: "execute_tool cancel_order", kind: 1, status: { code: 2 } });
  expect(span.attributes).toContainEqual({
    ...{ key: "error.type", value: { stringValue: "RangeError" } },
  });
  expect(span.events.map(({ name }: { name: string }) => name)).toEqual([
    ...["started", "validated", "authorized", "failed"],
  ]);
  expect(body).not.toContain("secret");
});
