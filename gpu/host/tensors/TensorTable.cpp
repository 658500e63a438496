// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/tensors/TensorTable.h"

#include "gpu/host/backend/Raised.h"
#include "gpu/host/tensors/StridedCopy.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::host {

namespace {

/// Copies of more elements than these are not made in profiles.
constexpr std::uint64_t leastSkipped = 1u << 16;
constexpr std::int64_t tileElements = 1 << 20;

void orRaise(const Result<void>& result) {
    if (!result) raise("CUDA error: " + result.error().text());
}

std::string sizeText(std::uint64_t bytes) {
    const double b = double(bytes);
    if (bytes >= 1ull << 30) return fmt::format("{:.2f} GiB", b / double(1ull << 30));
    if (bytes >= 1ull << 20) return fmt::format("{:.2f} MiB", b / double(1ull << 20));
    if (bytes >= 1ull << 10) return fmt::format("{:.2f} KiB", b / double(1ull << 10));
    return fmt::format("{} bytes", bytes);
}

/// Bytes that a fresh tensor of these sizes takes, with an eye on overflow.
std::uint64_t checkedBytes(DType dtype, const Shape& sizes) {
    std::uint64_t bytes = tensor::byteSize(dtype);
    for (std::int64_t s : sizes) {
        if (s < 0)
            raise(fmt::format("Trying to create tensor with negative dimension {}: {}", s, tensor::toString(sizes)));
        if (__builtin_mul_overflow(bytes, std::uint64_t(s), &bytes))
            raise("Storage size calculation overflowed with sizes=" + tensor::toString(sizes));
    }
    return bytes;
}

} // namespace

std::string outOfMemoryText(std::uint64_t bytes, const Memory& memory) {
    const std::uint64_t left = memory.capacity() - std::min(memory.capacity(), memory.used());
    return fmt::format(
        "CUDA out of memory. Tried to allocate {}. GPU 0 has a total capacity of {} of which {} is free.",
        sizeText(bytes), sizeText(memory.capacity()), sizeText(left));
}

TensorTable::TensorTable(Memory& device, Memory& host, UnwrittenRead onUnwrittenRead)
    : m_device(device)
    , m_host(host)
    , m_onUnwrittenRead(std::move(onUnwrittenRead)) {}

std::int64_t TensorTable::add(TensorView view) {
    m_views.push_back(std::move(view));
    return std::int64_t(m_views.size());
}

const TensorView& TensorTable::at(std::int64_t handle) const {
    if (handle == 0) raise("Expected a proper Tensor but got None (or an undefined Tensor in C++)");
    if (handle < 0 || handle > std::int64_t(m_views.size()))
        throw RunStopped{
            verify::RunEnd::crashed,
            fmt::format("segmentation fault: host code used a tensor that does not exist (handle {})", handle)};
    return m_views[std::size_t(handle - 1)];
}

TensorView& TensorTable::at(std::int64_t handle) {
    return const_cast<TensorView&>(std::as_const(*this).at(handle));
}

TensorView TensorTable::allocate(DType dtype, const Shape& sizes, bool onHost, const std::string& label) {
    const std::uint64_t bytes = checkedBytes(dtype, sizes);
    Memory& memory = onHost ? m_host : m_device;
    return placed(memory.allocate(std::max<std::uint64_t>(bytes, 1), label), memory, {0, bytes, onHost, label}, dtype,
                  sizes);
}

TensorView TensorTable::allocateHolding(const tensor::Tensor& values, bool onHost, const std::string& label) {
    const std::uint64_t bytes = checkedBytes(values.dtype(), values.shape());
    Memory& memory = onHost ? m_host : m_device;
    return placed(memory.allocateHolding(values.bytes(), label), memory, {0, bytes, onHost, label}, values.dtype(),
                  values.shape());
}

TensorView TensorTable::placed(const Result<std::uint64_t>& address, const Memory& memory, Storage storage, DType dtype,
                               const Shape& sizes) {
    if (!address) {
        if (address.error().code != "out_of_memory") raise(address.error().text());
        throw Raised{"torch.OutOfMemoryError", outOfMemoryText(storage.bytes, memory)};
    }
    storage.address = *address;
    TensorView view;
    view.storage = std::make_shared<Storage>(std::move(storage));
    view.dtype = dtype;
    static_cast<tensor::Layout&>(view) = tensor::Layout(sizes);
    return view;
}

