import { createHash } from 'node:crypto';

/** The whole style of the page: light or dark as the reader has it, narrow enough for a phone, and fit to be printed. */
export const STYLE = `
:root { color-scheme: light dark; --paper: #fdfdfb; --ink: #1c2126; --muted: #5a636b; --line: #d9dcd8; --panel: #f3f4f1; --accent: #1b6ca8; --second: #a8521e; --good: #1f6f43; --warn-paper: #fff3d6; --warn-ink: #6b4400; --heat: #1b6ca8; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14181c; --ink: #e6e8e6; --muted: #9aa4ac; --line: #333a41; --panel: #1c2227; --accent: #63b0ea; --second: #eb9a64; --good: #6fce9b; --warn-paper: #3a2d10; --warn-ink: #f3d28a; --heat: #2f79b5; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.4rem 0 .5rem; padding-top: .6rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
p { margin: .4rem 0; max-width: 46rem; }
ul { margin: .4rem 0; padding-left: 1.2rem; max-width: 46rem; }
.muted, figcaption, caption { color: var(--muted); font-size: .875rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .5rem; margin: 1rem 0; padding: 0; }
.facts div { background: var(--panel); border-radius: .4rem; padding: .5rem .7rem; }
.facts dt { color: var(--muted); font-size: .8rem; }
.facts dd { margin: 0; font-size: 1.15rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.warn { background: var(--warn-paper); color: var(--warn-ink); border-radius: .4rem; padding: .6rem .8rem; margin: .6rem 0; max-width: none; }
.scroll { overflow-x: auto; margin: .5rem 0; }
.fit { margin: .5rem 0; }
.fit svg { width: 100%; max-width: 34rem; height: auto; }
figure { margin: .8rem 0; }
table { border-collapse: collapse; font-size: .9rem; }
caption { text-align: left; padding-bottom: .3rem; }
th, td { text-align: left; padding: .25rem .7rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--muted); font-size: .82rem; }
tbody th { color: var(--ink); font-size: .9rem; font-weight: 500; }
td:not(.n) { min-width: 6.5rem; max-width: 26rem; overflow-wrap: break-word; }
tbody th { max-width: 20rem; overflow-wrap: break-word; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td small, th small { color: var(--muted); display: block; white-space: nowrap; font-weight: 400; }
small.about { white-space: normal; }
.flow { display: flex; flex-wrap: wrap; gap: 0 2.5rem; }
.flow .scroll { max-width: 100%; }
caption { max-width: 24rem; }
svg { display: block; font: 13px system-ui, sans-serif; fill: var(--ink); }
svg .muted { fill: var(--muted); font-size: 12px; }
svg .line { stroke: var(--line); }
svg .axis { stroke: var(--muted); }
svg .heat { fill: var(--heat); stroke: var(--line); }
svg .none { fill: var(--panel); stroke: var(--line); }
.c0 { stroke: var(--ink); fill: var(--ink); } .c1 { stroke: var(--accent); fill: var(--accent); } .c2 { stroke: var(--second); fill: var(--second); }
.c3 { stroke: var(--good); fill: var(--good); } .c4 { stroke: #8d5bb5; fill: #8d5bb5; } .c5 { stroke: #b5485d; fill: #b5485d; } .c6 { stroke: #7a7d1c; fill: #7a7d1c; }
.band { stroke: none; opacity: .13; }
.open { fill: none; }
svg text { stroke: none; }
a { color: var(--accent); }
svg a:focus rect, svg a:hover rect { stroke: var(--ink); stroke-width: 2; }
.games:not(:target) { display: none; }
:target { scroll-margin-top: 1rem; }
tr:has(:target) { background: var(--panel); }
@media (max-width: 40rem) {
  .wide table, .wide caption, .wide tbody, .wide tr, .wide tbody th { display: block; max-width: none; }
  .wide thead { display: none; }
  .wide tr { border-bottom: 1px solid var(--line); padding: .35rem 0; }
  .wide td, .wide td.n { display: flex; justify-content: flex-end; align-items: baseline; border: 0; padding: .1rem 0; text-align: right; white-space: normal; min-width: 0; max-width: none; }
  .wide tbody th { border: 0; padding: .1rem 0; }
  .wide td:empty { display: none; }
  .wide td::before { content: attr(data-head); color: var(--muted); font-size: .82rem; text-align: left; margin-right: auto; padding-right: 1rem; flex: none; }
  .wide td small { display: inline; margin-left: .5rem; }
}
@media print { body { max-width: none; } .scroll { overflow: visible; } h2 { break-after: avoid; } figure, tr { break-inside: avoid; } }
`;

/** The style as a content security policy permits it: by its hash, in quotes. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;
