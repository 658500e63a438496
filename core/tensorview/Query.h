// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensorview/Histogram.h"
#include "core/tensorview/Slice.h"
#include "core/tensorview/Statistics.h"
#include "core/tensorview/Subject.h"
#include "core/tensorview/WrongElements.h"
#include "core/verify/WriterMap.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace kernelarium::tensorview {

/// What is asked of a run's tensors. Whatever their size, the answer is short: no part of it has more than
/// SliceRequest::mostCells numbers. A query without any part asks for the list of tensors.
struct Query {
    Subject subject; ///< that the parts are about
    bool statistics = false;
    std::optional<HistogramRequest> histogram;
    std::optional<SliceRequest> slice;
    std::string sliceText; ///< as parseSlice() takes it; not empty: in the stead of the slice's dimensions and ranges
    /// The worst wrong elements of the output of this number, at most; 0: not asked for.
    std::size_t worst = 0;
    /// Index of an element of the output of this number, whose writers are asked for.
    std::optional<tensor::Shape> writerOf;
    /// Elements of the output of this number that such stores wrote last: at most `written`, among those around `near`
    /// where an output has more than verify::WriterMap::mostElements.
    std::optional<verify::WriterFilter> writtenBy;
    std::size_t written = 1000; ///< at most mostWritten
    std::int64_t near = 0;      ///< row-major number

    static constexpr std::size_t mostWritten = 10'000;

    [[nodiscard]] bool asksForWriters() const { return writerOf || writtenBy; }
    /// Whether the right answer has to be known.
    [[nodiscard]] bool asksForReference() const;
};

/// A tensor that can be asked for.
struct Entry {
    Subject subject;
    std::string name; ///< of an input: as the task calls it
    tensor::DType dtype = tensor::DType::Float32;
    tensor::Shape shape;
};

/// Who wrote an element.
struct Story {
    tensor::Shape index;
    double value = 0; ///< of the output
    std::optional<double> expected;
    verify::WriterInfo writer;      ///< the last one
    verify::ElementHistory history; ///< of the stores before, in the same run
};

/// Elements that stores of a kind wrote last.
struct Written {
    verify::WrittenElements found;
    std::int64_t first = 0; ///< of the elements that were looked at, by row-major number
    std::int64_t count = 0;
};

/// What a query's parts gave.
struct Answer {
    std::string end;    ///< of the run: "finished", or what protocol::name() says
    std::string reason; ///< why it did not finish
    /// A sentence on the accesses and the like that were wrong; empty where there were none. The run went on after
    /// them.
    std::string faults;
    std::string backend;
    std::string size;
    std::uint64_t seed = 0;
    /// References and differences among them, where there will be one: their types and shapes are of the task.
    std::vector<Entry> tensors;
    std::string whyNoReference; ///< a sentence; empty where there is one
    bool namesWriters = false;  ///< whether the backend can tell who wrote an element

    std::optional<Statistics> statistics;
    std::optional<Histogram> histogram;
    std::optional<Slice> slice;
    std::optional<WrongElements> wrong;
    std::optional<Story> story;
    std::optional<Written> written;

    [[nodiscard]] const Entry* find(const Subject& subject) const;
};

[[nodiscard]] nlohmann::json toJson(const Query& query);
/// Error "bad_request".
Result<Query> queryFromJson(const nlohmann::json& json);

/// NaN and infinities are the strings "nan", "inf" and "-inf".
[[nodiscard]] nlohmann::json toJson(const Answer& answer);
/// Error "bad_request": not an answer, or one that is not consistent.
Result<Answer> answerFromJson(const nlohmann::json& json);

} // namespace kernelarium::tensorview
