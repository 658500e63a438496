// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/cuda/CudaContext.h"

#include "gpu/host/backend/Raised.h"

#include <fmt/format.h>

namespace kernelarium::host {

int CudaContext::fail(int code) {
    if (code == cudaSuccess || code == cudaErrorNotReady) return code;
    lastError = code;
    if (isSticky(code)) stickyError = code;
    return code;
}

int CudaContext::takeError(bool clear) {
    unreadRefusal.clear();
    stickySeen = stickySeen || stickyError != cudaSuccess;
    if (stickyError != cudaSuccess) return stickyError;
    const int code = lastError;
    if (clear) lastError = cudaSuccess;
    return code;
}

const PyValue& ApiArguments::at(std::size_t i) const {
    if (i >= m_items.size())
        throw RunStopped{verify::RunEnd::unsupported, fmt::format("{} with {} arguments", m_api, m_items.size())};
    return m_items[i];
}

std::uint64_t ApiArguments::pointer(std::size_t i) const {
    const PyValue& value = at(i);
    if (const auto* p = value.as<PointerRef>()) return p->address;
    if (const auto* n = value.as<std::int64_t>()) return std::uint64_t(*n);
    if (value.isNone()) return 0;
    throw RunStopped{verify::RunEnd::unsupported,
                     fmt::format("{} with a {} as argument {}", m_api, typeName(value), i + 1)};
}

std::int64_t ApiArguments::integer(std::size_t i) const {
    return std::int64_t(at(i).as<bool>() ? std::uint64_t(*at(i).as<bool>()) : pointer(i));
}

std::int64_t ApiArguments::integer(std::size_t i, std::int64_t otherwise) const {
    return has(i) ? integer(i) : otherwise;
}

double ApiArguments::number(std::size_t i) const {
    const auto* d = at(i).as<double>();
    return d ? *d : double(integer(i));
}

namespace {

int errorCall(CudaContext& context, const std::string& api, bool& known) {
    known = true;
    if (api == "cudaGetLastError") return context.takeError(true);
    if (api == "cudaPeekAtLastError") return context.takeError(false);
    known = false;
    return cudaSuccess;
}

/// Copies and fills that were done, as work on their stream; those without a stream are the default one's, and the
/// host waits for them.
void noteCopy(CudaContext& context, const ApiArguments& a) {
    const std::string_view api = a.api();
    if (!api.starts_with("cudaMemcpy") && !api.starts_with("cudaMemset")) return;
    const bool async = api.ends_with("Async");
    const std::uint64_t stream = async && a.count() > 0 ? a.pointer(a.count() - 1) : StreamOrder::legacyDefault;
    context.order.work(stream, a.api());
    if (!async && api.starts_with("cudaMemcpy")) context.order.hostWaitsFor(stream);
}

} // namespace

int callCuda(CudaContext& context, const ApiArguments& arguments) {
    bool known = false;
    const int status = errorCall(context, arguments.api(), known);
    if (known) return status;
    for (const auto* family : {&memoryCalls(), &streamCalls(), &deviceCalls(), &kernelCalls(), &graphCalls(),
                               &processCalls(), &pointerCalls()}) {
        const auto found = family->find(arguments.api());
        if (found == family->end()) continue;
        const std::string& api = arguments.api();
        const bool needsNoDevice = api.starts_with("cudaGetError") || family == &processCalls() ||
                                   api == "cudaDeviceReset" || api == "cudaGetDeviceCount";
        if (context.stickyError != cudaSuccess && !needsNoDevice) {
            context.stickySeen = true;
            return context.stickyError;
        }
        if (const auto kept = captured(context, arguments)) return context.fail(*kept);
        const int code = context.fail(found->second(context, arguments));
        if (code == cudaSuccess) noteCopy(context, arguments);
        return code;
    }
    refuse(arguments.api());
}

} // namespace kernelarium::host
