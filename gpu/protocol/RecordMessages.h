// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Recording.h"
#include "gpu/protocol/RunMessages.h"

#include <memory>

namespace kernelarium::protocol {

/// Parameters of the run child's method "record": those of "run" (reference and counters do not matter) and
///   launch     number of the launch in forward, from 0, or null: the first of a kernel that has code of `line`
///   block      [x, y, z]
///   warp       only this one, or null
///   line       a line of the source that is to be among what is recorded; 0: from the block's first step on
///   max_steps  how many steps are kept, at most recording::mostSteps
struct RecordParameters {
    RunParameters run;
    recording::Request request;
};

[[nodiscard]] nlohmann::json toJson(const recording::Request& request); ///< what "record" has more than "run"
[[nodiscard]] nlohmann::json toJson(const RecordParameters& parameters);
Result<RecordParameters> recordParametersFromJson(const nlohmann::json& json);

/// Steps in one page.
inline constexpr std::size_t pageSteps = 1000;

/// The answer to "record" comes in parts, so that no line of the protocol grows large: first, as partial results, pages
/// {"steps": [...]} of at most pageSteps steps each, in order; then, as the result, everything else, and how many steps
/// there were. Errors of the method: "no_such_launch", "no_such_line" (of any kernel that was
/// launched), "no_such_block", "no_such_warp", "not_reached" (the run ended before), and those of a run.
///
/// In JSON, lists with a value for each lane hold it once where all lanes agree; lists and flags that are empty are
/// left out.
[[nodiscard]] nlohmann::json pageJson(const recording::Recording& recording, std::size_t first);
[[nodiscard]] nlohmann::json restJson(const recording::Recording& recording);

/// Puts a recording together again.
class RecordingReader {
public:
    Result<void> addPage(const nlohmann::json& page);
    /// With the method's result. Error "bad_request": not a recording, or not all of it.
    Result<std::shared_ptr<const recording::Recording>> finish(const nlohmann::json& rest);

private:
    recording::Recording m_recording;
};

/// All of it in one document.
[[nodiscard]] nlohmann::json toJson(const recording::Recording& recording);

} // namespace kernelarium::protocol
