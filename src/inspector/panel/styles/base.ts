/** Colours, type and what every element starts from. */
export const base = `
:host {
  all: initial;
  color-scheme: light dark;

  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;

  --paper: light-dark(#fcfcfa, #17181b);
  --sunken: light-dark(#f2f2ee, #111214);
  --raised: light-dark(#ffffff, #1f2125);
  --line: light-dark(#e0e0d9, #2e3036);
  --line-strong: light-dark(#84847b, #787b84);
  --ink: light-dark(#1c1c19, #e8e8e4);
  --soft: light-dark(#5a5a53, #a7a9b0);
  --seal: light-dark(#3a3aa8, #a9a8ff);
  --on-seal: light-dark(#ffffff, #15152f);
  --seal-soft: light-dark(#e9e9f8, #27274a);

  --good: light-dark(#1b7440, #5fcf8b);
  --bad: light-dark(#b8281f, #ff8a80);
  --doubt: light-dark(#8a5200, #f2b352);

  --check: light-dark(#8b8b84, #868991);
  --approval: light-dark(#9446c4, #c891f7);
  --wait: light-dark(#66768a, #93a4b8);
  --execute: light-dark(#2d62d3, #6f9dff);
  --recover: light-dark(#b36b00, #efa63a);
  --verify: light-dark(#0c7f7b, #3fc2bd);
  --settle: light-dark(#55554f, #c3c4c8);
}

*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
h2, h3, p, ul, ol, dl, dd, pre, fieldset, legend { margin: 0; padding: 0; border: 0; font: inherit; }
ul, ol { list-style: none; }
i { font-style: normal; }
code, pre, .mono, .name { font-family: var(--mono); font-size: 11.5px; }
h2 { font-weight: 650; font-size: 13px; }
h3 { font-weight: 600; color: var(--soft); margin: 14px 0 5px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--seal); outline-offset: -2px; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.muted { color: var(--soft); }
.number { font-variant-numeric: tabular-nums; }
@media (prefers-reduced-motion: no-preference) {
  .bar[data-open]::after { animation: beat 1.6s ease-in-out infinite; }
}
@keyframes beat { 50% { opacity: 0.25; } }
`;
