/** The panel's frame: where it lies, its bar and the heads of its views. */
export const frame = `
:host { display: block; height: 100%; min-height: 280px; }
:host([data-docked]) { min-height: 0; }
:host([data-docked]) {
  position: fixed; inset: auto 0 0 0; z-index: 2147483646;
  height: var(--height); max-height: calc(100vh - 40px);
}
:host([data-docked][data-folded]) { height: auto; }
:host([data-folded]) .view, :host([data-folded]) .grip { display: none; }

.panel {
  display: flex; flex-direction: column; position: relative; height: 100%; overflow: hidden;
  container-type: inline-size;
  font: 12px/1.45 var(--font); color: var(--ink); background: var(--paper);
  -webkit-font-smoothing: antialiased;
}
:host([data-docked]) .panel { border-top: 1px solid var(--line-strong); }
:host([data-docked][data-folded]) .panel { height: 34px; }

.grip {
  position: absolute; inset: 0 0 auto 0; height: 6px; z-index: 3;
  cursor: ns-resize; touch-action: none;
}
.grip:hover { background: var(--seal-soft); }
.grip:focus-visible { background: var(--seal); outline: none; }

.bar {
  display: flex; align-items: stretch; gap: 4px; flex: none; height: 33px; padding: 0 6px 0 10px;
  background: var(--sunken); border-bottom: 1px solid var(--line);
}
.bar > button { align-self: center; }
.brand { display: flex; align-items: center; gap: 6px; padding-right: 10px; font-weight: 650; letter-spacing: 0.01em; }
.seal { width: 15px; height: 15px; fill: var(--seal); }
.seal .cut { fill: none; stroke: var(--sunken); stroke-width: 1.4; }
.tabs { display: flex; }
.tabs [role="tab"] {
  display: flex; align-items: center; gap: 5px; padding: 0 10px; border: 0; border-radius: 0;
  background: none; color: var(--soft); font: inherit; cursor: pointer;
  border-bottom: 2px solid transparent; border-top: 2px solid transparent;
}
.tabs [role="tab"]:hover { color: var(--ink); }
.tabs [role="tab"][aria-selected="true"] { color: var(--ink); font-weight: 600; border-bottom-color: var(--seal); }
.count { font-variant-numeric: tabular-nums; font-weight: 400; color: var(--soft); }
.bar .summary { flex: 1; align-self: center; padding: 0 8px; text-align: right; color: var(--soft); font-variant-numeric: tabular-nums; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }

.view { flex: 1; display: flex; flex-direction: column; min-height: 0; }
.toolbar {
  display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; flex: none; padding: 5px 10px;
  border-bottom: 1px solid var(--line);
}
.toolbar .summary { color: var(--soft); font-variant-numeric: tabular-nums; }

.split { flex: 1; display: flex; min-height: 0; position: relative; }
.list { flex: 1; display: flex; flex-direction: column; position: relative; min-width: 0; }
.detail {
  position: relative; flex: none; width: 330px; padding: 10px 12px 14px; overflow: auto;
  border-left: 1px solid var(--line); background: var(--raised);
}
.detail > .close { position: absolute; top: 6px; right: 6px; }
.empty { position: absolute; inset: 40px 16px auto; text-align: center; color: var(--soft); }

@container (max-width: 720px) {
  .detail { position: absolute; inset: 0; width: auto !important; border: 0; z-index: 2; }
  .brand span { display: none; }
  .brand { padding-right: 2px; }
  .bar { gap: 0; padding: 0 4px 0 8px; }
  .tabs [role="tab"] { padding: 0 7px; }
  .bar .summary { display: none; }
  .tabs { margin-right: auto; }
  .legend { display: none !important; }
}
@container (max-width: 460px) {
  .count { display: none; }
}
`;
