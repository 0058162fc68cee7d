/** The keys, what is asked before they change, and the profile. */
export const keys = `
.keys .row { grid-template-columns: 116px minmax(120px, 2.4fr) minmax(80px, 1fr) 76px 52px 52px 52px; }
.keys .row.head > :nth-child(n + 5) { text-align: right; }
.footer { margin-top: 14px; }
.data { max-height: 240px; overflow: auto; padding: 8px 10px; border: 1px solid var(--line); border-radius: 3px; background: var(--sunken); }

.notice { flex: none; padding: 5px 10px; border-top: 1px solid var(--line); background: var(--seal-soft); }
.notice:empty { display: none; }
.notice[role="alert"] { border: 0; border-bottom: 1px solid var(--line); background: var(--sunken); color: var(--bad); }

dialog {
  width: min(460px, calc(100vw - 32px)); padding: 16px 18px; border: 1px solid var(--line-strong); border-radius: 4px;
  background: var(--raised); color: var(--ink); font: 12px/1.5 var(--font);
}
dialog::backdrop { background: rgb(0 0 0 / 35%); }
dialog > * + * { margin-top: 10px; }
dialog .actions { justify-content: flex-end; margin-top: 14px; }
dialog code { overflow-wrap: anywhere; }
.resolution { display: grid; gap: 8px; }
.resolution input[type="text"] { width: 100%; }

.sheet { flex: 1; display: grid; grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)); align-content: start; gap: 8px 32px; padding: 12px 14px; overflow: auto; }
.sheet > .notice { grid-column: 1 / -1; }
.sheet button { margin-top: 8px; }

@container (max-width: 720px) {
  .keys .row { grid-template-columns: 100px minmax(100px, 1fr) 44px; column-gap: 8px; }
  .keys .row > :nth-child(n + 3):nth-child(-n + 6) { display: none; }
  .toolbar input[type="search"] { width: 130px; }
}
`;
