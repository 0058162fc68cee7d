import { createElement, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { connectProfile } from "../../../client/index.js";
import { createSignett, type Signett } from "../../../src/index.js";
import { useSignettActivity, useSignettTool } from "../../../src/react/index.js";
import { noteTool, openSurface } from "./mounting.js";

interface PageProps {
  readonly signett: Signett<undefined>;
  readonly ofProfile: Signett<undefined>;
}

function Page({ signett, ofProfile }: PageProps): ReactNode {
  const { status } = useSignettTool(signett, noteTool(), []);
  const own = useSignettActivity(signett);
  const all = useSignettActivity(ofProfile, { scope: "profile" });
  return `${status} ${own.invocations.length + all.invocations.length}`;
}

test("a server, which has no document, registers nothing, shows nothing and says that the tool will be there", () => {
  expect(globalThis).not.toHaveProperty("document");
  const complaints = vi.spyOn(console, "error");
  const { signett, names } = openSurface();
  const ofProfile = createSignett({ profile: connectProfile() });
  expect(renderToString(createElement(Page, { signett, ofProfile }))).toBe("registering 0");
  expect([names(), signett.tools()]).toEqual([[], []]);
  expect(complaints).not.toHaveBeenCalled();
});