TensorView TensorTable::adopt(std::uint64_t address, DType dtype, const Shape& sizes, const Shape& strides,
                              bool onHost) {
    checkedBytes(dtype, sizes);
    TensorView view;
    view.dtype = dtype;
    static_cast<tensor::Layout&>(view) = strides.empty() ? tensor::Layout(sizes) : tensor::Layout(sizes, strides);
    view.storage = std::make_shared<Storage>(Storage{address, 0, onHost, "from_blob"});
    if (view.count() > 0) view.storage->bytes = std::uint64_t(view.reach().second) * tensor::byteSize(dtype);
    return view;
}

void TensorTable::forEachRun(const TensorView& view, const std::function<void(std::int64_t, std::int64_t)>& visit) {
    if (view.count() == 0) return;
    // The innermost dimensions that lie side by side make one run.
    std::int64_t run = 1;
    std::size_t outer = view.shape.size();
    while (outer > 0 && (view.shape[outer - 1] == 1 || view.strides[outer - 1] == run))
        run *= view.shape[--outer];
    Shape index(outer, 0);
    std::int64_t at = view.offset;
    for (;;) {
        visit(at, run);
        std::size_t d = outer;
        while (d > 0) {
            --d;
            at += view.strides[d];
            if (++index[d] < view.shape[d]) break;
            at -= view.strides[d] * view.shape[d];
            index[d] = 0;
            if (d == 0) return;
        }
        if (outer == 0) return;
    }
}

tensor::Tensor TensorTable::peek(const TensorView& view) const {
    tensor::Tensor out = tensor::Tensor::uninitialised(view.dtype, view.shape);
    if (view.count() == 0) return out;
    const std::size_t width = tensor::byteSize(view.dtype);
    const Memory& memory = memoryOf(view);
    if (view.isContiguous()) {
        orRaise(memory.read(view.address(), out.bytes()));
        return out;
    }
    const auto [low, high] = view.reach();
    const std::uint64_t start = view.storage->address + std::uint64_t(low) * width;
    const std::uint64_t reached = std::uint64_t(high - low) * width;
    std::vector<std::byte> raw;
    const std::byte* from = memory.lend(start, reached);
    if (!from) {
        raw.resize(reached);
        orRaise(memory.read(start, raw));
        from = raw.data();
    }
    copyStrided(view, width, from, low, out.bytes().data());
    return out;
}

std::optional<std::int64_t> TensorTable::firstUnwritten(const TensorView& view) const {
    if (view.count() == 0) return {};
    const auto width = std::uint64_t(tensor::byteSize(view.dtype));
    const Memory& memory = memoryOf(view);
    const auto [low, high] = view.reach();
    const auto any =
        memory.firstUnwritten(view.storage->address + std::uint64_t(low) * width, std::uint64_t(high - low) * width);
    if (!any) return {};
    if (view.isContiguous()) return std::int64_t(*any / width);
    std::optional<std::int64_t> found;
    std::int64_t passed = 0;
    forEachRun(view, [&](std::int64_t at, std::int64_t count) {
        if (!found) {
            const auto offset =
                memory.firstUnwritten(view.storage->address + std::uint64_t(at) * width, std::uint64_t(count) * width);
            if (offset) found = passed + std::int64_t(*offset / width);
        }
        passed += count;
    });
    return found;
}

tensor::Tensor TensorTable::gather(const TensorView& view, const std::string& reader) const {
    noteUnwritten(view, reader);
    return peek(view);
}

tensor::Tensor TensorTable::borrow(const TensorView& view, const std::string& reader) const {
    const std::byte* elements = nullptr;
    if (view.count() > 0 && view.isContiguous())
        elements = memoryOf(view).lend(view.address(), std::uint64_t(view.count()) * tensor::byteSize(view.dtype));
    if (!elements || !tensor::Tensor::isAligned(elements)) return gather(view, reader);
    noteUnwritten(view, reader);
    return tensor::Tensor::lent(view.dtype, view.shape, elements);
}

void TensorTable::noteUnwritten(const TensorView& view, const std::string& reader) const {
    if (const auto index = firstUnwritten(view))
        m_onUnwrittenRead(reader, fmt::format("{} reads element {} of {} {}, which was never written", reader, *index,
                                              view.storage->label, tensor::toString(view.shape)));
}

