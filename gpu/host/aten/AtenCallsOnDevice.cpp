// SPDX-License-Identifier: GPL-3.0-or-later
//
// ATen calls whose tensors stay on the device.
#include "gpu/host/aten/AtenCalls.h"
#include "gpu/host/backend/Raised.h"
#include "gpu/host/tensors/ValueTransfer.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::host {

namespace {

/// The value with tensors of the table, which are added to it.
PyValue tabled(const tensor::Value& value, const std::vector<TensorView>& tensors, std::size_t& next,
               TensorTable& table) {
    if (value.as<tensor::Tensor>()) return TensorRef{table.add(tensors.at(next++))};
    if (const auto* list = value.as<tensor::List>()) {
        PyItems items;
        for (const tensor::Value& item : *list)
            items.push_back(tabled(item, tensors, next, table));
        return PyValue::list(std::move(items));
    }
    return scalarOf(value);
}

} // namespace

void AtenCalls::noteComputedHere(std::string name, std::string why) {
    const auto known =
        std::find_if(m_here.begin(), m_here.end(), [&](const ComputedHere& one) { return one.name == name; });
    if (known == m_here.end()) m_here.push_back({std::move(name), std::move(why)});
}

void AtenCalls::checkTarget(const tensor::Tensor& made, const TensorView& target) const {
    if (made.shape() != target.shape)
        raise(fmt::format("output with shape {} doesn't match the broadcast shape {}", tensor::toString(target.shape),
                          tensor::toString(made.shape())));
}

/// CPU tensors among the arguments (numbers as tensors, indices) are brought to the device, as PyTorch does.
DeviceOperand AtenCalls::operandOf(const PyValue& value, std::string_view base) {
    if (const auto* t = value.as<TensorRef>()) {
        if (t->handle == 0) return {};
        TensorView view = m_table.at(t->handle);
        const tensor::Value shape(tensor::Tensor::shapeOnly(view.dtype, view.shape));
        if (view.storage->onHost) {
            const tensor::Tensor elements = m_table.gather(view, std::string(base));
            view = m_table.allocate(view.dtype, view.shape, false, "argument of " + std::string(base));
            m_table.scatter(view, elements);
        }
        return {shape, {std::move(view)}};
    }
    if (const auto* list = value.as<ListRef>()) {
        DeviceOperand all;
        tensor::List values;
        for (const PyValue& item : *list->items) {
            DeviceOperand one = operandOf(item, base);
            values.push_back(std::move(one.value));
            all.tensors.insert(all.tensors.end(), one.tensors.begin(), one.tensors.end());
        }
        all.value = std::move(values);
        return all;
    }
    return {toValue(value, std::string(base)), {}};
}

/// Batch normalisation in training moves its running statistics besides.
bool AtenCalls::movesStatistics(const CallArguments& arguments) {
    const bool normalises = arguments.base() == "batch_norm" || arguments.base() == "instance_norm";
    return normalises && arguments.boolean(5, false) && arguments.has(3) && arguments.has(4);
}

/// Takes them from the results, the first of which is the call's own.
void AtenCalls::storeStatistics(const CallArguments& arguments, std::vector<DeviceOperand>& results) {
    for (std::size_t i = 0; i < 2; ++i)
        if (auto copied = device()->copy(m_table.at(arguments.handle(3 + i)), results.at(1 + i).tensors.at(0)); !copied)
            failWith(copied.error(), arguments.name());
    results.resize(1);
}

std::optional<PyItems> AtenCalls::computeOnDevice(const CallArguments& arguments, std::optional<std::int64_t> target) {
    if (!device()) {
        noteComputedHere(arguments.name(), {});
        return std::nullopt;
    }
    std::vector<DeviceOperand> operands;
    for (const PyValue& item : arguments.items())
        operands.push_back(operandOf(item, arguments.base()));
    TensorView into;
    if (target) {
        std::vector<tensor::Value> shapes;
        for (const DeviceOperand& operand : operands)
            shapes.push_back(operand.value);
        const std::vector<tensor::Value> made = evaluate(arguments.name(), std::move(shapes), true);
        const auto* result = made.empty() ? nullptr : made.front().as<tensor::Tensor>();
        if (!result) refuse(arguments.name() + " with a result that is not a tensor");
        into = m_table.at(*target);
        checkTarget(*result, into);
    }
    const bool movesStatistics = !target && AtenCalls::movesStatistics(arguments);
    auto results = device()->compute(movesStatistics ? "aten." + std::string(arguments.base()) + "_training.running"
                                                     : arguments.name(),
                                     operands, target ? &into : nullptr, m_settings.seed + ++m_randomCalls);
    if (!results && results.error().code == "unsupported") {
        noteComputedHere(arguments.name(), results.error().message);
        return std::nullopt;
    }
    if (!results) failWith(results.error(), arguments.name());
    noteComputed(arguments.name());
    if (target) return PyItems{TensorRef{*target}};
    if (movesStatistics) storeStatistics(arguments, *results);
    PyItems items;
    for (const DeviceOperand& result : *results) {
        std::size_t next = 0;
        items.push_back(tabled(result.value, result.tensors, next, m_table));
    }
    return items;
}

} // namespace kernelarium::host
