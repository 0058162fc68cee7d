/** The tools, their form and what agents trip over. */
export const tools = `
.tools .row { grid-template-columns: minmax(100px, 1fr) minmax(0, 0.8fr) 60px; }
.tools .row.head > :nth-child(3) { text-align: right; }
.tools-view .list { flex: 0 1 340px; min-width: 220px; }
.tools-view .split:not([data-open]) .list { flex: 1; }
.tools-view .detail { flex: 1; width: auto; min-width: 0; padding: 10px 16px 16px; }

.tool header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 10px; padding-right: 28px; }
.tool .status { color: var(--soft); }
.description { margin-top: 4px; max-width: 72ch; }
.tags { display: flex; flex-wrap: wrap; gap: 4px; margin-top: 6px; }
.tags li { padding: 0 6px; border: 1px solid var(--line-strong); border-radius: 3px; font-size: 11px; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 28px; }

.controls { display: grid; gap: 9px; min-width: 0; }
fieldset.controls { padding: 2px 0 2px 10px; border-left: 2px solid var(--line); }
fieldset.controls > legend { font-weight: 600; }
.control { display: grid; gap: 2px; min-width: 0; }
.control input, .control select { width: 100%; min-width: 0; }
.label { display: flex; justify-content: space-between; gap: 8px; }
.label label { font-family: var(--mono); font-size: 11.5px; font-weight: 600; }
.type, .hint { color: var(--soft); }
.hint:empty, .fault:empty { display: none; }
.fault { color: var(--bad); }
.call { display: grid; gap: 10px; }
.call > .actions { position: sticky; bottom: -16px; padding: 6px 0; background: var(--raised); z-index: 1; }
.items { display: grid; gap: 9px; }
.items:empty { display: none; }
.result { display: grid; gap: 6px; padding: 8px 10px; border: 1px solid var(--line); border-radius: 3px; background: var(--sunken); }
.result .data { max-height: 240px; overflow: auto; }

.ready { color: var(--good); }
.findings { display: grid; gap: 8px; }
.findings li { padding-left: 8px; border-left: 2px solid var(--doubt); }
.findings .code { font-weight: 600; color: var(--doubt); margin-right: 8px; }
.findings .path { color: var(--soft); overflow-wrap: anywhere; }
.schema { margin-top: 14px; }
.schema summary { cursor: pointer; color: var(--soft); font-weight: 600; }
.schema pre { margin-top: 5px; padding: 8px 10px; border: 1px solid var(--line); border-radius: 3px; background: var(--sunken); max-height: 320px; overflow: auto; }

@container (max-width: 980px) {
  .columns { grid-template-columns: minmax(0, 1fr); }
}
@container (max-width: 720px) {
  .tools-view .list { flex: 1; }
}
`;
