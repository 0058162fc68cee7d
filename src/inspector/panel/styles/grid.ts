/** Lists of which only the visible rows exist. */
export const grid = `
.grid { flex: 1; overflow: auto; min-height: 0; overflow-anchor: none; contain: strict; }
.grid:focus-visible { outline: none; }
.list:has(> .grid:focus-visible)::after { content: ""; position: absolute; inset: 0; z-index: 3; border: 2px solid var(--seal); pointer-events: none; }
.grid .head-group { position: sticky; top: 0; z-index: 2; }
.row { display: grid; align-items: center; height: 24px; padding: 0 10px; column-gap: 10px; }
.row > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
.row.head { background: var(--sunken); border-bottom: 1px solid var(--line); color: var(--soft); font-size: 11px; }
.rows { position: relative; contain: layout style; }
.rows > .row { position: absolute; inset: 0 0 auto 0; cursor: default; }
.rows > .row:hover { background: var(--sunken); }
.rows > .row[aria-selected="true"] { background: var(--seal-soft); box-shadow: inset 2px 0 var(--seal); }
.row > .number { text-align: right; font-variant-numeric: tabular-nums; }
`;
