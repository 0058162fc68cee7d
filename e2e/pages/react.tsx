import { StrictMode, Suspense, startTransition, useState, version } from "react";
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

let load: (() => void) | undefined;
let loading: Promise<void> | undefined = new Promise((resolve) => {
  load = () => {
    loading = undefined;
    resolve();
  };
});

/** A part of the page that takes long to render, and is held back until it is loaded. */
function Pears({ last }: { last: boolean }) {
  const end = performance.now() + 10;
  while (performance.now() < end);
  if (last && loading) throw loading;
  return <li>A pear</li>;
}

const pears = [1, 2, 3, 4, 5];

function App() {
  const [mounted, setMounted] = useState(true);
  const [unit, setUnit] = useState("apples");
  const [shown, setShown] = useState(false);
  const showPears = () => {
    setUnit("pears");
    setShown(true);
  };
  return (
    <>
      <button type="button" onClick={() => setMounted(!mounted)}>
        {mounted ? "Unmount" : "Mount"}
      </button>
      <button type="button" onClick={() => setUnit("pears")}>
        Count pears
      </button>
      <button type="button" onClick={() => startTransition(showPears)}>
        Show pears
      </button>
      <button type="button" onClick={load}>
        Load the pears
      </button>
      <Suspense fallback="Loading">
        {mounted && <Counter unit={unit} />}
        <ul>{shown && pears.map((pear) => <Pears key={pear} last={pear === pears.length} />)}</ul>
      </Suspense>
    </>
  );
}

document.documentElement.dataset.react = version;
const root = document.querySelector("#root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
document.documentElement.dataset.ready = "true";
