import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { createSignett } from "signett";
import { useSignettTool } from "signett/react";

let attempts = 0;
const signett = createSignett({
  observe({ stage }) {
    if (stage !== "registering") return;
    attempts += 1;
    document.documentElement.dataset.attempts = String(attempts);
  },
});

const inputSchema = {
  type: "object",
  properties: { wait: { type: "boolean" } },
  additionalProperties: false,
} as const;

/** A number that a person counts up, and a tool that reads it. */
function Counter({ unit }: { unit: string }) {
  const [count, setCount] = useState(0);
  const [finish, setFinish] = useState<() => void>();
  const { status, error } = useSignettTool(
    signett,
    {
      name: "read_count",
      description: `Read the number of ${unit} on the page.`,
      inputSchema,
      annotations: { readOnlyHint: true },
      async execute({ wait }) {
        if (wait) await new Promise<void>((resolve) => setFinish(() => resolve));
        return { count, unit };
      },
    },
    [unit],
  );
  return (
    <section>
      <output>{status === "failed" ? `failed: ${error}` : status}</output>
      <button type="button" onClick={() => setCount(count + 1)}>
        Count
      </button>
      {finish && (
        <button type="button" onClick={finish}>
          Finish the call
        </button>
      )}
    </section>
  );
}

function App() {
  const [mounted, setMounted] = useState(true);
  const [unit, setUnit] = useState("apples");
  return (
    <>
      <button type="button" onClick={() => setMounted(!mounted)}>
        {mounted ? "Unmount" : "Mount"}
      </button>
      <button type="button" onClick={() => setUnit("pears")}>
        Count pears
      </button>
      {mounted && <Counter unit={unit} />}
    </>
  );
}

const root = document.querySelector("#root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
document.documentElement.dataset.ready = "true";
