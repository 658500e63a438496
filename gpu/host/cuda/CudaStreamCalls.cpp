// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/cuda/CudaContext.h"

namespace kernelarium::host {

namespace {

int newStream(CudaContext& c, const ApiArguments& a, bool blocking) {
    const std::uint64_t handle = c.nextHandle++;
    c.streams.insert(handle);
    c.order.create(handle, blocking);
    c.host.write(a.pointer(0), handle);
    return cudaSuccess;
}

int streamCreate(CudaContext& c, const ApiArguments& a) {
    return newStream(c, a, true);
}

int streamCreateWithFlags(CudaContext& c, const ApiArguments& a) {
    constexpr std::int64_t nonBlocking = 1; // cudaStreamNonBlocking
    return newStream(c, a, (a.integer(1, 0) & nonBlocking) == 0);
}

/// PyTorch's pool holds streams that do not wait for the legacy default stream.
int streamFromPool(CudaContext& c, const ApiArguments& a) {
    return newStream(c, a, false);
}

int currentStream(CudaContext& c, const ApiArguments& a) {
    c.host.write(a.pointer(0), c.currentStream);
    return cudaSuccess;
}

int setCurrentStream(CudaContext& c, const ApiArguments& a) {
    if (!c.validStream(a.pointer(0))) return cudaErrorInvalidResourceHandle;
    c.currentStream = a.pointer(0);
    return cudaSuccess;
}

int streamDestroy(CudaContext& c, const ApiArguments& a) {
    return c.streams.erase(a.pointer(0)) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

/// Work is done when its call returns, so waiting only has to be noted.
int streamWait(CudaContext& c, const ApiArguments& a) {
    if (!c.validStream(a.pointer(0))) return cudaErrorInvalidResourceHandle;
    c.order.hostWaitsFor(a.pointer(0));
    return c.device.synchronize() ? cudaSuccess : cudaErrorLaunchFailure;
}

int streamWaitEvent(CudaContext& c, const ApiArguments& a) {
    const bool valid = c.validStream(a.pointer(0)) && c.events.contains(a.pointer(1));
    if (valid && c.graphs.waitForEvent(a.pointer(0), a.pointer(1))) return cudaSuccess;
    if (valid) c.order.waitForEvent(a.pointer(0), a.pointer(1));
    return valid ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

int eventCreate(CudaContext& c, const ApiArguments& a) {
    const std::uint64_t handle = c.nextHandle++;
    c.events[handle] = {};
    c.host.write(a.pointer(0), handle);
    return cudaSuccess;
}

int eventDestroy(CudaContext& c, const ApiArguments& a) {
    return c.events.erase(a.pointer(0)) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

int eventRecord(CudaContext& c, const ApiArguments& a) {
    const auto event = c.events.find(a.pointer(0));
    if (event == c.events.end() || !c.validStream(a.count() > 1 ? a.pointer(1) : 0))
        return cudaErrorInvalidResourceHandle;
    event->second = {true, std::chrono::steady_clock::now()};
    const std::uint64_t stream = a.count() > 1 ? a.pointer(1) : 0;
    c.graphs.recordEvent(stream, event->first);
    if (!c.graphs.captures(stream)) c.order.record(event->first, stream);
    return cudaSuccess;
}

int eventWait(CudaContext& c, const ApiArguments& a) {
    c.order.hostWaitsForEvent(a.pointer(0));
    return c.events.contains(a.pointer(0)) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

int streamFlags(CudaContext& c, const ApiArguments& a) {
    if (!c.validStream(a.pointer(0))) return cudaErrorInvalidResourceHandle;
    c.host.write(a.pointer(1), 0);
    return cudaSuccess;
}

/// cudaLaunchHostFunc, cudaStreamAddCallback: the host code calls its function itself, now that the stream's work is
/// done.
int hostFunction(CudaContext& c, const ApiArguments& a) {
    if (!c.validStream(a.pointer(0))) return cudaErrorInvalidResourceHandle;
    if (c.graphs.captures(a.pointer(0))) refuse(a.api() + " in a stream that captures a graph");
    c.order.work(a.pointer(0), a.api());
    c.copies.settleAhead(a.pointer(0));
    return c.device.synchronize() ? cudaSuccess : cudaErrorLaunchFailure;
}

int eventElapsed(CudaContext& c, const ApiArguments& a) {
    const auto from = c.events.find(a.pointer(1)), to = c.events.find(a.pointer(2));
    if (from == c.events.end() || to == c.events.end()) return cudaErrorInvalidResourceHandle;
    if (!from->second.recorded || !to->second.recorded) return cudaErrorInvalidResourceHandle;
    const std::chrono::duration<float, std::milli> passed = to->second.when - from->second.when;
    c.host.write(a.pointer(0), passed.count());
    c.log.remark("cudaEventElapsedTime gave the wall time of the " + c.device.name() + ", not a GPU's");
    return cudaSuccess;
}

int priorityRange(CudaContext& c, const ApiArguments& a) {
    if (a.pointer(0)) c.host.write(a.pointer(0), 0);
    if (a.pointer(1)) c.host.write(a.pointer(1), -5);
    return cudaSuccess;
}

} // namespace

const std::map<std::string_view, ApiCall>& streamCalls() {
    static const std::map<std::string_view, ApiCall> table{
        {"cudaStreamCreate", streamCreate},
        {"cudaStreamCreateWithFlags", streamCreateWithFlags},
        {"cudaStreamCreateWithPriority", streamCreateWithFlags},
        {"torch.stream_from_pool", streamFromPool},
        {"torch.current_stream", currentStream},
        {"torch.set_current_stream", setCurrentStream},
        {"cudaStreamDestroy", streamDestroy},
        {"cudaStreamSynchronize", streamWait},
        {"cudaStreamQuery", streamWait},
        {"cudaStreamWaitEvent", streamWaitEvent},
        {"cudaEventCreate", eventCreate},
        {"cudaEventCreateWithFlags", eventCreate},
        {"cudaEventDestroy", eventDestroy},
        {"cudaEventRecord", eventRecord},
        {"cudaEventSynchronize", eventWait},
        {"cudaEventQuery", eventWait},
        {"cudaEventElapsedTime", eventElapsed},
        {"cudaEventRecordWithFlags", eventRecord},
        {"cudaStreamGetFlags", streamFlags},
        {"cudaStreamGetPriority", streamFlags},
        {"cudaLaunchHostFunc", hostFunction},
        {"cudaStreamAddCallback", hostFunction},
        {"cudaDeviceGetStreamPriorityRange", priorityRange},
    };
    return table;
}

} // namespace kernelarium::host
