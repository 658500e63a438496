// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/tensors/PyValue.h"
#include "gpu/host/tensors/TensorTable.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kernelarium::host {

/// The dtype and device that a factory or a conversion asks for, where it does.
struct PlacementOptions {
    std::optional<DType> dtype;
    std::optional<DeviceRef> device;
};

/// Arguments of an ATen call by position, in the types that its schema gives. What does not fit is raised as
/// a TypeError that names the call and the position; a missing argument reads as None.
class CallArguments {
public:
    CallArguments(std::string name, PyItems items, TensorTable& table);

    [[nodiscard]] const std::string& name() const { return m_name; } ///< "aten.sum.dim_IntList"
    [[nodiscard]] std::string_view base() const { return m_base; }   ///< "sum"
    [[nodiscard]] std::string_view overload() const { return m_overload; }

    [[nodiscard]] std::size_t count() const { return m_items.size(); }
    [[nodiscard]] const PyItems& items() const { return m_items; }
    [[nodiscard]] const PyValue& at(std::size_t i) const;
    [[nodiscard]] bool has(std::size_t i) const { return !at(i).isNone(); }

    [[nodiscard]] TensorTable& table() const { return m_table; }
    [[nodiscard]] std::int64_t handle(std::size_t i) const;
    [[nodiscard]] const TensorView& tensor(std::size_t i) const;
    [[nodiscard]] std::int64_t integer(std::size_t i) const;
    [[nodiscard]] std::int64_t integer(std::size_t i, std::int64_t otherwise) const;
    [[nodiscard]] std::optional<std::int64_t> optionalInteger(std::size_t i) const;
    [[nodiscard]] double number(std::size_t i) const; ///< a scalar, or a tensor with one element
    [[nodiscard]] bool boolean(std::size_t i, bool otherwise) const;
    [[nodiscard]] Shape integers(std::size_t i) const; ///< one integer counts as a list of one

    /// The first dtype and the first device among the arguments from `from` on: where options stand in the
    /// schema (dtype, layout, device, pin_memory) there is nothing else of these kinds.
    [[nodiscard]] PlacementOptions options(std::size_t from) const;

    /// A memory format at position i; `otherwise` where it is None or missing.
    [[nodiscard]] MemoryFormat format(std::size_t i, MemoryFormat otherwise = MemoryFormat::contiguous) const;

    [[noreturn]] void reject(std::size_t i, std::string_view wanted) const;

private:
    std::string m_name;
    std::string m_base;
    std::string m_overload;
    PyItems m_items;
    TensorTable& m_table;
};

/// The value of a tensor with one element, as Python's item() gives it; raises on more.
[[nodiscard]] PyValue itemOf(const TensorTable& table, const TensorView& view, const std::string& reader);

} // namespace kernelarium::host
