import { expect, it } from "vitest";
import { connectProfile } from "../../../client/index.js";

it("in a server render a profile is inert: nothing starts or throws until a call needs it", async () => {
  expect("indexedDB" in globalThis).toBe(false);
  const profile = connectProfile();
  expect(profile.mode).toBe("unavailable");
  const unavailable = { code: "coordination_unavailable" };
  await expect(profile.ready()).rejects.toMatchObject(unavailable);
  const begun = profile.idempotency.begin("k", { signal: new AbortController().signal });
  await expect(begun).rejects.toMatchObject(unavailable);
  profile.dispose();
});
