/* SPDX-License-Identifier: MIT */
/*
 * How the page looks. Colour is never the only sign; light and dark are the reader's choice; on
 * paper nothing is closed, coloured or cut off at the edge.
 */
#include "report.h"

/* clang-format off: a rule begins a line */
const char *const report_style[] = {
    ":root{color-scheme:light dark;--text:#1b1f24;--soft:#57606a;--page:#fff;"
    "--panel:#f6f8fa;--line:#d0d7de;--good:#1a7f37;--bad:#b42318;--bad-bg:#fff1ef;"
    "--mark:#ffd8a8;--warn:#8a5a00}",
    "@media(prefers-color-scheme:dark){:root{--text:#e6edf3;--soft:#9aa4af;"
    "--page:#0f1419;--panel:#171d24;--line:#30373f;--good:#4cc26a;--bad:#ff8a7a;"
    "--bad-bg:#2d1715;--mark:#6e3c00;--warn:#e3b341}}",
    "*{box-sizing:border-box}",
    "body{margin:0 auto;padding:2rem 1.25rem 4rem;max-width:76rem;color:var(--text);"
    "background:var(--page);font:1rem/1.55 system-ui,-apple-system,\"Segoe UI\","
    "\"DejaVu Sans\",sans-serif}",
    "code,pre,.sides td,dd{font-family:ui-monospace,\"Cascadia Mono\",Menlo,"
    "\"DejaVu Sans Mono\",monospace;font-size:.875em}",
    "header{border-left:.4rem solid var(--warn);padding:.1rem 0 .1rem 1.1rem}",
    "header.same{border-color:var(--good)}",
    "header.diverged{border-color:var(--bad)}",
    "h1{font-size:2rem;line-height:1.15;margin:0}",
    "header.same h1{color:var(--good)}",
    "header.diverged h1{color:var(--bad)}",
    "h1::first-letter{text-transform:uppercase}",
    ".tool{margin:0;color:var(--soft)}",
    ".lead{margin:.4rem 0 0;font-size:1.125rem;max-width:48rem;overflow-wrap:anywhere}",
    "h2{font-size:1.25rem;line-height:1.3;margin:2.5rem 0 .6rem;overflow-wrap:anywhere}",
    ".lead::first-letter{text-transform:uppercase}",
    "h3{font-size:1rem;margin:1.4rem 0 .4rem}",
    "ol{margin:0;padding-left:1.4rem}",
    "td.reference{color:var(--soft)}",
    "p,li{max-width:48rem;overflow-wrap:anywhere}",
    ".kind{margin:.3rem 0 .8rem;max-width:none}",
    ".kind span,.note,small{color:var(--soft)}",
    ".scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.5rem}",
    "table{border-collapse:collapse;width:100%}",
    "th,td{text-align:left;vertical-align:top;padding:.4rem .7rem}",
    "thead th{background:var(--panel);border-bottom:1px solid var(--line);"
    "font-weight:600;overflow-wrap:anywhere}",
    "tbody tr+tr>*{border-top:1px solid var(--line)}",
    "tbody th{font-weight:600;white-space:nowrap}",
    ".runs td small{display:block}",
    ".runs td.plain small{font-size:1em}",
    ".runs td{white-space:nowrap}",
    ".runs tr.bad th,.answers tr.bad th{color:var(--bad)}",
    ".number{text-align:right;font-variant-numeric:tabular-nums}",
    "td.same{color:var(--good)}",
    "td.differs{color:var(--bad)}",
    "td.first{color:var(--bad);background:var(--bad-bg);font-weight:700;"
    "box-shadow:inset 0 0 0 2px var(--bad)}",
    ".fit{width:fit-content;max-width:100%}",
    ".sides{table-layout:fixed;min-width:40rem}",
    ".sides col.n{width:4.2rem}",
    ".sides col.sign{width:2rem}",
    ".sides tr+tr>*{border:0}",
    ".sides td{padding:.1rem .6rem;white-space:pre-wrap;overflow-wrap:anywhere}",
    ".sides td.n{color:var(--soft);text-align:right;user-select:none}",
    ".sides .sign{text-align:center;padding:.1rem 0;font-weight:700;color:var(--bad);"
    "background:var(--panel)}",
    ".sides thead th{padding:.4rem .6rem}",
    ".sides thead small{font-weight:400;margin-left:.5rem}",
    ".sides .changed,.sides .alone{background:var(--bad-bg)}",
    ".sides .none{background:var(--panel)}",
    ".sides .gap td{color:var(--soft);text-align:center;font-style:italic;"
    "background:var(--panel);font-family:inherit}",
    "mark{background:var(--mark);color:inherit;border-radius:.15rem;"
    "border-bottom:2px solid var(--bad)}",
    "mark.end,.cut{font-style:italic;margin:0 .3em}",
    ".cut{color:var(--soft)}",
    "td i{font-style:normal;color:var(--warn)}",
    ".hex td{font-size:.7rem;padding:.1rem .35rem}",
    ".hex b{display:inline-block;font-weight:400;color:var(--soft)}",
    ".strip{display:block;width:100%;min-width:8rem;height:2.4rem;background:var(--panel)}",
    ".lines{table-layout:fixed;min-width:40rem}",
    ".lines th:first-child{width:14rem;overflow-wrap:anywhere;white-space:normal}",
    ".lines td small{display:block}",
    ".k0,.k7{fill:#6e7781}",
    ".k1{fill:#2f81f7}",
    ".k2{fill:#a371f7}",
    ".k3{fill:#3fb950}",
    ".k4,.k5{fill:#d29922}",
    ".k6{fill:#db6d28}",
    ".strip .mark{fill:var(--bad)}",
    ".lines tr.bad th{color:var(--bad)}",
    "details{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0;"
    "padding:.5rem .9rem}",
    "summary{cursor:pointer;overflow-wrap:anywhere}",
    "details[open] summary{margin-bottom:.5rem}",
    "dl{display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;"
    "gap:.15rem 1.2rem;margin:0}",
    "dt{color:var(--soft)}",
    "dd{margin:0;overflow-wrap:anywhere;padding-top:.15em}",
    "pre{background:var(--panel);border:1px solid var(--line);border-radius:.5rem;"
    "padding:.8rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere;margin:0}",
    "@media(max-width:40rem){dl{grid-template-columns:1fr}dd{margin-bottom:.5rem}}",
    "@media print{:root{--text:#000;--soft:#444;--page:#fff;--panel:#fff;--line:#999;"
    "--good:#000;--bad:#000;--bad-bg:#fff;--mark:#ddd;--warn:#000}",
    "body{max-width:none;padding:0;font-size:10pt}.scroll{overflow:visible}.sides{"
    "min-width:0}.sides col.n{width:2.6rem}h2{break-after:avoid}tr{break-inside:avoid}"
    "details::details-content{content-visibility:visible;display:block}}",
    NULL};
