import { version } from "react";
import { version as domVersion } from "react-dom";
import { expect, test } from "vitest";

test("the tests of this folder run in the React that their project names", () => {
  const { REACT } = process.env;
  expect([version.split(".")[0], domVersion.split(".")[0]]).toEqual([REACT, REACT]);
});
