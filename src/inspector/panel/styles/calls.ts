/** The waterfall. */
export const calls = `
.calls .row { grid-template-columns: 44px minmax(90px, 170px) minmax(104px, 150px) 64px minmax(160px, 1fr); }
.calls .row.head > :nth-child(4) { text-align: right; }
.axis, .track { position: relative; height: 100%; margin: 0 12px 0 6px; overflow: visible !important; }
.axis { overflow: hidden !important; }
.tick { position: absolute; bottom: 3px; padding-left: 4px; border-left: 1px solid var(--line-strong); font-variant-numeric: tabular-nums; line-height: 12px; }
.fold { position: absolute; top: 0; bottom: 0; width: 7px; transform: translateX(-50%);
  background: repeating-linear-gradient(115deg, transparent 0 2px, var(--line-strong) 2px 3px); }

.bar[data-doing], .swatch[data-doing] { background: var(--doing); }
i.bar { position: absolute; top: 7px; height: 10px; min-width: 2px; padding: 0; border: 0; display: block; }
[data-doing="check"] { --doing: var(--check); }
[data-doing="approval"] { --doing: var(--approval); }
[data-doing="wait"] { --doing: var(--wait); }
[data-doing="execute"] { --doing: var(--execute); }
[data-doing="recover"] { --doing: var(--recover); }
[data-doing="verify"] { --doing: var(--verify); }
[data-doing="settle"] { --doing: var(--settle); }
i.bar[data-doing="check"], i.bar[data-doing="settle"] { top: 10px; height: 4px; }
[data-doing="wait"] { background: repeating-linear-gradient(90deg, var(--doing) 0 2px, transparent 2px 5px) !important; }
i.bar[data-doing="wait"] { top: 9px; height: 6px; }
[data-doing="approval"] { background: repeating-linear-gradient(135deg, var(--doing) 0 3px, color-mix(in srgb, var(--doing) 45%, transparent) 3px 6px) !important; }
i.bar[data-end]::after, i.bar[data-open]::after {
  content: ""; position: absolute; top: 50%; right: -4px; width: 7px; height: 7px; transform: translateY(-50%); border-radius: 50%;
}
i.bar[data-end="succeeded"]::after { display: none; }
i.bar[data-end="failed"]::after { background: var(--bad); border-radius: 1px; transform: translateY(-50%) rotate(45deg); }
i.bar[data-end="outcome_unknown"]::after { border: 2px solid var(--doubt); background: var(--paper); }
i.bar[data-open]::after { background: var(--doing); width: 5px; height: 5px; right: -6px; }

.ties { position: absolute; top: 0; overflow: hidden; pointer-events: none; z-index: 1; fill: none; stroke: var(--seal); stroke-width: 1.25; }
.ties [data-kind="replay"] { stroke-dasharray: 2 3; }

.bands { position: absolute; top: 0; bottom: 0; }
.bands .fold { background: var(--sunken); }
.legend { display: flex; flex-wrap: wrap; gap: 2px 10px; margin-left: auto; color: var(--soft); }
.legend li { display: flex; align-items: center; gap: 5px; }
.swatch { flex: none; width: 10px; height: 8px; }

.stages li { display: grid; grid-template-columns: 10px 1fr auto; align-items: center; gap: 8px; padding: 1.5px 0; }
.stages .number { color: var(--soft); }

@container (max-width: 720px) {
  .calls .row { grid-template-columns: 44px minmax(70px, 1fr) minmax(84px, 1fr) minmax(110px, 1.4fr); column-gap: 8px; }
  .calls .row > :nth-child(4) { display: none; }
}
`;
