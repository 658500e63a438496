// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/memory/WorkplaceKeeper.h"

#include "gpu/operators/DeviceFill.h"
#include "gpu/operators/Elementwise.h"

namespace kernelarium::device {

namespace {

using operators::Device;
using operators::DeviceTensor;
using operators::valueOf;

std::uint64_t denseBytes(const DeviceTensor& t) {
    return std::uint64_t(t.count()) * tensor::byteSize(t.dtype);
}

DeviceTensor seenIn(Device& device, const host::TensorView& view) {
    return operators::borrowed(device.machine(), view.address(), view.dtype, view.shape, view.strides);
}

template <class Work> auto movedThere(Work work) -> Result<decltype(work())> {
    try {
        return work();
    } catch (const operators::Failure& failure) {
        return failure.error;
    }
}

} // namespace

Result<void> WorkplaceKeeper::put(const host::TensorView& view, const tensor::Tensor& kept) {
    const auto done = movedThere([&] {
        if (view.count() == 0) return true;
        const DeviceTensor from = m_tensors.at(kept), to = seenIn(m_tensors.device(), view);
        if (to.isContiguous())
            valueOf(m_tensors.machine().copy(to.address(), from.address(), denseBytes(from)));
        else
            operators::copyInto(m_tensors.device(), to, from);
        return true;
    });
    if (!done) return done.error();
    return {};
}

Result<tensor::Tensor> WorkplaceKeeper::keep(const host::TensorView& view) {
    return movedThere([&] {
        Device& device = m_tensors.device();
        const DeviceTensor from = seenIn(device, view), own = device.make(view.dtype, view.shape);
        if (from.count() > 0) {
            if (from.isContiguous())
                valueOf(device.machine().copy(own.address(), from.address(), denseBytes(own)));
            else
                operators::copyInto(device, own, from);
        }
        return m_tensors.keep(own);
    });
}

Result<bool> WorkplaceKeeper::holds(const host::TensorView& view, const tensor::Tensor& kept) {
    if (view.dtype != kept.dtype() || view.count() != kept.count()) return false;
    return movedThere([&] {
        const DeviceTensor there = operators::dense(m_tensors.device(), seenIn(m_tensors.device(), view));
        const DeviceTensor own = m_tensors.at(kept);
        return !valueOf(
            operators::firstDifferentByte(m_tensors.device(), there.address(), own.address(), denseBytes(own)));
    });
}

} // namespace kernelarium::device
