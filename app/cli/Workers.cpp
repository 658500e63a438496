// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Workers.h"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace kernelarium::cli {

worker::WorkerClient makeWorker(const std::string& kind) {
    // The running program itself, whatever its file was renamed to meanwhile.
    return worker::WorkerClient({"/proc/self/exe", "worker", kind});
}

void showStage(const std::string& stage) {
    if (::isatty(STDERR_FILENO)) fmt::print(stderr, "{} ...\n", stage);
}

} // namespace kernelarium::cli
