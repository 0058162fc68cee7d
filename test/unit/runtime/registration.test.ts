import { afterEach, describe, expect, it, vi } from "vitest";
import { createSignett, type Observer } from "../../../src/index.js";
import { TestHost } from "../../support/runtime.js";
import { cancelled, gate, openTab, order, orderTool } from "./tab.js";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("a registered tool", () => {
  it("hands title, hints and origins to the host as they are", async () => {
    const annotations = {
      readOnlyHint: false,
      untrustedContentHint: true,
      consequentialHint: true,
      debugging: true,
    };
    const exposedTo = ["https://agent.example"];
    const tool = orderTool({ title: "Cancel an order", annotations, exposedTo });
    const { host } = await openTab(tool);
    expect(host.tools.get("cancel_order")).toMatchObject({
      name: "cancel_order",
      title: "Cancel an order",
      description: "Cancel one order.",
      inputSchema: tool.inputSchema,
      annotations,
    });
    expect(host.exposedTo.get("cancel_order")).toEqual(exposedTo);
  });

  it("has no field that its definition has not", async () => {
    const { host } = await openTab(orderTool());
    expect(Object.keys(host.tools.get("cancel_order") ?? {}).sort()).toEqual([
      ...["description", "execute", "inputSchema", "name"],
    ]);
    expect(host.exposedTo.get("cancel_order")).toBeUndefined();
  });

  it("can be called by a host that passes no options, or options without a signal", async () => {
    const { host } = await openTab(orderTool());
    const tool = host.tools.get("cancel_order");
    await expect(tool?.execute(order)).resolves.toEqual(cancelled);
    await expect(tool?.execute(order, {})).resolves.toEqual(cancelled);
  });

  it("is among its interface's tools until it is disposed", async () => {
    const { registration, signett } = await openTab(orderTool());
    expect(signett.tools()).toEqual([registration]);
    registration.dispose();
    expect(signett.tools()).toEqual([]);
  });
});

describe("dispose", () => {
  it("takes the tool from the host, once, however often it is called", async () => {
    const { host, registration, stages } = await openTab(orderTool());
    expect(registration.status).toBe("registered");
    registration.dispose();
    registration.dispose();
    expect(registration.status).toBe("disposed");
    expect(host.tools.size).toBe(0);
    expect(stages()).toEqual(["unregistered"]);
  });

  it("and expose of the same name work in one tick, as in React's StrictMode", async () => {
    const { host, registration, signett } = await openTab(orderTool());
    registration.dispose();
    const again = await signett.expose(orderTool({ description: "The second one." }));
    expect(again.status).toBe("registered");
    registration.dispose();
    expect(host.tools.get("cancel_order")?.description).toBe("The second one.");
    expect(signett.tools()).toEqual([again]);
  });

  it("lets running calls finish and refuses new ones", async () => {
    const { opened, open } = gate();
    const execute = vi.fn(() => opened.then(() => "done"));
    const { call, host, registration, until } = await openTab(orderTool({ execute }));
    const executor = host.tools.get("cancel_order");
    const entered = until("authorized");
    const running = call();
    await entered;
    registration.dispose();
    open();
    await expect(running).resolves.toBe("done");
    await expect(executor?.execute(order)).rejects.toMatchObject({ name: "InvalidStateError" });
    expect(execute).toHaveBeenCalledTimes(1);
  });

  it("as soon as a slow host has registered the tool leaves nothing registered (C146, webmachinelearning/webmcp#200, #202)", async () => {
    const { opened, open } = gate();
    const host = new TestHost();
    host.onRegister = () => opened;
    const signett = createSignett({ modelContext: host });
    const gone = signett.expose(orderTool()).then((registration) => registration.dispose());
    open();
    await gone;
    expect(host.tools.size).toBe(0);
    await expect(signett.expose(orderTool())).resolves.toMatchObject({ status: "registered" });
  });
});

describe("a host that refuses the registration", () => {
  it("has its error passed on, and the name is free again", async () => {
    const refusal = new DOMException("not allowed here", "NotAllowedError");
    const host = new TestHost();
    host.onRegister = () => Promise.reject(refusal);
    const observe = vi.fn<Observer>();
    const signett = createSignett({ modelContext: host, observe });
    await expect(signett.expose(orderTool())).rejects.toBe(refusal);
    expect(observe.mock.lastCall?.[0]).toMatchObject({
      stage: "registration_failed",
      error: { name: "NotAllowedError" },
    });
    expect(signett.tools()).toEqual([]);
    host.onRegister = () => {};
    await expect(signett.expose(orderTool())).resolves.toMatchObject({ status: "registered" });
  });
});

describe("a browser without WebMCP", () => {
  it.each(["ignore", "warn", undefined] as const)(
    "gets an unsupported registration with unsupported: %j, which can be disposed",
    async (unsupported) => {
      const warn = vi.spyOn(console, "warn").mockReturnValue();
      const observe = vi.fn<Observer>();
      const signett = createSignett({ observe, ...(unsupported && { unsupported }) });
      const registration = await signett.expose(orderTool());
      expect(registration).toMatchObject({ name: "cancel_order", status: "unsupported" });
      expect(observe.mock.calls.map(([{ stage }]) => stage)).toEqual([
        ...["registering", "unsupported"],
      ]);
      expect(warn).toHaveBeenCalledTimes(unsupported === "warn" ? 1 : 0);
      registration.dispose();
      registration.dispose();
      expect(registration.status).toBe("disposed");
      expect(signett.tools()).toEqual([]);
    },
  );

  it("is an error with unsupported: throw, which says what to do", async () => {
    const observe = vi.fn<Observer>();
    const signett = createSignett({ unsupported: "throw", observe });
    const exposing = signett.expose(orderTool());
    await expect(exposing).rejects.toMatchObject({ name: "NotSupportedError" });
    await expect(exposing).rejects.toThrow(/"cancel_order".*document\.modelContext/);
    expect(observe.mock.lastCall?.[0].stage).toBe("registration_failed");
  });

  it("still has a faulty tool refused, so that the fault is seen in every browser", async () => {
    const exposing = createSignett().expose(orderTool({ description: " " }));
    await expect(exposing).rejects.toBeInstanceOf(TypeError);
  });
});

describe("the browser's own WebMCP", () => {
  it("is looked for when a tool is exposed, not when the interface is made", async () => {
    const signett = createSignett();
    const host = new TestHost();
    vi.stubGlobal("document", { modelContext: host });
    await signett.expose(orderTool());
    expect([...host.tools.keys()]).toEqual(["cancel_order"]);
  });

  it("is not looked for on `navigator`, where browsers no longer have it (C145, webmachinelearning/webmcp#184 / agentcathq/webmcp-react#27)", async () => {
    const host = new TestHost();
    vi.stubGlobal("navigator", { modelContext: host });
    const { status } = await createSignett().expose(orderTool());
    expect([status, host.tools.size]).toEqual(["unsupported", 0]);
  });

  it("is left alone where a host was given", async () => {
    const native = new TestHost();
    vi.stubGlobal("document", { modelContext: native });
    const { host } = await openTab(orderTool());
    expect([native.tools.size, host.tools.size]).toEqual([0, 1]);
  });
});
