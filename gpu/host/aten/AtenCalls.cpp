// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/aten/AtenCalls.h"

#include "core/task/OperatorCost.h"
#include "core/task/operators/Operators.h"
#include "gpu/host/backend/Raised.h"
#include "gpu/host/tensors/ValueTransfer.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kernelarium::host {

namespace {

void collectHandles(const PyValue& value, std::vector<std::int64_t>& out) {
    if (const auto* t = value.as<TensorRef>(); t && t->handle != 0) out.push_back(t->handle);
    if (const auto* list = value.as<ListRef>())
        for (const PyValue& item : *list->items)
            collectHandles(item, out);
}

std::vector<std::int64_t> handlesIn(const CallArguments& arguments) {
    std::vector<std::int64_t> handles;
    for (const PyValue& item : arguments.items())
        collectHandles(item, handles);
    return handles;
}

/// Operators whose tensor arguments may lie on different devices, as PyTorch allows it.
bool mixesDevices(std::string_view base) {
    constexpr std::array names{"index", "index_put_", "index_put", "_index_put_impl_"};
    return std::find(names.begin(), names.end(), base) != names.end();
}

bool fillsRandomly(std::string_view base) {
    constexpr std::array names{"normal_", "uniform_", "random_", "bernoulli_", "exponential_"};
    return std::find(names.begin(), names.end(), base) != names.end();
}

/// The functional operator behind `op.out` or `op.<overload>_out`.
std::string withoutOut(const CallArguments& arguments) {
    const std::string base = "aten." + std::string(arguments.base()) + ".";
    const std::string_view overload = arguments.overload();
    if (overload.size() > 4 && overload.ends_with("_out"))
        return base + std::string(overload.substr(0, overload.size() - 4));
    for (const char* candidate : {"default", "Tensor", "int", "dim", "input", "Tensor_Tensor"})
        if (task::knowsOperator(base + candidate)) return base + candidate;
    return arguments.name();
}

/// A result that is one of the arguments becomes a copy of it: these are only lent.
void takeOver(tensor::Value& result, const std::vector<tensor::Value>& arguments) {
    const auto* made = result.as<tensor::Tensor>();
    if (!made || !made->defined()) return;
    std::vector<tensor::Tensor> lent;
    for (const tensor::Value& argument : arguments)
        tensor::collectTensors(argument, lent);
    if (std::any_of(lent.begin(), lent.end(), [&](const tensor::Tensor& t) { return t.sharesElements(*made); }))
        result = made->clone();
}

[[noreturn]] void raiseFrom(const Error& error) {
    if (error.code == "unsupported") refuse(error.message);
    if (error.code == "out_of_memory") throw Raised{"torch.OutOfMemoryError", "CUDA out of memory. " + error.message};
    raise(error.message);
}

} // namespace

AtenCalls::AtenCalls(TensorTable& table, Settings settings)
    : m_table(table)
    , m_settings(std::move(settings)) {
    m_table.moveOn(device());
}

PyItems AtenCalls::call(const std::string& name, PyItems arguments) {
    const CallArguments call(name, std::move(arguments), m_table);
    PyItems results;
    if (callView(call, results) || callFactory(call, results) || callCopy(call, results)) return results;
    const std::string_view base = call.base();
    if (call.overload() == "out" || call.overload().ends_with("_out")) {
        if (call.count() == 0) call.reject(0, "Tensor");
        const std::size_t last = call.count() - 1;
        const std::int64_t target = call.handle(last);
        PyItems inputs(call.items().begin(), call.items().end() - 1);
        return computeInto(CallArguments(withoutOut(call), std::move(inputs), m_table), target);
    }
    if (base.ends_with('_') && !base.starts_with('_')) return computeInto(call, call.handle(0));
    return compute(call);
}

tensor::Value AtenCalls::toValue(const PyValue& value, const std::string& reader) const {
    if (const auto* t = value.as<TensorRef>()) {
        if (t->handle == 0) return {};
        const TensorView& view = m_table.at(t->handle);
        if (onlyCosts() && !view.storage->onHost) return tensor::Tensor::shapeOnly(view.dtype, view.shape);
        return m_table.borrow(view, reader); // operators are pure
    }
    if (const auto* list = value.as<ListRef>()) {
        tensor::List items;
        for (const PyValue& item : *list->items)
            items.push_back(toValue(item, reader));
        return items;
    }
    if (const auto* b = value.as<bool>()) return *b;
    if (const auto* i = value.as<std::int64_t>()) return *i;
    if (const auto* d = value.as<double>()) return *d;
    if (const auto* s = value.as<std::string>()) return *s;
    if (const auto* t = value.as<DType>()) return *t;
    return {}; // None; where results go is decided by resultOnHost
}

bool AtenCalls::resultOnHost(const CallArguments& arguments) const {
    if (const auto device = arguments.options(0).device) return device->index < 0;
    const std::vector<std::int64_t> handles = handlesIn(arguments);
    if (handles.empty()) return true;
    bool anyHost = false, anyDevice = false;
    for (std::int64_t handle : handles) {
        const TensorView& view = m_table.at(handle);
        if (!view.storage->onHost)
            anyDevice = true;
        else if (view.dim() > 0)
            anyHost = true;
    }
    if (anyHost && anyDevice && !mixesDevices(arguments.base()))
        raise("Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!");
    return !anyDevice;
}

