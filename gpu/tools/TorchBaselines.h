// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Card.h"
#include "gpu/protocol/TimeMessages.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace kernelarium::tools {

/// How PyTorch is timed.
struct TorchRequest {
    std::string size;
    std::string mode; ///< "cold", "hot"; "server" is timed as "cold", and says so
    double sampleSeconds = 5;
    std::uint64_t seed = 1;
    std::string python; ///< a path or a name on PATH; empty: one is looked for
    std::function<void(const std::string&)> progress;
};

/// PyTorch on this machine's GPU, "PyTorch native" and "PyTorch compile" (torch.compile): the card's graph as operators
/// (TorchSource.h), on inputs drawn there of the card's shapes and distributions, in a Python of its own with a time
/// limit. It executes no code but what is written from the card and the user's own PyTorch. What is missing or fails is
/// an answer with a remark. Errors: "cancelled", "bad_card".
Result<std::vector<protocol::BaselineSummary>> timeTorch(const task::Card& card, const TorchRequest& request,
                                                         const std::stop_token& stop);

/// What a Python wrote, as answers: lines that begin with "kernelarium ". Others do not count.
[[nodiscard]] std::optional<protocol::BaselineSummary> torchAnswer(const std::string& line, const std::string& mode);

} // namespace kernelarium::tools
