/** Buttons, inputs, and the small parts that all views use. */
export const controls = `
button, input, select, textarea { font: inherit; color: inherit; margin: 0; }
button {
  padding: 2px 8px; min-height: 24px; border: 1px solid var(--line-strong); border-radius: 3px;
  background: var(--raised); cursor: pointer; white-space: nowrap;
}
button:hover:not(:disabled) { background: var(--seal-soft); border-color: var(--seal); }
button:disabled { color: var(--soft); border-color: var(--line); cursor: default; }
button.primary { background: var(--seal); border-color: var(--seal); color: var(--on-seal); font-weight: 600; min-width: 64px; }
button.primary:hover:not(:disabled) { background: var(--seal); filter: brightness(1.12); }
button.primary:disabled { background: var(--sunken); color: var(--soft); border-color: var(--line); }
button.primary:focus-visible, button.danger:focus-visible { outline-offset: 2px; }
button.danger:not(:disabled) { border-color: var(--bad); color: var(--bad); }
button.danger:hover:not(:disabled) { background: var(--bad); border-color: var(--bad); color: var(--paper); }
button.icon { border-color: transparent; background: none; width: 24px; padding: 0; font-size: 16px; line-height: 1; color: var(--soft); }
button.icon:hover { color: var(--ink); }
button.small { min-height: 24px; padding: 1px 6px; }
button.link {
  min-height: 0; padding: 0; border: 0; background: none; color: var(--seal); text-align: left;
  text-decoration: underline; text-underline-offset: 2px; white-space: normal; overflow-wrap: anywhere;
}
button.link:hover:not(:disabled) { background: none; text-decoration-thickness: 2px; }
button.switch { display: flex; align-items: center; gap: 6px; border-color: transparent; background: none; }
button.switch::before {
  content: ""; width: 22px; height: 12px; border: 1px solid var(--line-strong); border-radius: 7px;
  background: radial-gradient(circle at 5px 50%, var(--line-strong) 3.4px, transparent 3.9px);
}
button.switch[aria-checked="true"] { color: var(--doubt); font-weight: 600; }
button.switch[aria-checked="true"]::before {
  border-color: var(--doubt); background: radial-gradient(circle at 15px 50%, var(--paper) 3.4px, var(--doubt) 3.9px);
}

input:not([type="checkbox"], [type="radio"]), select, textarea {
  padding: 2px 6px; min-height: 24px; border: 1px solid var(--line-strong); border-radius: 3px; background: var(--raised);
}
textarea { display: block; width: 100%; resize: vertical; }
input::placeholder { color: var(--soft); opacity: 1; }
input[type="search"] { width: 190px; }
input[type="checkbox"], input[type="radio"] { accent-color: var(--seal); width: 14px; height: 14px; }
[aria-invalid="true"] { border-color: var(--bad) !important; box-shadow: 0 0 0 1px var(--bad); }
.field, .check { display: flex; align-items: center; gap: 6px; }
.field > span { color: var(--soft); }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }

.chip {
  display: inline-block; min-width: 34px; padding: 0 5px; border: 1px solid var(--tab, var(--line-strong)); border-radius: 3px;
  font-size: 11px; line-height: 15px; text-align: center; font-variant-numeric: tabular-nums; white-space: nowrap;
}
.chip[data-own] { background: var(--ink); border-color: var(--ink); color: var(--paper); }
.chip[data-hue="2"] { --tab: light-dark(#2d62d3, #6f9dff); }
.chip[data-hue="3"] { --tab: light-dark(#0c7f7b, #3fc2bd); }
.chip[data-hue="4"] { --tab: light-dark(#b36b00, #efa63a); }
.chip[data-hue="5"] { --tab: light-dark(#9446c4, #c891f7); }
.chip[data-hue="0"] { --tab: light-dark(#b8281f, #ff8a80); }

.outcome { display: flex; gap: 6px; min-width: 0; }
.outcome .mark { flex: none; width: 1em; text-align: center; font-weight: 700; }
.outcome .text { overflow: hidden; text-overflow: ellipsis; }
[data-tone="good"] > .mark, .number[data-tone="good"] { color: var(--good); }
[data-tone="replay"] > .mark { color: var(--seal); }
[data-tone="bad"] { color: var(--bad); }
[data-tone="doubt"] { color: var(--doubt); }
[data-tone="waiting"] > .mark { color: var(--approval); }
[data-tone="running"] > .mark { color: var(--execute); }

.facts { margin: 8px 0 0; }
.facts > div { display: grid; grid-template-columns: 92px 1fr; gap: 8px; padding: 2px 0; }
.facts dt { color: var(--soft); }
.facts dd { min-width: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
`;
