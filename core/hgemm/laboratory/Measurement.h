// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/family/Configuration.h"
#include "core/perf/Samples.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::hgemm {

/// How calls come, and which clock a time is from. Times of different modes are never put beside one another.
enum class Mode {
    hot,     ///< device time: calls back to back, operands where the last call left them
    cold,    ///< device time: each call finds an L2 cache without its operands
    offline, ///< wall time: one call, then a wait for it, over and over
    server   ///< wall time from a request's arrival to its end; requests come at random, and find a cold cache
};
[[nodiscard]] std::string_view name(Mode mode);
[[nodiscard]] std::optional<Mode> modeOf(std::string_view name);
[[nodiscard]] constexpr bool isWallTime(Mode mode) {
    return mode == Mode::offline || mode == Mode::server;
}

/// What computes a product.
struct Subject {
    enum class Kind {
        family,   ///< `configuration`
        cublas,   ///< as cublasGemmEx chooses
        ltFirst,  ///< the heuristic's first choice of cuBLASLt
        ltFastest ///< the fastest of all that the heuristic offers, chosen here in the mode that is measured
    };
    Kind kind = Kind::family;
    Layout layout = Layout::tn;
    Configuration configuration; ///< of `family`
    bool halfSums = false;       ///< of the others: sums in float16
    bool operator==(const Subject&) const = default;

    /// "cublaslt-autotuned tn", or a configuration's key: one line that subjectOf() reads.
    [[nodiscard]] std::string text() const;
};
[[nodiscard]] std::optional<Subject> subjectOf(std::string_view text);

/// A few products of one shape, measured in turn.
struct MeasureRequest {
    Shape shape;
    Mode mode = Mode::hot;
    std::vector<Subject> subjects;
    bool check = true;   ///< whether each is right; one that is not has no time
    bool energy = false; ///< joules of a call, hot
    perf::StopRule stop{8, 0.005, 0.5, 2000};
    double requestsPerSecond = 100; ///< of `server`
    std::size_t requests = 100;     ///< of `server`
    double timeLimit = 60;          ///< seconds, of everything; a kernel that hangs takes the child with it
};

/// A result against float64 and against cuBLASLt's.
struct Check {
    std::uint64_t samples = 0;   ///< compared with float64
    std::uint64_t wrong = 0;     ///< of these, beyond the bound
    double worst = 0;            ///< the largest error, over its bound
    std::uint64_t elements = 0;  ///< compared with cuBLASLt's result
    std::uint64_t differing = 0; ///< of these, by more than two bounds
    std::uint64_t unwritten = 0; ///< of these, as they were before
    [[nodiscard]] bool right() const { return samples > 0 && wrong == 0 && differing == 0 && unwritten == 0; }
};

struct Measured {
    Subject subject;
    std::string error; ///< why it has no time: refused, wrong, not there; a sentence
    std::optional<Check> check;
    perf::SampleSummary time; ///< of a call
    std::optional<double> joules;
    std::string note; ///< "algorithm 3 of 8"
};

struct MeasureAnswer {
    std::string device; ///< "NVIDIA H200"
    std::string driver;
    std::string library;            ///< of cuBLASLt: its version
    std::string energyRefusal;      ///< why there are no joules, where they were asked for
    std::vector<Measured> measured; ///< one for each subject, in their order
};

[[nodiscard]] nlohmann::json toJson(const MeasureRequest& request);
[[nodiscard]] nlohmann::json toJson(const MeasureAnswer& answer);
/// Error "bad_message".
[[nodiscard]] Result<MeasureRequest> measureRequestFromJson(const nlohmann::json& json);
[[nodiscard]] Result<MeasureAnswer> measureAnswerFromJson(const nlohmann::json& json);

} // namespace kernelarium::hgemm
