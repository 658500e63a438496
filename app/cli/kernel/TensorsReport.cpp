// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/TensorsReport.h"

#include "app/cli/Output.h"
#include "core/quantities/Quantities.h"
#include "core/verify/LastWriter.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <sstream>

namespace kernelarium::cli {

namespace {

using tensorview::Answer;
using tensorview::Role;

constexpr std::size_t mostListed = 20; ///< elements and stores

std::string lineOfSource(const std::string& source, int line) {
    std::istringstream lines(source);
    std::string text;
    for (int i = 0; i < line; ++i)
        if (!std::getline(lines, text)) return {};
    const std::size_t start = text.find_first_not_of(" \t");
    return line > 0 && start != std::string::npos ? text.substr(start) : std::string();
}

/// Six digits tell neighbours apart and keep columns narrow.
std::string valueText(double value) {
    return fmt::format("{:.6g}", value);
}

void addTensors(std::string& out, const Answer& a, const tensorview::Subject& asked) {
    using Align = TextTable::Align;
    TextTable table({{"tensor"}, {"name"}, {"type"}, {"shape"}, {"elements", Align::right}});
    for (const tensorview::Entry& e : a.tensors)
        table.add({tensorview::toString(e.subject) + (e.subject == asked ? " *" : ""), e.name,
                   std::string(tensor::name(e.dtype)), tensor::toString(e.shape),
                   quantities::count(double(tensor::elementCount(e.shape)))});
    out += "\n" + table.text();
}

void addStatistics(std::string& out, const tensorview::Statistics& s, const tensor::Shape& shape) {
    out += fmt::format("  elements    {}: {} NaN, {} infinite, {} zero\n", quantities::count(double(s.elements)),
                       s.nans, s.infinities + s.negativeInfinities, s.zeros);
    if (!s.finite) {
        out += s.elements ? "  range       no element is finite\n" : "  range       there are no elements\n";
        return;
    }
    const auto& f = *s.finite;
    out += fmt::format("  range       {} at {} to {} at {}\n", valueText(f.smallest),
                       tensor::toString(tensorview::indexOf(f.smallestAt, shape)), valueText(f.largest),
                       tensor::toString(tensorview::indexOf(f.largestAt, shape)));
    out += fmt::format("  mean        {}, standard deviation {}, RMS {}\n", valueText(f.mean), valueText(f.deviation),
                       valueText(f.rms));
}

void addHistogram(std::string& out, const tensorview::Histogram& h) {
    out += "\nHistogram\n";
    if (h.counts.empty()) {
        out += "  no element is finite\n";
        return;
    }
    constexpr double widest = 48;
    const auto most = double(std::max<std::int64_t>(1, *std::max_element(h.counts.begin(), h.counts.end())));
    const double width = h.high / double(h.counts.size()) - h.low / double(h.counts.size());
    for (std::size_t k = 0; k < h.counts.size(); ++k) {
        const double share = double(h.counts[k]) / most * widest;
        // What is not empty has a mark.
        const auto marks = std::size_t(h.counts[k] ? std::max(1.0, std::round(share)) : 0);
        out += fmt::format("  {:>12}  {:<48}  {}\n", valueText(h.low + double(k) * width), std::string(marks, '#'),
                           h.counts[k]);
    }
    out += fmt::format("  {:>12}\n", valueText(h.high));
    if (h.below || h.above) out += fmt::format("  {} below, {} above\n", h.below, h.above);
    if (h.notFinite) out += fmt::format("  {} not finite\n", h.notFinite);
}

void addSlice(std::string& out, const tensorview::Slice& s, const tensor::Shape& shape) {
    out += fmt::format("\nSlice {}\n", tensorview::toString(s, shape));
    if (s.values.empty()) {
        out += "  has no elements\n";
        return;
    }
    if (s.rowStep > 1 || s.columnStep > 1)
        out += fmt::format("  a cell stands for {} x {} elements\n", s.rowStep, s.columnStep);
    using Align = TextTable::Align;
    std::vector<TextTable::Column> columns{{"", Align::right}};
    for (std::int64_t c = 0; c < s.columns; ++c)
        columns.push_back({std::to_string(s.firstColumn + c * s.columnStep), Align::right});
    TextTable table(std::move(columns));
    for (std::int64_t r = 0; r < s.rows; ++r) {
        std::vector<std::string> cells{std::to_string(s.firstRow + r * s.rowStep)};
        for (std::int64_t c = 0; c < s.columns; ++c)
            cells.push_back(s.exact.empty() ? valueText(s.value(r, c))
                                            : std::to_string(s.exact[std::size_t(r * s.columns + c)]));
        table.add(std::move(cells));
    }
    out += table.text();
}

void addWrong(std::string& out, const tensorview::WrongElements& w, const tensor::Shape& shape) {
    out += fmt::format("\nWrong elements: {} of {}\n", quantities::count(double(w.wrong)),
                       quantities::count(double(w.elements)));
    if (w.worst.empty()) return;
    using Align = TextTable::Align;
    TextTable table(
        {{"index"}, {"got", Align::right}, {"expected", Align::right}, {"times the tolerance", Align::right}});
    for (const tensorview::WrongElement& e : w.worst)
        table.add({tensor::toString(tensorview::indexOf(e.element, shape)), fmt::format("{:.9g}", e.got),
                   fmt::format("{:.9g}", e.expected), std::isfinite(e.excess) ? quantities::number(e.excess) : "-"});
    out += table.text();
    if (w.wrong > std::int64_t(w.worst.size()))
        out += fmt::format("and {} more; --worst shows up to {}\n",
                           quantities::count(double(w.wrong - std::int64_t(w.worst.size()))),
                           tensorview::WrongElements::mostElements);
}

void addStory(std::string& out, const tensorview::Story& s, const std::string& source) {
    out += fmt::format("\nElement {}: {:.9g}{}\n", tensor::toString(s.index), s.value,
                       s.expected ? fmt::format(", expected {:.9g}", *s.expected) : "");
    if (s.writer.kind == verify::WriterInfo::Kind::never) {
        out += "  was never written\n";
        return;
    }
    out += fmt::format("  last written by {}\n", verify::describe(s.writer));
    if (const std::string text = lineOfSource(source, s.writer.line); !text.empty())
        out += fmt::format("      line {}: {}\n", s.writer.line, text);
    if (s.history.stores < 2) return;
    out += fmt::format("  all {}\n", quantities::counted(double(s.history.stores), "store"));
    const auto& list = s.history.list;
    const std::size_t first = list.size() > mostListed ? list.size() - mostListed : 0;
    if (first || s.history.stores > list.size())
        out += fmt::format("      {} earlier ones\n", s.history.stores - (list.size() - first));
    for (std::size_t k = first; k < list.size(); ++k)
        out += fmt::format("      {} -> {}  {}\n", valueText(list[k].before),
                           valueText(k + 1 < list.size() ? list[k + 1].before : s.value),
                           verify::describe(list[k].writer));
}

void addWritten(std::string& out, const tensorview::Written& w, const tensor::Shape& shape) {
    out += fmt::format("\nElements that such a store wrote last: {}", quantities::count(double(w.found.count)));
    if (w.count < tensor::elementCount(shape))
        out += fmt::format(" among the {} from {} on", quantities::count(double(w.count)),
                           tensor::toString(tensorview::indexOf(w.first, shape)));
    out += "\n";
    for (std::size_t k = 0; k < std::min(w.found.elements.size(), mostListed); ++k)
        out += fmt::format("  {}\n", tensor::toString(tensorview::indexOf(w.found.elements[k], shape)));
    if (w.found.count > std::int64_t(mostListed) && w.found.last)
        out += fmt::format("  ... to {}\n", tensor::toString(tensorview::indexOf(*w.found.last, shape)));
}

} // namespace

std::string tensorsText(const Answer& a, const tensorview::Query& query, const std::string& label,
                        const std::string& source) {
    std::string out = fmt::format("{}\n  on          {}, {} size, seed {}\n", label, a.backend, a.size, a.seed);
    if (a.end != "finished") out += fmt::format("  ended       {}: {}\n", a.end, a.reason);
    if (!a.whyNoReference.empty()) out += fmt::format("  reference   {}\n", a.whyNoReference);
    addTensors(out, a, query.subject);
    const tensorview::Entry* entry = a.find(query.subject);
    const tensorview::Entry* output = a.find({Role::output, query.subject.number});
    const tensor::Shape shape = entry ? entry->shape : tensor::Shape();
    const tensorview::Entry* difference = a.find({Role::difference, query.subject.number});
    const tensor::Shape judged = difference ? difference->shape : shape;
    if (a.statistics) {
        out += fmt::format("\n{}\n", tensorview::toString(query.subject));
        addStatistics(out, *a.statistics, shape);
    }
    if (a.slice) addSlice(out, *a.slice, shape);
    if (a.histogram) addHistogram(out, *a.histogram);
    if (a.wrong) addWrong(out, *a.wrong, judged);
    if (a.story) addStory(out, *a.story, source);
    if (a.written) addWritten(out, *a.written, output ? output->shape : shape);
    return printable(out);
}

} // namespace kernelarium::cli
