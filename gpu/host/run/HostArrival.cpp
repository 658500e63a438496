// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/run/HostArrival.h"

#include <algorithm>
#include <array>

namespace kernelarium::host {

namespace {

std::uint64_t bytesOf(const TensorView& view) {
    return std::uint64_t(view.count()) * tensor::byteSize(view.dtype);
}

/// "aten.copy_.default" -> "copy_"
std::string_view operatorBase(std::string_view name) {
    if (const std::size_t dot = name.find('.'); dot != std::string_view::npos) name.remove_prefix(dot + 1);
    return name.substr(0, name.find('.'));
}

bool isConversion(std::string_view base) {
    constexpr std::array names{"to", "_to_copy", "cpu", "cuda", "copy_"};
    return std::find(names.begin(), names.end(), base) != names.end();
}

/// The sizes of their results are elements of tensors: PyTorch waits for these.
bool asksForSizes(std::string_view base) {
    constexpr std::array names{"nonzero", "masked_select", "unique", "_unique2", "unique_dim", "unique_consecutive"};
    return std::find(names.begin(), names.end(), base) != names.end();
}

/// Whether it makes a tensor in page-locked memory: the flag comes after dtype, layout and device.
bool pins(std::string_view base, const PyItems& arguments) {
    constexpr std::array factories{"empty", "zeros", "ones", "full", "rand", "arange", "linspace", "eye", "new_"};
    if (base == "pin_memory") return true;
    if (std::none_of(factories.begin(), factories.end(), [&](std::string_view f) { return base.starts_with(f); }))
        return false;
    constexpr std::size_t leastPlace = 4;
    for (std::size_t i = leastPlace; i < arguments.size(); ++i)
        if (const auto* flag = arguments[i].as<bool>(); flag && *flag) return true;
    return false;
}

const TensorView* viewOf(const TensorTable& table, const PyValue& value) {
    const auto* t = value.as<TensorRef>();
    return t && t->handle != 0 ? &table.at(t->handle) : nullptr;
}

} // namespace

RuntimeArrival::RuntimeArrival(CudaContext& cuda, const ApiArguments& arguments)
    : m_cuda(cuda)
    , m_arguments(arguments) {
    const std::string& api = arguments.api();
    // Memory is given back when all work has ended; so the runtime does it.
    if ((api.starts_with("cudaFree") && api != "cudaFreeAsync") || api == "cudaHostUnregister") cuda.copies.settleAll();
    const bool symbol = api.starts_with("cudaMemcpyFromSymbol");
    const bool rows = api.starts_with("cudaMemcpy2D") && arguments.count() >= 6;
    const bool plain = api == "cudaMemcpy" || api == "cudaMemcpyAsync";
    if (!(symbol || rows || plain) || arguments.count() < 3) return;
    const bool async = api.ends_with("Async");
    m_stream = async ? arguments.pointer(arguments.count() - 1) : StreamOrder::legacyDefault;
    cuda.copies.settleAhead(m_stream); // the copy may read page-locked memory
    m_address = arguments.pointer(0);
    const std::uint64_t from = arguments.pointer(rows ? 2 : 1);
    if (cuda.device.holds(m_address)) {
        cuda.log.noteCopyTo(m_address);
        return;
    }
    m_copies = symbol || cuda.device.holds(from);
    if (!m_copies) return;
    m_bytes = std::uint64_t(arguments.integer(2));
    if (rows) m_bytes = std::uint64_t(arguments.integer(4)) * std::uint64_t(arguments.integer(5));
    const bool gaps = rows && arguments.integer(1) != arguments.integer(4);
    if (!async || gaps || !cuda.copies.pinned.holds(m_address)) return;
    m_lateOn = m_stream;
    m_before = cuda.copies.contents(m_address, m_bytes);
}

void RuntimeArrival::succeeded() {
    if (m_copies) m_cuda.copies.noteRead(m_bytes);
    if (m_lateOn)
        m_cuda.copies.arrived(*m_lateOn, m_address, m_bytes, std::move(m_before));
    else if (m_copies)
        m_cuda.order.hostWaitsFor(m_stream);
    m_cuda.copies.settle();
}

OperatorArrival::OperatorArrival(CudaContext& cuda, const TensorTable& table, const std::string& name,
                                 const PyItems& arguments)
    : m_cuda(cuda)
    , m_table(table)
    , m_name(name) {
    const std::string_view base = operatorBase(name);
    const bool intoTarget = base == "copy_";
    const TensorView* target = intoTarget && !arguments.empty() ? viewOf(table, arguments[0]) : nullptr;
    for (std::size_t i = intoTarget ? 1 : 0; i < arguments.size(); ++i) {
        const TensorView* view = viewOf(table, arguments[i]);
        if (!view) continue;
        m_fromDevice = m_fromDevice || !view->storage->onHost;
        m_toDevice = m_toDevice || view->storage->onHost;
        m_itemBytes = std::max<std::uint64_t>(m_itemBytes, tensor::byteSize(view->dtype));
        if (isConversion(base)) break; // another tensor only says where to
    }
    m_pins = pins(base, arguments);
    if (m_toDevice) cuda.copies.settleAhead(cuda.currentStream);
    if (!isConversion(base)) return;
    for (std::size_t i = 1; i < arguments.size(); ++i)
        if (const auto* flag = arguments[i].as<bool>()) {
            m_nonBlocking = *flag;
            break;
        }
    if (!target) return;
    m_target = arguments[0].as<TensorRef>()->handle;
    if (!target->storage->onHost) cuda.log.noteCopyTo(target->address());
    const bool late = m_nonBlocking && m_fromDevice && target->storage->onHost && target->isContiguous() &&
                      cuda.copies.pinned.holds(target->address());
    if (late)
        m_before = cuda.copies.contents(target->address(), bytesOf(*target));
    else if (target->storage->onHost)
        m_nonBlocking = false;
}

void OperatorArrival::ended(const PyItems& results) {
    if (results.empty()) return;
    const std::string_view base = operatorBase(m_name);
    const TensorView* made = m_target ? &m_table.at(m_target) : viewOf(m_table, results[0]);
    const bool onHost = made && made->storage->onHost;
    if (m_pins && onHost) m_cuda.copies.pinned.add(made->storage->address, made->storage->bytes);
    const bool number = results[0].as<double>() || results[0].as<std::int64_t>() || results[0].as<bool>();
    const bool brings = m_fromDevice && (onHost || number);
    if (brings) m_cuda.copies.noteRead(number ? m_itemBytes : bytesOf(*made));
    if (brings && onHost && m_nonBlocking && isConversion(base)) {
        // to() takes page-locked memory where it is asked not to block; so fresh memory is what was there.
        m_cuda.order.work(m_cuda.currentStream, m_name);
        const std::uint64_t bytes = bytesOf(*made);
        if (!m_target) {
            m_cuda.copies.pinned.add(made->storage->address, made->storage->bytes);
            m_before = m_cuda.copies.fresh(bytes);
        }
        m_cuda.copies.arrived(m_cuda.currentStream, made->address(), bytes, std::move(m_before));
        return;
    }
    const bool sends = m_toDevice && made && !onHost && isConversion(base) && !m_nonBlocking;
    if (brings || sends || (m_fromDevice && asksForSizes(base))) m_cuda.order.hostWaitsFor(m_cuda.currentStream);
    m_cuda.copies.settle();
}

} // namespace kernelarium::host
