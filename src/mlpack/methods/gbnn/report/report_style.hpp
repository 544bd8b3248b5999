/**
 * @file methods/gbnn/report/report_style.hpp
 *
 * How a page about a model looks.
 *
 * mlpack is free software; you may redistribute it and/or modify it under the
 * terms of the 3-clause BSD license.  You should have received a copy of the
 * 3-clause BSD license along with mlpack.  If not, see
 * http://www.opensource.org/licenses/BSD-3-Clause for more information.
 */
#ifndef MLPACK_METHODS_GBNN_REPORT_REPORT_STYLE_HPP
#define MLPACK_METHODS_GBNN_REPORT_REPORT_STYLE_HPP

#include <mlpack/prereqs.hpp>

namespace mlpack {
namespace gbnn {

//! The style sheet: light and dark colors, and boxes that scroll where a screen
//! is too narrow for what is in them.
inline constexpr const char* reportStyle = R"CSS(
:root { color-scheme: light dark; --page: #ffffff; --ink: #1c1e21;
  --soft: #5b6168; --line: #d5d9de; --shade: #1f6feb33; --c0: #1f6feb;
  --c1: #b4540a; --c2: #1a7f37; --c3: #8250df; --c4: #a40e26; --c5: #0a7a83; }
@media (prefers-color-scheme: dark) { :root { --page: #14171a; --ink: #e6e8ea;
  --soft: #a3abb3; --line: #3a4046; --shade: #6ea8fe40; --c0: #6ea8fe;
  --c1: #f0a05a; --c2: #6cc984; --c3: #c4a3ff; --c4: #ff8f9a; --c5: #5fd0d8; } }
body { background: var(--page); color: var(--ink); margin: 0;
  font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 54rem; margin: 0 auto; padding: 1rem; }
h1, h2, h3, p, figcaption, caption, .bars th, .facts td {
  overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
h3 { font-size: 1.05rem; margin: 1.5rem 0 0.5rem; }
p, figcaption, caption { color: var(--soft); }
caption { text-align: left; padding-bottom: 0.3rem;
  max-width: calc(100vw - 3rem); }
figure { margin: 1rem 0; } svg { display: block; width: 100%; height: auto; }
.axis { margin: 0.2rem 0; font-size: 0.85rem; }
.across { text-align: right; }
svg.plot { min-width: 34rem; } figure.plot { max-width: 46rem; }
svg.square { min-width: 22rem; } figure.square { max-width: 30rem; }
svg text { fill: var(--ink); font-size: 13px; }
.mid { text-anchor: middle; } .end { text-anchor: end; }
.grid { stroke: var(--line); } .mark { stroke: var(--ink);
  stroke-dasharray: 4 3; } .whisker { stroke: var(--ink); }
polyline { fill: none; stroke-width: 2; }
.s0 { stroke: var(--c0); } .s1 { stroke: var(--c1); } .s2 { stroke: var(--c2); }
.s3 { stroke: var(--c3); } .s4 { stroke: var(--c4); } .s5 { stroke: var(--c5); }
.s1 { stroke-dasharray: 9 3; } .s2 { stroke-dasharray: 3 3; }
.s3 { stroke-dasharray: 9 3 3 3; } .s4 { stroke-dasharray: 14 5; }
.s5 { stroke-dasharray: 2 6; }
circle { fill-opacity: 0.55; }
.d0 { fill: var(--c0); } .d1 { fill: var(--c1); } .d2 { fill: var(--c2); }
.d3 { fill: var(--c3); } .d4 { fill: var(--c4); } .d5 { fill: var(--c5); }
.entry { display: inline-block; margin-right: 1.2em; }
.key { display: inline; width: 2.2em; height: 0.5em; }
.key line { stroke-width: 2; }
.wide { overflow-x: auto; margin: 1rem 0; } figure .wide { margin: 0; }
table { border-collapse: collapse; } th, td { padding: 0.2rem 0.7rem;
  border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td.text { text-align: left; } td.right { font-weight: bold; }
.numbers th, .numbers td { min-width: 3.5rem; }
.numbers th { overflow-wrap: break-word; max-width: 16rem; }
.numbers td { white-space: nowrap; }
.numbers td[colspan] { white-space: normal; min-width: 14rem; }
.columns th:nth-child(2) { text-align: left; }
.facts th { width: 9rem; vertical-align: top; } .facts { width: 100%; }
.bars { width: 100%; table-layout: fixed; margin: 1rem 0; }
.bars th, .bars td { border: 0; padding: 0.1rem 0.4rem;
  line-height: 1.3; font-weight: normal; }
.bars th { width: 32%; text-align: right; } .bars td.value { width: 4.8rem;
  text-align: left; } .bar { height: 1.1rem; }
summary { cursor: pointer; }
td.share { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
@media (max-width: 40rem) { .facts th { width: 7rem; }
  th, td { padding: 0.2rem 0.4rem; } .bars th { width: 40%; } }
)CSS";

} // namespace gbnn
} // namespace mlpack

#endif
