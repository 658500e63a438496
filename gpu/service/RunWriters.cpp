// SPDX-License-Identifier: GPL-3.0-or-later
//
// RunTensors: who wrote what. The run is repeated with what is asked for watched; nothing else of it is looked at.
#include "gpu/service/RunTensors.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::service {

using tensorview::Answer;
using tensorview::Query;
using tensorview::Role;

namespace {

Error movedError() {
    return {"unsupported", "The output lies at another address, or has another shape, in each run.",
            "Only outputs that every run with the same inputs puts at one place can be followed."};
}

} // namespace

Result<void> RunTensors::findWriters(const Query& query, Answer& answer, const Service::Progress& progress,
                                     std::stop_token stop) {
    const std::size_t k = query.subject.number;
    if (query.subject.role == Role::input)
        return Error{"bad_input", "An input is written by nobody but whoever draws it.",
                     "Ask for an element of an output."};
    if (k >= m_outputs.size() || !m_outputs[k].defined()) return noSuchTensor({Role::output, k});
    if (!m_runner->capabilities().namesWriters)
        return Error{"unsupported", "Who wrote an element is known in the emulator only.", "Use --backend emulator."};
    if (!m_parameters.checks)
        return Error{"unsupported", "Who wrote an element is not known without checks.", "Run without --no-checks."};
    const bool lies = k < m_run->outputPlaces.size() && m_run->outputPlaces[k].elementBytes > 0;
    if (!lies)
        return Error{"unsupported", fmt::format("Output {} is not in device memory.", k),
                     "Only stores to device memory are followed."};
    if (query.writerOf) {
        Result<tensorview::Story> story = storyOf(k, *query.writerOf, progress, stop);
        if (!story) return story.error();
        answer.story = std::move(*story);
    }
    if (query.writtenBy && m_outputs[k].count() > 0) {
        const std::int64_t near = std::clamp<std::int64_t>(query.near, 0, m_outputs[k].count() - 1);
        auto map = mapAround(k, near, progress, stop);
        if (!map) return map.error();
        answer.written = tensorview::Written{verify::elementsWrittenBy(**map, *query.writtenBy, query.written),
                                             (*map)->first, std::int64_t((*map)->marks.size())};
    } else if (query.writtenBy) {
        answer.written = tensorview::Written{};
    }
    return {};
}

Result<std::shared_ptr<const verify::WriterMap>> RunTensors::mapAround(std::size_t output, std::int64_t element,
                                                                       const Service::Progress& progress,
                                                                       std::stop_token stop) {
    constexpr std::int64_t most = verify::WriterMap::mostElements;
    const std::int64_t first = element / most * most;
    if (m_writers && m_writers->output == output && m_writers->first == first) return m_writers;
    m_writers.reset(); // before there is another one
    progress("writers");
    verify::RunRequest run = request(stop);
    run.watchAll = verify::WatchedElements{output, m_run->outputPlaces[output], first,
                                           std::min(most, m_outputs[output].count() - first)};
    Result<verify::RunResult> result = m_runner->run(run);
    if (!result) return result.error();
    if (result->end == verify::RunEnd::cancelled) return Error{"cancelled", "Cancelled."};
    if (!result->writers) return movedError();
    m_writers = result->writers;
    return m_writers;
}

Result<tensorview::Story> RunTensors::storyOf(std::size_t output, const tensor::Shape& index,
                                              const Service::Progress& progress, std::stop_token stop) {
    const tensor::Tensor& got = m_outputs[output];
    bool inside = index.size() == got.shape().size();
    for (std::size_t d = 0; inside && d < index.size(); ++d)
        inside = index[d] >= 0 && index[d] < got.shape()[d];
    // A difference has the reference's shape, which may have other dimensions of size 1.
    const bool asReference = !inside && isComparable(output) && index.size() == m_reference[output].shape().size();
    const tensor::Shape& shape = asReference ? m_reference[output].shape() : got.shape();
    for (std::size_t d = 0; asReference && d < index.size(); ++d)
        if (index[d] < 0 || index[d] >= shape[d]) return noSuchElement(output, index);
    if (!inside && !asReference) return noSuchElement(output, index);
    const std::int64_t element = tensorview::elementAt(index, shape);
    progress("writers");
    verify::RunRequest run = request(stop);
    run.watch = verify::WatchedElement{output, element, m_run->outputPlaces[output]};
    Result<verify::RunResult> result = m_runner->run(run);
    if (!result) return result.error();
    if (result->end == verify::RunEnd::cancelled) return Error{"cancelled", "Cancelled."};
    if (!result->lastWriter) return movedError();
    tensorview::Story story;
    story.index = index;
    story.value = got.at(element);
    if (isComparable(output)) story.expected = m_reference[output].at(element);
    story.writer = *result->lastWriter;
    story.history = std::move(result->history);
    return story;
}

Error RunTensors::noSuchElement(std::size_t output, const tensor::Shape& index) const {
    return {"bad_input",
            fmt::format("Output {} has no element {}: its shape is {}.", output, tensor::toString(index),
                        tensor::toString(m_outputs[output].shape())),
            "Give an index for each of its dimensions."};
}

} // namespace kernelarium::service
