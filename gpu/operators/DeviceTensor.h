// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/Layout.h"
#include "core/tensor/Value.h"
#include "gpu/operators/Machine.h"

#include <memory>

namespace kernelarium::operators {

/// A piece of a machine's memory, released when nobody holds it, or one that belongs to somebody else.
class Storage {
public:
    enum class Belongs { here, elsewhere };
    Storage(Machine& machine, std::uint64_t address, std::uint64_t bytes, Belongs belongs = Belongs::here)
        : m_machine(machine)
        , m_address(address)
        , m_bytes(bytes)
        , m_belongs(belongs) {}
    ~Storage() {
        if (m_belongs == Belongs::elsewhere) return;
        [[maybe_unused]] const auto released = m_machine.release(m_address);
    }
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;

    [[nodiscard]] std::uint64_t address() const { return m_address; }
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }

private:
    Machine& m_machine;
    std::uint64_t m_address;
    std::uint64_t m_bytes;
    Belongs m_belongs;
};

/// A strided array in a machine's memory. Copies and views share the elements, which nobody changes once they
/// are written.
struct DeviceTensor : tensor::Layout {
    tensor::DType dtype = tensor::DType::Float32;
    std::shared_ptr<const Storage> storage;

    [[nodiscard]] std::uint64_t address() const {
        return storage->address() + std::uint64_t(offset * std::int64_t(tensor::byteSize(dtype)));
    }
    /// A tensor without elements of this shape and type.
    [[nodiscard]] tensor::Tensor shapeOnly() const { return tensor::Tensor::shapeOnly(dtype, shape); }
};

/// A tensor over memory that somebody else keeps: an output of a kernel under test, say.
[[nodiscard]] DeviceTensor borrowed(Machine& machine, std::uint64_t address, tensor::DType dtype, tensor::Shape shape,
                                    tensor::Shape strides);

/// What an operator takes and gives: a value whose tensors have shapes only, and those tensors on the device,
/// depth first.
struct DeviceValue {
    tensor::Value value;
    std::vector<DeviceTensor> tensors;

    DeviceValue() = default;
    DeviceValue(DeviceTensor t)
        : value(t.shapeOnly())
        , tensors{std::move(t)} {}
    DeviceValue(tensor::Value v) // of numbers, texts and lists of such
        : value(std::move(v)) {}
    DeviceValue(tensor::Value v, std::vector<DeviceTensor> t)
        : value(std::move(v))
        , tensors(std::move(t)) {}
};
/// A list of tensors as one value.
[[nodiscard]] DeviceValue listOf(const std::vector<DeviceTensor>& tensors);

// Views: no element moves.
/// Another view of the same storage; one without elements begins where the tensor does.
[[nodiscard]] DeviceTensor seen(const DeviceTensor& t, tensor::Layout view);
[[nodiscard]] DeviceTensor permuted(const DeviceTensor& t, const tensor::Shape& order);
[[nodiscard]] DeviceTensor swapped(const DeviceTensor& t, std::int64_t a,
                                   std::int64_t b); ///< from the end if negative
/// Broadcast: leading dimensions and those of size 1 repeat.
[[nodiscard]] DeviceTensor expanded(const DeviceTensor& t, const tensor::Shape& shape);
/// `length` elements from `start` on along a dimension.
[[nodiscard]] DeviceTensor sliced(const DeviceTensor& t, std::int64_t dim, std::int64_t start, std::int64_t length);
/// Several views of the same storage as one value.
[[nodiscard]] DeviceValue listOf(const DeviceTensor& t, const std::vector<tensor::Layout>& views);
/// One place of a dimension, without it.
[[nodiscard]] DeviceTensor selected(const DeviceTensor& t, std::int64_t dim, std::int64_t index);
/// With a dimension of size 1 put in.
[[nodiscard]] DeviceTensor withUnit(const DeviceTensor& t, std::int64_t dim);

} // namespace kernelarium::operators
