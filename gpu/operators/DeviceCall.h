// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/operators/Types.h"
#include "gpu/operators/Elementwise.h"

#include <utility>

namespace kernelarium::operators {

using NamedValue = std::pair<std::string, DeviceValue>;
using DeviceResults = std::vector<DeviceValue>;

/// The arguments of one operator on a device. Numbers and shapes are read through `host`, the room task's own
/// reader, and the shapes and types of the results are known before: the room has checked the call and
/// inferred them.
class DeviceCall {
public:
    DeviceCall(Device& device, const task::operators::Call& host, std::span<const DeviceValue> arguments,
               std::span<const NamedValue> keywords, std::span<const tensor::Value> results)
        : device(device)
        , host(host)
        , m_arguments(arguments)
        , m_keywords(keywords)
        , m_results(results) {}

    Device& device;
    const task::operators::Call& host;

    [[nodiscard]] DeviceTensor tensor(std::size_t index, std::string_view key) const;
    [[nodiscard]] std::optional<DeviceTensor> optionalTensor(std::size_t index, std::string_view key) const;
    [[nodiscard]] std::vector<DeviceTensor> tensors(std::size_t index, std::string_view key) const;
    /// A tensor or a number.
    [[nodiscard]] Operand operand(std::size_t index, std::string_view key) const;
    /// The argument as it is; null where it is missing or None.
    [[nodiscard]] const DeviceValue* find(std::size_t index, std::string_view key) const;

    /// Shape and type of a result that is a tensor.
    [[nodiscard]] tensor::DType type(std::size_t result = 0) const { return resultTensor(result).dtype(); }
    [[nodiscard]] const tensor::Shape& shape(std::size_t result = 0) const { return resultTensor(result).shape(); }
    [[nodiscard]] const tensor::Value& resultValue(std::size_t result) const { return m_results[result]; }
    [[nodiscard]] std::size_t resultCount() const { return m_results.size(); }
    /// A new tensor for a result.
    [[nodiscard]] DeviceTensor make(std::size_t result = 0) const { return device.make(type(result), shape(result)); }

    /// Another operator within this one, on this device: its results, or the one tensor.
    [[nodiscard]] DeviceResults applyAll(std::string_view op, std::vector<DeviceValue> arguments) const;
    [[nodiscard]] DeviceTensor apply(std::string_view op, std::vector<DeviceValue> arguments) const;

private:
    [[nodiscard]] const tensor::Tensor& resultTensor(std::size_t result) const;

    std::span<const DeviceValue> m_arguments;
    std::span<const NamedValue> m_keywords;
    std::span<const tensor::Value> m_results;
};

using DeviceFunction = DeviceResults (*)(const DeviceCall&);
/// An operator of a family, and what runs it.
struct DeviceEntry {
    std::string_view name;
    DeviceFunction function;
};
using DeviceFamily = std::span<const DeviceEntry>;
DeviceFamily devicePointwise();
DeviceFamily deviceArithmetic();
DeviceFamily deviceViews();
DeviceFamily deviceMovement();
DeviceFamily deviceMaking();
DeviceFamily deviceReductions();
DeviceFamily deviceNormalisations();
DeviceFamily deviceProducts();
DeviceFamily deviceConvolutions();
DeviceFamily devicePooling();
DeviceFamily deviceRecurrent();
DeviceFamily deviceLosses();
DeviceFamily deviceEinsum();

/// Runs one operator. Throws Failure: "unsupported" names an operator that has no kernel here; what the room
/// task says of a wrong call; "out_of_memory", "cancelled", "launch_failed". `seed` is that of random operators.
[[nodiscard]] DeviceResults runOperator(Device& device, std::string_view op, std::span<const DeviceValue> arguments,
                                        std::span<const NamedValue> keywords, std::uint64_t seed = 0);

/// Every operator that runs on a device, sorted.
[[nodiscard]] std::vector<std::string_view> deviceOperatorNames();

/// [batch..., m, k] x [batch..., k, n], batches broadcast; `bias` is added to each row.
[[nodiscard]] DeviceTensor multiplied(Device& device, const DeviceTensor& a, const DeviceTensor& b,
                                      const std::optional<DeviceTensor>& bias = {});

} // namespace kernelarium::operators
