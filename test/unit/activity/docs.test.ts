// @vitest-environment jsdom
import { expect, test } from "vitest";
import * as signett from "../../../src/index.js";
import { createWebMcpTestHarness } from "../../../src/testing/index.js";
import { runSample } from "../../support/run-sample.js";
import { gate } from "../runtime/tab.js";
import { openProfile } from "./profile.js";

test("the page of the sample shows how far an agent's call is", async () => {
  const { modelContext, invoke } = createWebMcpTestHarness();
  Object.assign(document, { modelContext });
  document.body.append(document.createElement("output"));
  const [second, done] = [gate(), gate()];
  const application = {
    photosOf: async () => ["sea.jpg", "hill.jpg"],
    archive(photo: string) {
      if (photo === "sea.jpg") return undefined;
      second.open();
      return done.opened;
    },
  };
  const modules = { signett, "signett/client": { connectProfile: openProfile().profile } };
  await runSample("docs/activity.md", "activity", modules, application);
  const answer = invoke("archive_photos", { year: 2025 });
  await second.opened;
  await expect
    .poll(() => document.body.textContent)
    .toBe("archive_photos: running 1 of 2: hill.jpg");
  done.open();
  await expect(answer).resolves.toEqual({ archived: 2 });
  expect(document.body.textContent).toBe("archive_photos: succeeded");
});
