// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/DeviceWorkplace.h"

#include "gpu/operators/DeviceComparison.h"
#include "gpu/operators/DeviceFill.h"
#include "gpu/operators/DeviceFindings.h"
#include "gpu/operators/DeviceInputs.h"
#include "gpu/operators/Elementwise.h"

namespace kernelarium::operators {

using tensor::DType;
using tensor::Tensor;
using tensor::Value;

namespace {

constexpr std::int64_t tileElements = 1 << 20; ///< of a tensor that does not fit beside others

/// What work() gives, or why it failed.
template <class Work> auto foundOnDevice(Work work) -> Result<decltype(work())> {
    try {
        return work();
    } catch (const Failure& failure) {
        return failure.error;
    }
}

DeviceTensor cloned(Device& device, const DeviceTensor& t) {
    DeviceTensor copy = device.make(t.dtype, t.shape);
    valueOf(device.machine().copy(copy.address(), t.address(), std::uint64_t(t.count()) * tensor::byteSize(t.dtype)));
    return copy;
}

/// Both in one type: the one that they share, or float64.
void shareType(Device& device, DeviceTensor& a, DeviceTensor& b) {
    if (a.dtype == b.dtype) return;
    a = operators::converted(device, a, DType::Float64);
    b = operators::converted(device, b, DType::Float64);
}

} // namespace

void DeviceWorkplace::begin(std::stop_token stop) {
    m_stop = std::move(stop);
    device().setStop(m_stop);
}

Value DeviceWorkplace::keepOf(const Value& value, const std::vector<DeviceTensor>& tensors, std::size_t& next) {
    if (value.as<Tensor>()) return m_tensors.keep(tensors.at(next++));
    if (const auto* list = value.as<tensor::List>()) {
        tensor::List kept;
        for (const Value& v : *list)
            kept.push_back(keepOf(v, tensors, next));
        return kept;
    }
    if (const auto* dict = value.as<tensor::Dict>()) {
        tensor::Dict kept;
        for (const auto& [key, v] : *dict)
            kept.emplace_back(key, keepOf(v, tensors, next));
        return kept;
    }
    return value;
}

Value DeviceWorkplace::keep(const DeviceValue& value) {
    std::size_t next = 0;
    return keepOf(value.value, value.tensors, next);
}

Result<verify::CallInputs> DeviceWorkplace::here(const verify::CallInputs& inputs) {
    return foundOnDevice([&] {
        verify::CallInputs all;
        for (const Tensor& t : inputs.tensors)
            all.tensors.push_back(m_tensors.here(t));
        return all;
    });
}

Result<Tensor> DeviceWorkplace::draw(const verify::TensorPlan& plan, std::size_t index, std::uint64_t seed,
                                     std::uint32_t stream) {
    return foundOnDevice([&] {
        const auto make = [this, plan, index, seed, stream] {
            return valueOf(drawTensor(device(), plan, index, seed, stream));
        };
        return m_tensors.keep(make(), make);
    });
}

Result<Tensor> DeviceWorkplace::scaled(const Tensor& t, double factor) {
    return foundOnDevice([&] {
        return m_tensors.keep(compute(device(), {"Scale", DType::Float64, {factor}}, t.dtype(), {m_tensors.at(t)}));
    });
}

Result<Tensor> DeviceWorkplace::mixed(const Tensor& t, const Tensor& other,
                                      const std::vector<verify::Sampling>& changed) {
    return foundOnDevice([&] {
        const DeviceTensor from = m_tensors.at(other), copy = cloned(device(), m_tensors.at(t));
        const std::uint64_t size = tensor::byteSize(t.dtype());
        for (const verify::Sampling& s : changed) {
            // Neighbours go in one copy: each call has a fixed cost, and a run may have a million elements.
            const std::int64_t together = s.step == 1 ? s.count : 1;
            for (std::int64_t i = 0; i < s.count; i += together) {
                const std::uint64_t offset = std::uint64_t(s.first + i * s.step) * size;
                valueOf(device().machine().copy(copy.address() + offset, from.address() + offset,
                                                std::uint64_t(together) * size));
            }
        }
        return m_tensors.keep(copy);
    });
}

Result<Tensor> DeviceWorkplace::filled(const Tensor& like, double value) {
    return foundOnDevice([&] {
        const DeviceTensor t = device().make(like.dtype(), like.shape());
        fill(device(), t, value);
        return m_tensors.keep(t);
    });
}

Result<Tensor> DeviceWorkplace::converted(const Tensor& t, DType type, tensor::Shape shape) {
    return foundOnDevice([&] {
        const Tensor same =
            t.dtype() == type ? t : m_tensors.keep(operators::converted(device(), m_tensors.at(t), type));
        return same.reshaped(std::move(shape));
    });
}

Result<std::vector<double>> DeviceWorkplace::elements(const Tensor& t, const verify::Sampling& which) {
    return foundOnDevice([&] { return sampled(device(), m_tensors.at(t), which.first, which.step, which.count); });
}

Result<double> DeviceWorkplace::rms(const Tensor& t) {
    return foundOnDevice([&] { return valueOf(rootMeanSquare(device(), m_tensors.at(t))); });
}

Result<double> DeviceWorkplace::mean(const Tensor& t) {
    return foundOnDevice([&] { return t.count() ? sumOf(device(), m_tensors.at(t)).sum / double(t.count()) : 0.0; });
}

Result<bool> DeviceWorkplace::allFinite(const Tensor& t) {
    return foundOnDevice([&] { return sumOf(device(), m_tensors.at(t)).notFinite == 0; });
}

Result<bool> DeviceWorkplace::sameBits(const Tensor& a, const Tensor& b) {
    if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
    if (a.sharesElements(b)) return true;
    return foundOnDevice([&] {
        const DeviceTensor left = m_tensors.at(a), right = m_tensors.at(b);
        return !valueOf(firstDifferentByte(device(), left.address(), right.address(), a.byteCount()));
    });
}

Result<verify::Comparison> DeviceWorkplace::compare(const Value& got, const Value& reference,
                                                    const std::vector<DType>& expectedTypes,
                                                    const verify::Tolerance& tolerance) {
    return foundOnDevice([&] {
        if (std::string why = verify::containerError(got, reference); !why.empty()) {
            verify::Comparison other;
            other.structureError = std::move(why);
            return other;
        }
        const std::vector<Tensor> gotHere = verify::flatten(got), references = verify::flatten(reference);
        std::vector<DeviceTensor> outputs;
        for (std::size_t o = 0; o < gotHere.size(); ++o) {
            if (!gotHere[o].defined() && !gotHere[o].elsewhere()) {
                verify::Comparison undefined;
                undefined.structureError = "output " + std::to_string(o) + " is an undefined tensor";
                return undefined;
            }
            outputs.push_back(m_tensors.at(gotHere[o]));
        }
        CompareOptions options;
        options.tolerance = tolerance;
        options.stop = m_stop;
        // References that are in this process's memory, or that found no room beside the outputs, go there by tiles.
        if (const std::optional<std::vector<Tensor>> apart = inThisProcess(references)) {
            options.tileElements = tileElements;
            return valueOf(
                operators::compare(device(), outputs, std::span<const Tensor>(*apart), expectedTypes, options));
        }
        std::vector<DeviceTensor> there;
        for (const Tensor& t : references)
            there.push_back(m_tensors.at(t));
        return valueOf(
            operators::compare(device(), outputs, std::span<const DeviceTensor>(there), expectedTypes, options));
    });
}

/// Whether all of them can be on the device at a time.
bool DeviceWorkplace::fit(const std::vector<Tensor>& tensors) {
    std::vector<PlacedTensors::Lying> all;
    std::uint64_t bytes = 0;
    for (const Tensor& t : tensors)
        bytes += all.emplace_back(m_tensors.lying(t)).bytesToBring();
    return bytes <= m_tensors.machine().freeBytes();
}

/// The tensors' elements where none of them is on the device and, of those that were, not all would fit there.
std::optional<std::vector<Tensor>> DeviceWorkplace::inThisProcess(const std::vector<Tensor>& tensors) {
    std::vector<Tensor> here;
    bool wereThere = false;
    for (const Tensor& t : tensors) {
        PlacedTensors::Lying lying = m_tensors.lying(t);
        if (lying.there) return std::nullopt;
        wereThere = wereThere || t.elsewhere();
        here.push_back(std::move(lying.here));
    }
    if (wereThere && fit(tensors)) return std::nullopt;
    return here;
}

Result<verify::MovementSums> DeviceWorkplace::movement(const Tensor& output0, const Tensor& output1,
                                                       const Tensor& reference0, const Tensor& reference1) {
    return foundOnDevice([&] {
        const bool sameTypes = output0.dtype() == output1.dtype() && reference0.dtype() == reference1.dtype();
        if (sameTypes && !fit({output0, output1, reference0, reference1}))
            return movementByTiles(m_tensors, {output0, output1, reference0, reference1}, tileElements);
        DeviceTensor out0 = m_tensors.at(output0), out1 = m_tensors.at(output1);
        DeviceTensor ref0 = m_tensors.at(reference0), ref1 = m_tensors.at(reference1);
        shareType(device(), out0, out1);
        shareType(device(), ref0, ref1);
        return movementOf(device(), out0, out1, ref0, ref1);
    });
}

Result<verify::ErrorMap> DeviceWorkplace::errorMap(const Value& got, const Value& reference, std::size_t output,
                                                   const std::vector<DType>& expectedTypes,
                                                   const verify::Tolerance& tolerance) {
    return foundOnDevice([&] {
        const Tensor gotHere = verify::flatten(got).at(output), expected = verify::flatten(reference).at(output);
        const DType type = output < expectedTypes.size() ? expectedTypes[output] : expected.dtype();
        return errorMapOf(device(), m_tensors.at(gotHere), m_tensors.at(expected), output, type, tolerance);
    });
}

} // namespace kernelarium::operators
