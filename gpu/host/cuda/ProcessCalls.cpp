// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the C library asks of its process: its end, the time, the size of an allocation.
#include "gpu/host/backend/Raised.h"
#include "gpu/host/cuda/CudaContext.h"

#include <fmt/format.h>

namespace kernelarium::host {

namespace {

/// exit(status): a program has ended. In a module the process that PyTorch runs in would be gone.
int endWith(CudaContext& c, const ApiArguments& a) {
    if (c.isProgram) {
        c.exitCode = int(a.integer(0) & 0xff);
        throw RunStopped{verify::RunEnd::finished, {}};
    }
    if (!c.firstRefusal.empty()) throw RunStopped{verify::RunEnd::launch_refused, c.firstRefusal};
    if (c.stickyError != cudaSuccess) throw RunStopped{verify::RunEnd::crashed, c.lostReason};
    throw RunStopped{verify::RunEnd::crashed, fmt::format("host code ended the process with exit({})", a.integer(0))};
}

int abortProcess(CudaContext& c, const ApiArguments&) {
    if (!c.firstRefusal.empty()) throw RunStopped{verify::RunEnd::launch_refused, c.firstRefusal};
    if (c.stickyError != cudaSuccess) throw RunStopped{verify::RunEnd::crashed, c.lostReason};
    throw RunStopped{verify::RunEnd::crashed, "host code ended the process with abort()"};
}

/// host.time(&nanoseconds): since the run began. For a module time stands still: what it would do by the time that an
/// interpreter takes means nothing.
int timeOf(CudaContext& c, const ApiArguments& a) {
    c.askedOfMachine.insert("the time");
    const auto passed = std::chrono::steady_clock::now() - c.began;
    const std::int64_t nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(passed).count();
    c.host.write(a.pointer(0), c.isProgram ? nanoseconds : std::int64_t(0));
    return cudaSuccess;
}

/// host.random(): random numbers are drawn, by rand() or std::random_device.
int randomDrawn(CudaContext& c, const ApiArguments&) {
    c.askedOfMachine.insert("a random number");
    return cudaSuccess;
}

/// host.size(pointer, &bytes) of what malloc gave, for realloc
int sizeOf(CudaContext& c, const ApiArguments& a) {
    const auto bytes = c.host.memory().sizeAt(a.pointer(0));
    if (!bytes)
        throw RunStopped{verify::RunEnd::crashed, fmt::format("realloc(): invalid pointer 0x{:x}", a.pointer(0))};
    c.host.write(a.pointer(1), *bytes);
    return cudaSuccess;
}

} // namespace

const std::map<std::string_view, ApiCall>& processCalls() {
    static const std::map<std::string_view, ApiCall> table{
        {"exit", endWith},     {"abort", abortProcess}, {"host.time", timeOf}, {"host.random", randomDrawn},
        {"host.size", sizeOf},
    };
    return table;
}

} // namespace kernelarium::host
