// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/profile/NcuCsv.h"
#include "core/task/Card.h"
#include "gpu/protocol/CallOptions.h"
#include "gpu/protocol/ToolMessages.h"

#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace kernelarium::protocol {

class WorkerClient;
class WorkerStarter;

/// Tools of this machine that are not ours, each run by a child of the kind "worker tools": clang-tidy, clang-format,
/// Nsight Compute, the user's Python. Blocking, without Qt, for one thread at a time; a child does one thing after
/// another, so who must not wait for others has one of its own.
///
///     ToolClient tools({"kernelarium-cli", "worker", "tools"});
///     auto advice = tools.tidy({.source = text}, {.stop = stop});
///
/// Errors of all: those of WorkerClient::call, and those that the method's own tool gives (gpu/tools).
class ToolClient {
public:
    /// `command` starts the child: program and arguments.
    explicit ToolClient(std::vector<std::string> command);
    explicit ToolClient(std::shared_ptr<WorkerClient> child);

    /// clang-tidy over a whole file.
    Result<TidyAnswer> tidy(const TidyRequest& request, const CallOptions& call = {});
    /// clang-format over a file, or lines of it.
    Result<FormatAnswer> format(const FormatRequest& request, const CallOptions& call = {});
    /// One run of a kernel under Nsight Compute: its first 40 launches.
    Result<std::vector<profile::NcuLaunch>> measureWithNcu(const NcuRequest& request, const CallOptions& call = {});
    /// The same with samples of what warps wait for, by line of the text; all launches together.
    Result<std::vector<profile::LineStalls>> sampleStalls(const NcuRequest& request, const CallOptions& call = {});
    /// The Python chosen (a path, or a name on PATH); where none is chosen, the first that can export cards.
    Result<Python> findPython(const std::string& chosen, const CallOptions& call = {});
    /// The card for a row: the one there is, else one exported from its PyTorch code and kept.
    Result<task::Card> exportCard(const ExportRequest& request, const CallOptions& call = {});

    /// Of the running child; -1 without one.
    [[nodiscard]] pid_t childPid() const;

private:
    std::shared_ptr<WorkerClient> m_child;
};

} // namespace kernelarium::protocol
