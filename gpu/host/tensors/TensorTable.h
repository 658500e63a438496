// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/backend/Backend.h"
#include "gpu/host/tensors/DeviceOperators.h"
#include "gpu/host/tensors/PyValue.h"
#include "gpu/host/tensors/TensorView.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace kernelarium::host {

/// Every tensor of a run, by handle, and the way of their elements to and from this process.
///
/// A CUDA tensor lies in the backend's memory, a CPU tensor in the interpreted program's heap. Handles are
/// never given back: the shim's tensors have no destructors. Errors of the memory are raised (see Raised.h).
class TensorTable {
public:
    /// Told of elements that a reader takes although nobody wrote them: a sentence that names the tensor and
    /// element.
    using UnwrittenRead = std::function<void(const std::string& reader, const std::string& sentence)>;

    TensorTable(Memory& device, Memory& host, UnwrittenRead onUnwrittenRead);

    std::int64_t add(TensorView view);
    /// Raises RuntimeError on 0 (an undefined tensor), stops the run as crashed on a handle that was never
    /// given.
    [[nodiscard]] const TensorView& at(std::int64_t handle) const;
    [[nodiscard]] TensorView& at(std::int64_t handle);

    /// Fresh memory, never written; contiguous. Raises torch's out-of-memory error.
    [[nodiscard]] TensorView allocate(DType dtype, const Shape& sizes, bool onHost, const std::string& label);
    /// The same, holding these elements from the start.
    [[nodiscard]] TensorView allocateHolding(const tensor::Tensor& values, bool onHost, const std::string& label);
    /// A tensor over bytes that somebody else owns (from_blob).
    [[nodiscard]] TensorView adopt(std::uint64_t address, DType dtype, const Shape& sizes, const Shape& strides,
                                   bool onHost);

    /// The elements, in row-major order. Elements never written are reported to the listener in `reader`'s
    /// name.
    [[nodiscard]] tensor::Tensor gather(const TensorView& view, const std::string& reader) const;
    /// The same for who only reads them, and is done before this memory is used again: they are not copied where they
    /// lie side by side in this process.
    [[nodiscard]] tensor::Tensor borrow(const TensorView& view, const std::string& reader) const;
    /// As gather() without looking at what was written.
    [[nodiscard]] tensor::Tensor peek(const TensorView& view) const;
    /// Writes row-major elements of the view's own type.
    void scatter(const TensorView& view, const tensor::Tensor& values);
    /// Sets every element.
    void fill(const TensorView& view, double value);
    /// Fills a contiguous tensor with the tile's elements over and over; both are of one type.
    void repeat(const TensorView& view, const tensor::Tensor& tile);
    /// From now on large copies on the device are announced (with the bytes read and written) instead of made: the
    /// target keeps what it holds. For profiles, in which only addresses matter.
    using SkippedCopy = std::function<void(std::uint64_t bytes)>;
    void skipCopies(SkippedCopy onSkipped) { m_onSkippedCopy = std::move(onSkipped); }
    /// From now on elements that move within the device's memory do so there. Null: by way of this process.
    void moveOn(DeviceOperators* device) { m_mover = device; }
    /// The elements of a tensor of the same shape, converted to the target's type.
    void convert(const TensorView& to, const TensorView& from, const std::string& reader);
    /// Copies elements between tensors of one type and shape, what was never written stays so.
    void copyElements(const TensorView& to, const TensorView& from);
    /// The view itself when it is contiguous, else a fresh contiguous copy.
    [[nodiscard]] TensorView contiguous(const TensorView& view);
    [[nodiscard]] TensorView clone(const TensorView& view, const std::string& label);
    /// Index (row-major) of the first element with a byte that was never written.
    [[nodiscard]] std::optional<std::int64_t> firstUnwritten(const TensorView& view) const;

    [[nodiscard]] Memory& memoryOf(const TensorView& view) const { return view.storage->onHost ? m_host : m_device; }
    [[nodiscard]] std::size_t size() const { return m_views.size(); }

private:
    /// Whether the device moved the elements itself; false where it has no kernel for it.
    [[nodiscard]] bool movedThere(const TensorView& to, const TensorView& from) const;

    /// A contiguous tensor at the storage's address, or the error of not getting one.
    static TensorView placed(const Result<std::uint64_t>& address, const Memory& memory, Storage storage, DType dtype,
                             const Shape& sizes);
    void noteUnwritten(const TensorView& view, const std::string& reader) const;

    /// Calls visit(element offset in the storage, elements) for each run of elements that lie side by side.
    static void forEachRun(const TensorView& view, const std::function<void(std::int64_t, std::int64_t)>& visit);

    Memory& m_device;
    Memory& m_host;
    UnwrittenRead m_onUnwrittenRead;
    SkippedCopy m_onSkippedCopy;
    DeviceOperators* m_mover = nullptr;
    std::vector<TensorView> m_views; ///< handle - 1
};

/// "CUDA out of memory. Tried to allocate 2.00 GiB. ..."
[[nodiscard]] std::string outOfMemoryText(std::uint64_t bytes, const Memory& memory);

} // namespace kernelarium::host
