// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

namespace kernelarium::protocol {

/// How a call to a child is watched and ended early. Both are used on the calling thread.
struct CallOptions {
    std::function<void(const std::string& stage)> progress = {}; ///< any number of times before the answer
    /// After so long a compilation is taken for hung and the child killed: error "timeout"; 0: protocol::compileLimit.
    std::chrono::milliseconds compileLimit{0};
    std::stop_token stop = {}; ///< asks the child to cancel, and kills it when it does not: error "cancelled"
};

} // namespace kernelarium::protocol
