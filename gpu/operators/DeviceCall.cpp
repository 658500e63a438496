// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/DeviceCall.h"

#include "core/task/operators/Operators.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

namespace kernelarium::operators {

using tensor::Tensor;
using tensor::Value;

const DeviceValue* DeviceCall::find(std::size_t index, std::string_view key) const {
    if (index < m_arguments.size()) return m_arguments[index].value.isNone() ? nullptr : &m_arguments[index];
    for (const auto& [name, value] : m_keywords)
        if (name == key) return value.value.isNone() ? nullptr : &value;
    return nullptr;
}

std::optional<DeviceTensor> DeviceCall::optionalTensor(std::size_t index, std::string_view key) const {
    const DeviceValue* value = find(index, key);
    if (!value || !value->value.as<Tensor>()) return std::nullopt;
    return value->tensors.at(0);
}
DeviceTensor DeviceCall::tensor(std::size_t index, std::string_view key) const {
    std::optional<DeviceTensor> t = optionalTensor(index, key);
    if (!t) throw Failure{{"bad_argument", fmt::format("{}: argument '{}' has to be a tensor.", host.name(), key)}};
    return *std::move(t);
}
std::vector<DeviceTensor> DeviceCall::tensors(std::size_t index, std::string_view key) const {
    const DeviceValue* value = find(index, key);
    return value ? value->tensors : std::vector<DeviceTensor>{};
}

Operand DeviceCall::operand(std::size_t index, std::string_view key) const {
    if (const auto t = optionalTensor(index, key)) return *t;
    const Tensor scalar = host.tensorOrScalar(index, key);
    if (scalar.dtype() == tensor::DType::Float64) return scalar.at(0);
    return std::int64_t(scalar.at(0));
}

const Tensor& DeviceCall::resultTensor(std::size_t result) const {
    const Tensor* t = result < m_results.size() ? m_results[result].as<Tensor>() : nullptr;
    if (!t) throw Failure{{"internal", fmt::format("{}: result {} is not a tensor.", host.name(), result)}};
    return *t;
}

DeviceResults DeviceCall::applyAll(std::string_view op, std::vector<DeviceValue> arguments) const {
    return runOperator(device, op, arguments, {});
}
DeviceTensor DeviceCall::apply(std::string_view op, std::vector<DeviceValue> arguments) const {
    return applyAll(op, std::move(arguments)).at(0).tensors.at(0);
}

namespace {

using DeviceRegistry = std::unordered_map<std::string_view, DeviceFunction>;

const DeviceRegistry& deviceRegistry() {
    static const DeviceRegistry all = [] {
        DeviceRegistry r;
        for (const DeviceFamily family :
             {devicePointwise(), deviceArithmetic(), deviceViews(), deviceMovement(), deviceMaking(),
              deviceReductions(), deviceNormalisations(), deviceProducts(), deviceConvolutions(), devicePooling(),
              deviceRecurrent(), deviceLosses(), deviceEinsum()})
            for (const DeviceEntry& entry : family)
                r.emplace(entry.name, entry.function);
        return r;
    }();
    return all;
}

/// "aten.add_.Tensor" to "aten.add.Tensor": what changes its operand gives the new value here.
std::string withoutInPlace(std::string_view op) {
    const std::size_t dot = op.rfind('.');
    if (dot == std::string_view::npos || dot < 2 || op[dot - 1] != '_' || op[dot - 2] == '_') return std::string(op);
    return std::string(op.substr(0, dot - 1)) + std::string(op.substr(dot));
}

/// What came out has to have the shapes and types that the reference's own evaluator would give.
void checkResults(std::string_view op, const DeviceResults& got, const std::vector<Value>& wanted) {
    std::vector<Tensor> expected;
    for (const Value& v : wanted)
        collectTensors(v, expected);
    std::size_t next = 0;
    for (const DeviceValue& v : got)
        for (const DeviceTensor& t : v.tensors)
            if (next >= expected.size() || t.shape != expected[next].shape() || t.dtype != expected[next].dtype())
                throw Failure{
                    {"internal",
                     fmt::format("{} gave {} {} on the device, the reference {} {}.", op, tensor::name(t.dtype),
                                 tensor::toString(t.shape),
                                 next < expected.size() ? tensor::name(expected[next].dtype()) : "no",
                                 next < expected.size() ? tensor::toString(expected[next].shape()) : "tensor")}};
            else
                ++next;
    if (next != expected.size())
        throw Failure{{"internal", fmt::format("{} gave {} tensors instead of {}.", op, next, expected.size())}};
}

} // namespace

DeviceResults runOperator(Device& device, std::string_view op, std::span<const DeviceValue> arguments,
                          std::span<const NamedValue> keywords, std::uint64_t seed) {
    device.checkStop();
    const std::string plain = withoutInPlace(op);
    const auto found = deviceRegistry().find(plain);
    if (found == deviceRegistry().end())
        throw Failure{{"unsupported", fmt::format("The operator {} has no kernel of ours.", op),
                       "Verify at small size, where the reference is computed on the CPU."}};
    std::vector<Value> values;
    for (const DeviceValue& a : arguments)
        values.push_back(a.value);
    tensor::Dict named;
    for (const auto& [key, a] : keywords)
        named.emplace_back(key, a.value);
    task::OperatorContext context;
    context.shapesOnly = true;
    context.seed = seed;
    const std::vector<Value> shapes = valueOf(task::evaluateOperator(op, values, named, context));
    const task::operators::Call host(plain, values, named, context);
    try {
        DeviceResults results = found->second(DeviceCall(device, host, arguments, keywords, shapes));
        checkResults(op, results, shapes);
        return results;
    } catch (const tensor::LayoutError& error) { // what is wrong with a call was found above
        throw Failure{{"internal", fmt::format("{} on the device: {}", op, error.what())}};
    }
}

std::vector<std::string_view> deviceOperatorNames() {
    std::vector<std::string_view> names;
    for (const auto& [name, function] : deviceRegistry())
        names.push_back(name);
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace kernelarium::operators
