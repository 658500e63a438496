// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kernelarium::session {

/// The report's looks. Meaning never rests on colour alone: marks have shapes, changed lines have signs.
constexpr const char* reportStyle = R"css(
:root { color-scheme: light dark; --text: #1d2125; --muted: #5b6470; --ground: #ffffff; --line: #d5d9de;
  --added: #e2f5e6; --removed: #fde7e7; --archived: #0072b2; --measured: #1f7a4d; --modelled: #9a5b00;
  --wrong: #b3261e; --ok: #1f7a4d; }
@media (prefers-color-scheme: dark) { :root { --text: #e3e6ea; --muted: #9aa4b0; --ground: #16191d; --line: #343a42;
  --added: #173523; --removed: #432022; --archived: #6fb7e9; --measured: #62c793; --modelled: #e6a94c;
  --wrong: #ff8a80; --ok: #62c793; } }
body { background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; max-width: 72rem;
  margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
small, .muted, u { color: var(--muted); } u { text-decoration: none; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; color: var(--muted); font-weight: 500; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .75rem .3rem 0; vertical-align: top; }
td.number, th.number { text-align: right; }
.verdict { white-space: nowrap; font-weight: 600; } .verdict.verified { color: var(--ok); }
.verdict.wrong, .verdict.fault, .verdict.compile_error, .verdict.launch_error, .verdict.timeout { color: var(--wrong); }
.mark { display: inline-block; width: .6em; height: .6em; border-radius: 50%; border: 2px solid currentColor;
  margin-right: .4em; vertical-align: baseline; }
.archived { color: var(--archived); } .measured { color: var(--measured); background: currentColor; }
.modelled { color: var(--modelled); border-style: dashed; }
.notes { white-space: pre-wrap; border-left: 3px solid var(--line); padding-left: .75rem; }
pre { font: 13px/1.45 ui-monospace, monospace; overflow-x: auto; border: 1px solid var(--line); padding: .5rem 0;
  margin: .25rem 0; } pre span { display: block; padding: 0 .75rem; white-space: pre; min-height: 1.45em; }
.added { background: var(--added); } .removed { background: var(--removed); } .place { color: var(--muted); }
img { max-width: 100%; background: #ffffff; }
@media print { :root { --text: #000; --muted: #444; --ground: #fff; --line: #bbb; --added: #eee; --removed: #fff;
  --archived: #000; --measured: #000; --modelled: #000; --wrong: #000; --ok: #000; }
  body { margin: 0; max-width: none; } pre span { white-space: pre-wrap; } h2 { break-after: avoid; }
  tr, img { break-inside: avoid; } details > * { display: block; } }
)css";

} // namespace kernelarium::session
