import { mountSignettInspector } from "signett/inspector";
import { createShop } from "./inspector-shop.js";
import { storyCalls } from "./story-calls.js";
import { storyProfile } from "./story-profile.js";

// One afternoon in three tabs, told by a script, so that a picture of it is always the same.
const { signett, exposed } = createShop({ profile: storyProfile(storyCalls) });
await exposed;
for (const { style } of [document.documentElement, document.body]) {
  style.height = "100%";
  style.margin = "0";
}
mountSignettInspector(signett, { target: document.body });
document.documentElement.dataset.ready = "true";
