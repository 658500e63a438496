// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/LastWriter.h"

#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

/// Row-major number of the element; the shapes of output and reference may differ by dimensions of size 1 only.
std::optional<std::int64_t> elementNumber(const Case& judged, const Mismatch& wrong) {
    const std::vector<tensor::Tensor> reference = flatten(*judged.expected);
    if (wrong.output >= reference.size()) return std::nullopt;
    const tensor::Shape& shape = reference[wrong.output].shape();
    if (wrong.index.size() != shape.size()) return std::nullopt;
    std::int64_t number = 0;
    for (std::size_t d = 0; d < shape.size(); ++d)
        number = number * shape[d] + wrong.index[d];
    return number;
}

std::string triple(const std::array<std::uint32_t, 3>& t) {
    return fmt::format("({}, {}, {})", t[0], t[1], t[2]);
}

} // namespace

std::optional<WriterInfo> findLastWriter(Evidence& evidence, const Case& judged, const Mismatch& wrong) {
    if (!evidence.options().checks || !evidence.runner().capabilities().namesWriters || !judged.expected) return {};
    const std::optional<std::int64_t> element = elementNumber(judged, wrong);
    if (!element || wrong.output >= judged.run.outputPlaces.size() || !evidence.affordable()) return {};
    WatchedElement watched{wrong.output, *element, judged.run.outputPlaces[wrong.output]};
    if (watched.place.addressOf(*element) == 0) return {};
    return evidence.runWatched(judged, std::move(watched));
}

std::string describe(const WriterInfo& writer) {
    const std::string line = writer.line > 0 ? fmt::format(", line {}", writer.line) : std::string();
    switch (writer.kind) {
    case WriterInfo::Kind::never: return "nobody";
    case WriterInfo::Kind::kernel:
        return fmt::format("kernel {}, block {}, thread {}{}", writer.kernel, triple(writer.block),
                           triple(writer.thread), line);
    case WriterInfo::Kind::call: return writer.call + line;
    }
    return {};
}

std::string writerSentence(const Mismatch& wrong, const WriterInfo& writer) {
    const std::string element = fmt::format("Element {} of output {}", tensor::toString(wrong.index), wrong.output);
    if (writer.kind == WriterInfo::Kind::never) return element + " was never written.";
    return fmt::format("{} was last written by {}.", element, describe(writer));
}

} // namespace kernelarium::verify
