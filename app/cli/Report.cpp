// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"

#include "app/cli/Output.h"

#include <cstdio>
#include <fmt/format.h>

namespace kernelarium::cli {

namespace {
int exitCodeOf(const Error& error) {
    if (error.code == "missing_component" || error.code == "no_slurm") return exitMissingComponent;
    // The kernel, not what the user typed, brought these about.
    for (const char* code :
         {"child_died", "child_stopped", "timeout", "out_of_memory", "cancelled", "internal", "no_network", "tls",
          "redirect_loop", "connection_cut", "server_busy", "cluster_silent", "bad_answer"})
        if (error.code == code) return exitCheckFailed;
    return exitBadInput;
}
} // namespace

int report(Context& context, const Error& error) {
    if (context.json) {
        nlohmann::json j = {{"code", error.code}, {"message", error.message}, {"action", error.action}};
        if (!error.detail.empty()) j["detail"] = error.detail;
        printJson({{"error", std::move(j)}});
    } else {
        fmt::print(stderr, "kernelarium-cli: {}\n", printable(error.text()));
        if (!error.detail.empty()) fmt::print(stderr, "{}\n", printable(error.detail));
    }
    return context.exitCode = exitCodeOf(error);
}

} // namespace kernelarium::cli
