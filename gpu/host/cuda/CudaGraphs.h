// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/backend/Backend.h"
#include "gpu/host/python/Marshal.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kernelarium::host {

struct CudaContext;
class ApiArguments;

/// Work of a stream that was recorded instead of done: a launch, or an asynchronous copy or fill by its call.
struct GraphCall {
    std::string api;
    PyItems arguments;
};
using GraphNode = std::variant<KernelLaunch, GraphCall>;

/// CUDA graphs, by capture. What is queued on a capturing stream is recorded in the order of its calls; a graph that is
/// launched is done in that order, on one stream. That is one of the orders that CUDA allows; branches of a graph that
/// nothing orders are therefore not seen to be unordered.
class CudaGraphs {
public:
    /// Whether work on this stream is recorded now.
    [[nodiscard]] bool captures(std::uint64_t stream) const { return m_capturing.contains(stream); }
    void record(std::uint64_t stream, GraphNode node);

    /// Errors are CUDA's: of the legacy stream (unsupported), of one that captures already, of one that did not begin
    /// the capture.
    int begin(std::uint64_t stream);
    int end(std::uint64_t stream, std::uint64_t graph);
    /// An event of a capturing stream hands the capture on to whoever waits for it.
    void recordEvent(std::uint64_t stream, std::uint64_t event);
    /// Whether the wait was the capture's business.
    bool waitForEvent(std::uint64_t stream, std::uint64_t event);

    [[nodiscard]] const std::vector<GraphNode>* graph(std::uint64_t handle) const;
    [[nodiscard]] const std::vector<GraphNode>* executable(std::uint64_t handle) const;
    bool instantiate(std::uint64_t graph, std::uint64_t executable);
    bool destroyGraph(std::uint64_t handle) { return m_graphs.erase(handle) > 0; }
    bool destroyExecutable(std::uint64_t handle) { return m_executables.erase(handle) > 0; }

private:
    struct Capture {
        std::uint64_t origin;
        std::vector<GraphNode> nodes;
    };
    std::map<std::uint64_t, std::uint64_t> m_capturing; ///< stream to the stream that began its capture
    std::map<std::uint64_t, std::uint64_t> m_events;    ///< event to the same
    std::map<std::uint64_t, Capture> m_captures;        ///< by the stream that began it
    std::map<std::uint64_t, std::vector<GraphNode>> m_graphs, m_executables;
};

/// Records the call where its stream captures; empty where it does not, or is none that a graph holds.
std::optional<int> captured(CudaContext& context, const ApiArguments& arguments);

} // namespace kernelarium::host
