// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/TensorsReport.h"

#include "app/cli/Output.h"
#include "core/quantities/Quantities.h"
#include "core/tensorview/ValueText.h"
#include "core/verify/LastWriter.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <sstream>

namespace kernelarium::cli {

namespace {

using tensorview::Answer;
using tensorview::Role;
using tensorview::valueText;

constexpr std::size_t mostListed = 20; ///< elements and stores

std::string lineOfSource(const std::string& source, int line) {
    std::istringstream lines(source);
    std::string text;
    for (int i = 0; i < line; ++i)
        if (!std::getline(lines, text)) return {};
    const std::size_t start = text.find_first_not_of(" \t");
    return line > 0 && start != std::string::npos ? text.substr(start) : std::string();
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

void addStatistics(std::string& out, const tensorview::Statistics& s, const tensor::Shape& shape, tensor::DType dtype) {
    out += fmt::format("  elements    {}: {} NaN, {} infinite, {} zero\n", quantities::count(double(s.elements)),
                       s.nans, s.infinities + s.negativeInfinities, s.zeros);
    if (!s.finite) {
        out += s.elements ? "  range       no element is finite\n" : "  range       there are no elements\n";
        return;
    }
    const auto& f = *s.finite;
    out += fmt::format("  range       {} at {} to {} at {}\n", valueText(f.smallest, dtype),
                       tensor::toString(tensorview::indexOf(f.smallestAt, shape)), valueText(f.largest, dtype),
                       tensor::toString(tensorview::indexOf(f.largestAt, shape)));
    out += fmt::format("  mean        {}, standard deviation {}, RMS {}\n", valueText(f.mean, dtype),
                       valueText(f.deviation, dtype), valueText(f.rms, dtype));
}

void addHistogram(std::string& out, const tensorview::Histogram& h, tensor::DType dtype) {
    out += "\nHistogram\n";
    if (h.counts.empty()) {
        out += h.notFinite ? "  no element is finite\n" : "  there are no elements\n";
        return;
    }
    constexpr double widest = 48;
    const int digits = tensorview::digitsOfEdges(h);
    const auto most = double(std::max<std::int64_t>(1, *std::max_element(h.counts.begin(), h.counts.end())));
    const double width = h.high / double(h.counts.size()) - h.low / double(h.counts.size());
    for (std::size_t k = 0; k < h.counts.size(); ++k) {
        const double share = double(h.counts[k]) / most * widest;
        // What is not empty has a mark.
        const auto marks = std::size_t(h.counts[k] ? std::max(1.0, std::round(share)) : 0);
        out += fmt::format("  {:>12}  {:<48}  {}\n", valueText(h.low + double(k) * width, dtype, digits),
                           std::string(marks, '#'), h.counts[k]);
    }
    out += fmt::format("  {:>12}\n", valueText(h.high, dtype, digits));
    if (h.below || h.above) out += fmt::format("  {} below, {} above\n", h.below, h.above);
    if (h.notFinite) out += fmt::format("  {} not finite\n", h.notFinite);
}

void addSlice(std::string& out, const tensorview::Slice& s, const tensor::Shape& shape, tensor::DType dtype) {
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
            cells.push_back(s.exact.empty() ? valueText(s.value(r, c), dtype)
                                            : std::to_string(s.exact[std::size_t(r * s.columns + c)]));
        table.add(std::move(cells));
    }
    out += table.text();
}

void addWrong(std::string& out, const tensorview::WrongElements& w, const tensor::Shape& shape, tensor::DType dtype) {
    out += fmt::format("\nWrong elements: {} of {}\n", quantities::count(double(w.wrong)),
                       quantities::count(double(w.elements)));
    if (w.worst.empty()) return;
    using Align = TextTable::Align;
    TextTable table(
        {{"index"}, {"got", Align::right}, {"expected", Align::right}, {"times the tolerance", Align::right}});
    for (const tensorview::WrongElement& e : w.worst)
        table.add({tensor::toString(tensorview::indexOf(e.element, shape)), valueText(e.got, dtype, 9),
                   valueText(e.expected, dtype, 9), std::isfinite(e.excess) ? quantities::number(e.excess) : "-"});
    out += table.text();
    if (w.wrong > std::int64_t(w.worst.size()))
        out += fmt::format("and {} more; --worst shows up to {}\n",
                           quantities::count(double(w.wrong - std::int64_t(w.worst.size()))),
                           tensorview::WrongElements::mostElements);
}

void addStory(std::string& out, const tensorview::Story& s, const std::string& source, tensor::DType dtype) {
    out += fmt::format("\nElement {}: {}{}\n", tensor::toString(s.index), valueText(s.value, dtype, 9),
                       s.expected ? ", expected " + valueText(*s.expected, dtype, 9) : "");
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
        out += fmt::format("      {} -> {}  {}\n", valueText(list[k].before, dtype),
                           valueText(k + 1 < list.size() ? list[k + 1].before : s.value, dtype),
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
    if (!a.faults.empty()) out += fmt::format("  faults      {}\n", a.faults);
    if (!a.whyNoReference.empty()) out += fmt::format("  reference   {}\n", a.whyNoReference);
    addTensors(out, a, query.subject);
    const tensorview::Entry* entry = a.find(query.subject);
    const tensorview::Entry* output = a.find({Role::output, query.subject.number});
    const tensor::Shape shape = entry ? entry->shape : tensor::Shape();
    const tensor::DType dtype = entry ? entry->dtype : tensor::DType::Float64;
    const tensor::DType written = output ? output->dtype : dtype;
    const tensorview::Entry* difference = a.find({Role::difference, query.subject.number});
    const tensor::Shape judged = difference ? difference->shape : shape;
    if (a.statistics) {
        out += fmt::format("\n{}\n", tensorview::toString(query.subject));
        addStatistics(out, *a.statistics, shape, dtype);
    }
    if (a.slice) addSlice(out, *a.slice, shape, dtype);
    if (a.histogram) addHistogram(out, *a.histogram, dtype);
    if (a.wrong) addWrong(out, *a.wrong, judged, written);
    if (a.story) addStory(out, *a.story, source, written);
    if (a.written) addWritten(out, *a.written, output ? output->shape : shape);
    return printable(out);
}

} // namespace kernelarium::cli
