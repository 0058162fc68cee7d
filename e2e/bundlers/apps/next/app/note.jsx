"use client";

import { useSignettTool } from "signett/react";
import { prepared } from "../../tool.js";

// In a module: it runs in the server's render too, and does nothing there.
const { signett, tool } = prepared();

export function Note() {
  const { status } = useSignettTool(signett, tool, []);
  return <p>{status}</p>;
}