void TensorTable::scatter(const TensorView& view, const tensor::Tensor& values) {
    if (view.count() == 0) return;
    Memory& memory = memoryOf(view);
    const std::size_t width = tensor::byteSize(view.dtype);
    if (view.isContiguous()) {
        orRaise(memory.write(view.address(), values.bytes()));
        return;
    }
    const std::byte* from = values.bytes().data();
    if (memory.isRemote()) {
        // The whole span comes here, is changed, and goes back: two transfers instead of one for each run.
        const auto [low, high] = view.reach();
        const std::uint64_t start = view.storage->address + std::uint64_t(low) * width;
        std::vector<std::byte> raw(std::size_t(high - low) * width);
        orRaise(memory.read(start, raw));
        forEachRun(view, [&, first = low](std::int64_t at, std::int64_t count) {
            std::copy_n(from, std::size_t(count) * width, raw.data() + std::size_t(at - first) * width);
            from += std::size_t(count) * width;
        });
        return orRaise(memory.write(start, raw));
    }
    forEachRun(view, [&](std::int64_t at, std::int64_t count) {
        const std::size_t bytes = std::size_t(count) * width;
        orRaise(memory.write(view.storage->address + std::uint64_t(at) * width, {from, bytes}));
        from += bytes;
    });
}

void TensorTable::repeat(const TensorView& view, const tensor::Tensor& tile) {
    if (view.count() == 0 || tile.count() == 0) return;
    const std::uint64_t bytes = std::uint64_t(view.count()) * tensor::byteSize(view.dtype);
    orRaise(memoryOf(view).repeat(view.address(), bytes, tile.bytes()));
}

void TensorTable::fill(const TensorView& view, double value) {
    if (view.count() == 0) return;
    const bool whole = view.isContiguous();
    const std::uint64_t bytes = std::uint64_t(view.count()) * tensor::byteSize(view.dtype);
    if (whole && value == 0.0) return orRaise(memoryOf(view).fill(view.address(), bytes, 0));
    if (m_mover && !view.storage->onHost) {
        const Result<void> filled = m_mover->fill(view, value);
        if (filled || filled.error().code != "unsupported") return orRaise(filled);
    }
    tensor::Tensor values(view.dtype, whole ? Shape{std::min(view.count(), tileElements)} : view.shape);
    if (value != 0.0)
        for (std::int64_t i = 0; i < values.count(); ++i)
            values.set(i, value);
    if (whole)
        repeat(view, values);
    else
        scatter(view, values);
}

bool TensorTable::movedThere(const TensorView& to, const TensorView& from) const {
    if (!m_mover || to.storage->onHost || from.storage->onHost) return false;
    const Result<void> moved = m_mover->copy(to, from);
    if (!moved && moved.error().code == "unsupported") return false;
    orRaise(moved);
    return true;
}

void TensorTable::convert(const TensorView& to, const TensorView& from, const std::string& reader) {
    if (from.count() == 0 || movedThere(to, from)) return;
    scatter(to, gather(from, reader).to(to.dtype));
}

void TensorTable::copyElements(const TensorView& to, const TensorView& from) {
    if (from.count() == 0) return;
    const std::uint64_t width = tensor::byteSize(from.dtype);
    if (m_onSkippedCopy && !to.storage->onHost && !from.storage->onHost) {
        m_onSkippedCopy(2 * std::uint64_t(from.count()) * width);
        if (std::uint64_t(from.count()) > leastSkipped) return;
    }
    const bool oneMemory = to.storage->onHost == from.storage->onHost;
    if (oneMemory && to.isContiguous() && from.isContiguous()) {
        orRaise(memoryOf(to).copy(to.address(), from.address(), std::uint64_t(from.count()) * width));
    } else if (oneMemory && movedThere(to, from)) {
        return;
    } else if (!firstUnwritten(from)) {
        scatter(to, peek(from));
    } else if (!oneMemory) {
        // Only a copy inside one memory can carry the marks along; across the bus the bytes are read for
        // good.
        scatter(to, gather(from, "copy between devices"));
    } else {
        // Element by element, so that what was never written stays so at its new place.
        std::vector<std::uint64_t> sources;
        sources.reserve(std::size_t(from.count()));
        forEachRun(from, [&](std::int64_t at, std::int64_t count) {
            for (std::int64_t i = 0; i < count; ++i)
                sources.push_back(from.storage->address + std::uint64_t(at + i) * width);
        });
        std::size_t next = 0;
        forEachRun(to, [&](std::int64_t at, std::int64_t count) {
            for (std::int64_t i = 0; i < count; ++i)
                orRaise(memoryOf(to).copy(to.storage->address + std::uint64_t(at + i) * width, sources[next++], width));
        });
    }
}

TensorView TensorTable::contiguous(const TensorView& view) {
    return view.isContiguous() ? view : clone(view, "contiguous copy of " + view.storage->label);
}

TensorView TensorTable::clone(const TensorView& view, const std::string& label) {
    TensorView out = allocate(view.dtype, view.shape, view.storage->onHost, label);
    copyElements(out, view);
    return out;
}

} // namespace kernelarium::host
