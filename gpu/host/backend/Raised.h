// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/verify/Runner.h"

#include <string>

namespace kernelarium::host {

/// An exception that the interpreted program meets, as PyTorch or pybind11 would raise it there. Used inside
/// this room only: HostCalls turns it into an unwinding of the interpreted stack.
struct Raised {
    std::string type; ///< Python's class: "RuntimeError", "IndexError", "TypeError", "ValueError", ...
    std::string text;
};

/// The run cannot go on: thrown inside this room and caught at its border.
struct RunStopped {
    verify::RunEnd end = verify::RunEnd::crashed;
    std::string reason;
};

[[noreturn]] inline void raise(std::string text) {
    throw Raised{"RuntimeError", std::move(text)};
}

[[noreturn]] inline void raiseIndexError(std::string text) {
    throw Raised{"IndexError", std::move(text)};
}

[[noreturn]] inline void raiseTypeError(std::string text) {
    throw Raised{"TypeError", std::move(text)};
}

[[noreturn]] inline void refuse(std::string name) {
    throw RunStopped{verify::RunEnd::unsupported, std::move(name)};
}

} // namespace kernelarium::host
