import { StrictMode, useState, version } from "react";
import { createRoot } from "react-dom/client";
import { type ActivityInvocation, createSignett } from "signett";
import { connectProfile } from "signett/client";
import { useSignettActivity, useSignettTool } from "signett/react";

const signett = createSignett({ profile: connectProfile({ namespace: "photos" }) });
const photos = ["sea.jpg", "hills.jpg", "harbour.jpg", "market.jpg"];

/** What the person answers, or lets go on. */
type Ask = (label: string) => Promise<boolean>;

function useAsking() {
  const [asked, setAsked] = useState<{ label: string; answer: (yes: boolean) => void }>();
  const ask: Ask = (label) =>
    new Promise((resolve) => {
      setAsked({
        label,
        answer(yes) {
          setAsked(undefined);
          resolve(yes);
        },
      });
    });
  return { asked, ask };
}

const inputSchema = {
  type: "object",
  properties: { year: { type: "integer" } },
  required: ["year"],
  additionalProperties: false,
} as const;

function Photos() {
  const { asked, ask } = useAsking();
  const archiving = useSignettTool(
    signett,
    {
      name: "archive_photos",
      description: "Archive the photos of one year.",
      inputSchema,
      idempotency: { key: ({ input }) => `archive:${input.year}` },
      async execute(_, { operation }) {
        await operation?.write({});
        for (const [done, label] of photos.entries()) {
          operation?.progress({ done, total: photos.length, label });
          await ask(`Archive ${label}`);
        }
        return { archived: photos.length };
      },
    },
    [],
  );
  const deleting = useSignettTool(
    signett,
    {
      name: "delete_photos",
      description: "Delete the photos of one year.",
      inputSchema,
      confirm: ({ input }) => ask(`Delete the photos of ${input.year}`),
      execute: () => null,
    },
    [],
  );
  return (
    <main>
      <h1>Photos</h1>
      {asked && (
        <>
          <button type="button" onClick={() => asked.answer(true)}>
            {asked.label}
          </button>
          <button type="button" onClick={() => asked.answer(false)}>
            Decline
          </button>
        </>
      )}
      <Calls title="What agents do here" scope="tab" />
      <Calls title="What agents do in all tabs" scope="profile" />
      <footer hidden data-tools={`${archiving.status} ${deleting.status}`} />
    </main>
  );
}

function Calls({ title, scope }: { title: string; scope: "tab" | "profile" }) {
  const { invocations } = useSignettActivity(signett, { scope, maxInvocations: 5 });
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {invocations.map((call) => (
          <Call key={call.invocationId} call={call} />
        ))}
      </ul>
    </section>
  );
}

const own = connectProfile({ namespace: "photos" }).activity?.tab;

function Call({ call }: { call: ActivityInvocation }) {
  const { toolName, phase, progress, replayed, tab } = call;
  return (
    <li data-phase={phase}>
      <code>{toolName}</code>
      <strong>{phase.replaceAll("_", " ")}</strong>
      <span>
        {progress && <progress value={progress.done} max={progress.total} />}
        {progress && `${progress.done} of ${progress.total}: ${progress.label}`}
        {replayed && "stored answer"}
      </span>
      <small>{tab && (tab === own ? "this tab" : "another tab")}</small>
    </li>
  );
}

document.documentElement.dataset.react = version;
const root = document.querySelector("#root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Photos />
    </StrictMode>,
  );
}
