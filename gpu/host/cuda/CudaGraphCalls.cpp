// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/Raised.h"
#include "gpu/host/cuda/CudaContext.h"

#include <array>

namespace kernelarium::host {

namespace {

constexpr int captureUnsupported = 900, captureUnmatched = 903, illegalState = 401;

int beginCapture(CudaContext& c, const ApiArguments& a) {
    if (!c.validStream(a.pointer(0))) return cudaErrorInvalidResourceHandle;
    return c.graphs.begin(a.pointer(0));
}

int endCapture(CudaContext& c, const ApiArguments& a) {
    const std::uint64_t graph = c.nextHandle++;
    const int status = c.graphs.end(a.pointer(0), graph);
    c.host.write(a.pointer(1), status == cudaSuccess ? graph : std::uint64_t(0));
    return status;
}

int isCapturing(CudaContext& c, const ApiArguments& a) {
    c.host.write(a.pointer(1), int(c.graphs.captures(a.pointer(0)))); // cudaStreamCaptureStatusActive is 1
    return cudaSuccess;
}

int instantiate(CudaContext& c, const ApiArguments& a) {
    const std::uint64_t executable = c.nextHandle++;
    if (!c.graphs.instantiate(a.pointer(1), executable)) return cudaErrorInvalidValue;
    c.host.write(a.pointer(0), executable);
    return cudaSuccess;
}

int replay(CudaContext& c, const GraphNode& node, std::uint64_t stream) {
    if (const auto* launch = std::get_if<KernelLaunch>(&node)) {
        KernelLaunch now = *launch;
        now.stream = stream;
        return launchKernel(c, now);
    }
    const auto& call = std::get<GraphCall>(node);
    PyItems arguments = call.arguments;
    arguments.back() = PyValue(PointerRef{stream});
    return callCuda(c, ApiArguments(call.api, std::move(arguments)));
}

int launchGraph(CudaContext& c, const ApiArguments& a) {
    const std::uint64_t stream = a.pointer(1);
    const std::vector<GraphNode>* found = c.graphs.executable(a.pointer(0));
    if (!found || !c.validStream(stream)) return cudaErrorInvalidValue;
    if (c.graphs.captures(stream)) refuse("a CUDA graph launched while its stream captures another");
    const std::vector<GraphNode> nodes = *found;
    for (const GraphNode& node : nodes)
        if (const int status = replay(c, node, stream); status != cudaSuccess) return status;
    return cudaSuccess;
}

int destroyGraph(CudaContext& c, const ApiArguments& a) {
    return c.graphs.destroyGraph(a.pointer(0)) ? cudaSuccess : cudaErrorInvalidValue;
}

int destroyExecutable(CudaContext& c, const ApiArguments& a) {
    return c.graphs.destroyExecutable(a.pointer(0)) ? cudaSuccess : cudaErrorInvalidValue;
}

int upload(CudaContext& c, const ApiArguments& a) {
    return c.graphs.executable(a.pointer(0)) ? cudaSuccess : cudaErrorInvalidValue;
}

/// cudaGraphGetNodes(graph, nodes or null, count): only how many there are can be asked.
int nodeCount(CudaContext& c, const ApiArguments& a) {
    const std::vector<GraphNode>* found = c.graphs.graph(a.pointer(0));
    if (!found) return cudaErrorInvalidValue;
    if (a.pointer(1)) refuse("cudaGraphGetNodes for the nodes themselves");
    c.host.write(a.pointer(2), std::uint64_t(found->size()));
    return cudaSuccess;
}

int exchangeMode(CudaContext&, const ApiArguments&) {
    return cudaSuccess; // one thread, and nothing here is unsafe to call while it captures
}

} // namespace

void CudaGraphs::record(std::uint64_t stream, GraphNode node) {
    m_captures.at(m_capturing.at(stream)).nodes.push_back(std::move(node));
}

int CudaGraphs::begin(std::uint64_t stream) {
    if (stream == StreamOrder::legacyDefault) return captureUnsupported;
    if (captures(stream)) return illegalState;
    m_capturing[stream] = stream;
    m_captures[stream] = {stream, {}};
    return cudaSuccess;
}

int CudaGraphs::end(std::uint64_t stream, std::uint64_t graph) {
    if (!captures(stream)) return illegalState;
    if (m_capturing.at(stream) != stream) return captureUnmatched;
    m_graphs[graph] = std::move(m_captures.at(stream).nodes);
    m_captures.erase(stream);
    std::erase_if(m_capturing, [&](const auto& one) { return one.second == stream; });
    std::erase_if(m_events, [&](const auto& one) { return one.second == stream; });
    return cudaSuccess;
}

void CudaGraphs::recordEvent(std::uint64_t stream, std::uint64_t event) {
    if (captures(stream))
        m_events[event] = m_capturing.at(stream);
    else
        m_events.erase(event);
}

bool CudaGraphs::waitForEvent(std::uint64_t stream, std::uint64_t event) {
    const auto found = m_events.find(event);
    if (found == m_events.end()) return false;
    m_capturing.try_emplace(stream, found->second);
    return true;
}

const std::vector<GraphNode>* CudaGraphs::graph(std::uint64_t handle) const {
    const auto found = m_graphs.find(handle);
    return found == m_graphs.end() ? nullptr : &found->second;
}

const std::vector<GraphNode>* CudaGraphs::executable(std::uint64_t handle) const {
    const auto found = m_executables.find(handle);
    return found == m_executables.end() ? nullptr : &found->second;
}

bool CudaGraphs::instantiate(std::uint64_t graph, std::uint64_t executable) {
    const auto found = m_graphs.find(graph);
    if (found == m_graphs.end()) return false;
    m_executables[executable] = found->second;
    return true;
}

std::optional<int> captured(CudaContext& c, const ApiArguments& a) {
    const std::string_view api = a.api();
    const bool work = api.ends_with("Async") && (api.starts_with("cudaMemcpy") || api.starts_with("cudaMemset"));
    const bool waits = api == "cudaStreamSynchronize" || api == "cudaStreamQuery";
    if (a.count() == 0 || (!work && !waits)) return {};
    const std::uint64_t stream = a.pointer(waits ? 0 : a.count() - 1);
    if (!c.graphs.captures(stream)) return {};
    if (waits) return captureUnsupported;
    PyItems arguments;
    for (std::size_t i = 0; i < a.count(); ++i)
        arguments.push_back(a.at(i));
    c.graphs.record(stream, GraphCall{a.api(), std::move(arguments)});
    return cudaSuccess;
}

const std::map<std::string_view, ApiCall>& graphCalls() {
    static const std::map<std::string_view, ApiCall> table{
        {"cudaStreamBeginCapture", beginCapture},
        {"cudaStreamEndCapture", endCapture},
        {"cudaStreamIsCapturing", isCapturing},
        {"cudaThreadExchangeStreamCaptureMode", exchangeMode},
        {"cudaGraphInstantiate", instantiate},
        {"cudaGraphLaunch", launchGraph},
        {"cudaGraphDestroy", destroyGraph},
        {"cudaGraphExecDestroy", destroyExecutable},
        {"cudaGraphUpload", upload},
        {"cudaGraphGetNodes", nodeCount},
    };
    return table;
}

} // namespace kernelarium::host
