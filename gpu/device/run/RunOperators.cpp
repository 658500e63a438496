// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/run/RunOperators.h"

#include "gpu/operators/PlanningMachine.h"

#include <algorithm>

namespace kernelarium::device {

using host::DeviceOperand;
using host::TensorView;
using operators::DeviceTensor;
using operators::DeviceValue;
using operators::Failure;
using operators::valueOf;
using tensor::DType;

namespace {

bool overlap(const TensorView& a, const TensorView& b) {
    return a.storage->address < b.storage->address + b.storage->bytes &&
           b.storage->address < a.storage->address + a.storage->bytes;
}

bool sameElements(const TensorView& a, const TensorView& b) {
    return a.address() == b.address() && a.dtype == b.dtype && a.shape == b.shape && a.strides == b.strides;
}

DType common(DType a, DType b, DType c) {
    if (a == DType::Float64 || b == DType::Float64 || c == DType::Float64) return DType::Float64;
    return a == b && b == c ? a : DType::Float32;
}

std::int64_t stepOfBatch(const TensorView& view) {
    return view.shape[0] > 1 ? view.strides[0] : 0;
}

operators::MatrixProduct productOf(const host::DeviceProduct& p) {
    operators::MatrixProduct q;
    q.dtype = p.c.dtype;
    q.batches = p.c.shape[0], q.m = p.c.shape[1], q.n = p.c.shape[2], q.k = p.a.shape[2];
    q.a = p.a.address(), q.b = p.b.address(), q.c = p.c.address();
    q.aBatch = stepOfBatch(p.a), q.aRow = p.a.strides[1], q.aColumn = p.a.strides[2];
    q.bBatch = stepOfBatch(p.b), q.bRow = p.b.strides[1], q.bColumn = p.b.strides[2];
    q.cBatch = stepOfBatch(p.c), q.cRow = p.c.strides[1];
    q.alpha = p.alpha, q.beta = p.beta;
    q.byCublasLt = p.byCublasLt;
    return q;
}

} // namespace

RunOperators::RunOperators(const OperatorParts& parts, host::Backend& memory, RunMachine::Listener listener,
                           std::stop_token stop)
    : m_machine(*parts.machine, memory, parts.vendors, std::move(listener))
    , m_library(*parts.library)
    , m_device(m_machine, parts.library, std::move(stop)) {}

RunOperators::~RunOperators() = default;

template <class Work> auto RunOperators::guarded(const std::string& name, Work work) -> Result<decltype(work())> {
    try {
        m_machine.begin(name);
        m_machine.place(std::nullopt);
        return work();
    } catch (const Failure& failure) {
        return failure.error;
    } catch (const std::exception& problem) {
        return Error{"internal", name + ": " + problem.what()};
    }
}

DeviceTensor RunOperators::tensorOf(const TensorView& view) {
    return operators::borrowed(m_machine, view.address(), view.dtype, view.shape, view.strides);
}

/// Compiles what the operator needs, all at once, and finds out whether its result can be made where it is wanted: it
/// is an allocation of its own, and nothing that is still read lies there.
std::optional<RunMachine::Placement> RunOperators::prepare(const std::string& name, const Values& values,
                                                           const std::vector<DeviceOperand>& arguments,
                                                           const TensorView* into, std::uint64_t seed) {
    operators::PlanningMachine planner(m_machine);
    operators::Device planning(planner, nullptr);
    const operators::DeviceResults planned = operators::runOperator(planning, name, values, {}, seed);
    const std::vector<operators::Kernel> kernels(planning.kernels().begin(), planning.kernels().end());
    valueOf(m_library.prepare(m_machine, kernels));
    if (!into || !into->isContiguous() || planned.size() != 1 || planned[0].tensors.size() != 1) return std::nullopt;
    const DeviceTensor& result = planned[0].tensors[0];
    const auto allocation = planner.allocationOf(result.storage->address());
    if (!allocation || !result.isContiguous() || result.offset != 0 || result.dtype != into->dtype) return std::nullopt;
    const bool oneByOne =
        planner.launches() == 1 && planner.libraryCalls() == 0 && kernels.size() == 1 && kernels[0].file == "pointwise";
    for (const DeviceOperand& argument : arguments)
        for (const TensorView& view : argument.tensors)
            if (overlap(view, *into) && !(oneByOne && sameElements(view, *into))) return std::nullopt;
    return RunMachine::Placement{*allocation, into->address()};
}

/// The result as a tensor of its own, dense: copied where it shares elements with an argument or another result.
TensorView RunOperators::kept(const DeviceTensor& result, const std::string& name) {
    DeviceTensor own = result;
    const bool shared = std::any_of(m_results.begin(), m_results.end(),
                                    [&](const auto& storage) { return storage->address() == own.storage->address(); });
    if (shared || !own.isContiguous() || own.offset != 0 || !m_machine.owns(own.storage->address())) {
        own = m_device.make(result.dtype, result.shape);
        operators::copyInto(m_device, own, result);
    }
    m_results.push_back(own.storage);
    TensorView view;
    view.storage = std::make_shared<host::Storage>(
        host::Storage{own.storage->address(), own.storage->bytes(), false, "output of " + name});
    view.dtype = own.dtype;
    static_cast<tensor::Layout&>(view) = tensor::Layout(own.shape);
    return view;
}

std::vector<DeviceOperand> RunOperators::handedOver(const operators::DeviceResults& results, const std::string& name) {
    std::vector<DeviceOperand> all;
    for (const DeviceValue& result : results) {
        DeviceOperand one{result.value, {}};
        for (const DeviceTensor& t : result.tensors)
            one.tensors.push_back(kept(t, name));
        all.push_back(std::move(one));
    }
    return all;
}

Result<std::vector<DeviceOperand>> RunOperators::compute(const std::string& name,
                                                         const std::vector<DeviceOperand>& arguments,
                                                         const TensorView* into, std::uint64_t randomCall) {
    return guarded(name, [&] {
        Values values;
        for (const DeviceOperand& argument : arguments) {
            std::vector<DeviceTensor> tensors;
            for (const TensorView& view : argument.tensors)
                tensors.push_back(tensorOf(view));
            values.emplace_back(argument.value, std::move(tensors));
        }
        const auto placement = prepare(name, values, arguments, into, randomCall);
        m_machine.place(placement);
        const operators::DeviceResults results = operators::runOperator(m_device, name, values, {}, randomCall);
        m_machine.place(std::nullopt);
        if (!into) return handedOver(results, name);
        if (results.empty() || results[0].tensors.empty())
            throw Failure{{"unsupported", name + " has no result that is a tensor."}};
        if (!placement) operators::copyInto(m_device, tensorOf(*into), results[0].tensors[0]);
        return std::vector<DeviceOperand>{};
    });
}

Result<void> RunOperators::copy(const TensorView& to, const TensorView& from) {
    const auto done = guarded("copy", [&] {
        if (to.count() == 0) return true;
        DeviceTensor source = tensorOf(from);
        if (overlap(to, from) && !sameElements(to, from)) { // elements may be written before they are read
            source = m_device.make(from.dtype, from.shape);
            operators::copyInto(m_device, source, tensorOf(from));
        }
        if (to.dtype == from.dtype && to.isContiguous() && source.isContiguous())
            valueOf(
                m_machine.copy(to.address(), source.address(), std::uint64_t(to.count()) * tensor::byteSize(to.dtype)));
        else
            operators::copyInto(m_device, tensorOf(to), source);
        return true;
    });
    if (!done) return done.error();
    return {};
}

Result<void> RunOperators::fill(const TensorView& to, double value) {
    const auto done = guarded("fill", [&] {
        if (to.count() > 0) operators::fill(m_device, tensorOf(to), value);
        return true;
    });
    if (!done) return done.error();
    return {};
}

/// By kernels of ours, in the widest of the types: alpha * product + beta * c.
void RunOperators::multiplyByKernels(const host::DeviceProduct& p) {
    const DType type = common(p.a.dtype, p.b.dtype, p.c.dtype);
    const DeviceTensor c = tensorOf(p.c);
    if (p.a.shape[2] == 0 || p.alpha == 0) {
        if (p.beta == 0)
            operators::fill(m_device, c, 0);
        else
            operators::computeInto(m_device, {"Scale", type == DType::Float64 ? type : DType::Float32, {p.beta}}, c,
                                   std::array{operators::Operand(c)});
        return;
    }
    const DType work = type == DType::Float64 ? type : DType::Float32;
    DeviceTensor product = operators::multiplied(m_device, operators::converted(m_device, tensorOf(p.a), work),
                                                 operators::converted(m_device, tensorOf(p.b), work));
    if (p.alpha != 1) product = operators::compute(m_device, {"Scale", work, {p.alpha}}, work, {product});
    if (p.beta == 0)
        operators::copyInto(m_device, c, product);
    else
        operators::computeInto(m_device, {"AddScaled", work, {p.beta}}, c,
                               std::array{operators::Operand(product), operators::Operand(c)});
}

Result<void> RunOperators::multiply(const host::DeviceProduct& p, const std::string& api) {
    const auto done = guarded(api, [&] {
        if (p.c.count() == 0) return true;
        const operators::MatrixProduct q = productOf(p);
        const bool oneType = p.a.dtype == p.c.dtype && p.b.dtype == p.c.dtype;
        const bool byLibrary = oneType && p.c.strides[2] == 1 && p.alpha != 0 && m_machine.multiplies(q);
        if (byLibrary)
            valueOf(m_machine.multiply(q));
        else
            multiplyByKernels(p);
        return true;
    });
    if (!done) return done.error();
    return {};
}

} // namespace kernelarium::device