std::vector<tensor::Value> AtenCalls::evaluate(const std::string& name, std::vector<tensor::Value> arguments,
                                               bool shapesOnly) {
    task::OperatorContext context;
    context.stop = m_settings.stop;
    context.threads = m_settings.threads;
    context.memoryLimit = m_settings.memoryLimit;
    context.shapesOnly = shapesOnly;
    context.seed = m_settings.seed + ++m_randomCalls;
    auto results = task::evaluateOperator(name, arguments, {}, context);
    if (!results) failWith(results.error(), name);
    return std::move(*results);
}

void AtenCalls::failWith(const Error& error, const std::string& name) const {
    if (error.code == "timeout") throw RunStopped{verify::RunEnd::timeout, name + " reached the time limit"};
    if (error.code == "device_lost" || error.code == "launch_failed")
        throw RunStopped{verify::RunEnd::crashed, name + ": " + error.message};
    if (error.code != "cancelled") raiseFrom(error);
    if (std::chrono::steady_clock::now() < m_settings.deadline)
        throw RunStopped{verify::RunEnd::cancelled, "cancelled"};
    throw RunStopped{verify::RunEnd::timeout, name + " reached the time limit"};
}

PyValue AtenCalls::store(const tensor::Value& value, bool onHost, const std::string& name) {
    if (const auto* t = value.as<tensor::Tensor>()) {
        const std::string label = "output of " + name;
        TensorView made = t->defined() ? m_table.allocateHolding(*t, onHost, label)
                                       : m_table.allocate(t->dtype(), t->shape(), onHost, label);
        return TensorRef{m_table.add(std::move(made))};
    }
    if (const auto* list = value.as<tensor::List>()) {
        PyItems items;
        for (const tensor::Value& item : *list)
            items.push_back(store(item, onHost, name));
        return PyValue::list(std::move(items));
    }
    return scalarOf(value);
}

/// The arguments with their elements; what a random fill overwrites is not read.
std::vector<tensor::Value> AtenCalls::gatherAll(const CallArguments& arguments) const {
    std::vector<tensor::Value> values;
    for (const PyValue& item : arguments.items()) {
        const bool overwritten = values.empty() && fillsRandomly(arguments.base());
        if (overwritten)
            values.emplace_back(tensor::Tensor(arguments.tensor(0).dtype, arguments.tensor(0).shape));
        else
            values.push_back(toValue(item, arguments.name()));
    }
    return values;
}

/// batch_norm and instance_norm in training move their running statistics: (.., running_mean, running_var, training,
/// ..) from 3 on.
void AtenCalls::updateRunningStatistics(const CallArguments& arguments, const std::vector<tensor::Value>& values) {
    if (!movesStatistics(arguments)) return;
    const auto updated = evaluate("aten." + std::string(arguments.base()) + "_update.running", values);
    for (std::size_t i = 0; i < 2; ++i)
        if (const auto* t = updated.at(i).as<tensor::Tensor>())
            m_table.scatter(m_table.at(arguments.handle(3 + i)), t->to(arguments.tensor(3 + i).dtype));
}

/// The operator's results; without elements where it is only costed.
std::vector<tensor::Value> AtenCalls::evaluateCall(const CallArguments& arguments, bool onHost) {
    const std::vector<tensor::Value> values = gatherAll(arguments);
    if (!onlyCosts() || onHost) {
        std::vector<tensor::Value> results = evaluate(arguments.name(), values);
        updateRunningStatistics(arguments, values);
        for (tensor::Value& result : results)
            takeOver(result, values);
        return results;
    }
    task::Node node;
    node.op = arguments.name();
    const task::NodeShape shape{values, {}, evaluate(arguments.name(), values, true)};
    std::vector<tensor::Tensor> tensors;
    for (const tensor::Value& value : shape.arguments)
        tensor::collectTensors(value, tensors);
    for (const tensor::Value& value : shape.results)
        tensor::collectTensors(value, tensors);
    perf::LibraryCall call{arguments.name(), task::flopsOf(node, shape)};
    if (!task::isView(node, shape))
        for (const tensor::Tensor& t : tensors)
            call.bytes += double(t.byteCount());
    noteCost(std::move(call));
    return shape.results;
}

PyItems AtenCalls::compute(const CallArguments& arguments) {
    const bool onHost = resultOnHost(arguments);
    if (!onHost && !onlyCosts())
        if (std::optional<PyItems> made = computeOnDevice(arguments, std::nullopt)) return *std::move(made);
    PyItems results;
    for (const tensor::Value& value : evaluateCall(arguments, onHost))
        results.push_back(store(value, onHost, arguments.name()));
    noteComputed(arguments.name());
    return results;
}

PyItems AtenCalls::computeInto(const CallArguments& arguments, std::int64_t target) {
    const bool onHost = resultOnHost(arguments);
    if (!onHost && !onlyCosts() && !m_table.at(target).storage->onHost)
        if (std::optional<PyItems> done = computeOnDevice(arguments, target)) return *std::move(done);
    const std::vector<tensor::Value> results = evaluateCall(arguments, onHost);
    const auto* made = results.empty() ? nullptr : results.front().as<tensor::Tensor>();
    if (!made) refuse(arguments.name() + " with a result that is not a tensor");
    const TensorView view = m_table.at(target);
    checkTarget(*made, view);
    if (!made->isShapeOnly()) m_table.scatter(view, made->to(view.dtype));
    noteComputed(arguments.name());
    return {TensorRef{target}};
}

} // namespace kernelarium::host
