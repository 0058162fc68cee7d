import type { Signett } from "signett";

/** A button that shows the Inspector, which is loaded when it is first wanted, and takes it away. */
export function createInspectorButton<Context>(
  button: HTMLButtonElement,
  signett: Signett<Context>,
): void {
  let shown: { dispose(): void } | undefined;

  async function toggle(): Promise<void> {
    // It can also be closed by the cross in its own bar.
    const open = document.querySelector("signett-inspector") !== null;
    shown?.dispose();
    shown = undefined;
    if (open) return;
    const { mountSignettInspector } = await import("signett/inspector");
    shown ??= mountSignettInspector(signett);
  }

  button.addEventListener("click", toggle);
}
