// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/DeviceReference.h"

#include "core/task/Cost.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace kernelarium::operators {

using tensor::DType;
using tensor::Value;

namespace {

std::uint64_t bytesOf(const task::Card& card, const task::Symbols& symbols) {
    std::uint64_t bytes = 0;
    const Result<std::vector<tensor::Shape>> shapes = task::tensorShapes(card, symbols);
    for (std::size_t i = 0; shapes && i < shapes->size(); ++i)
        bytes += std::uint64_t(tensor::elementCount((*shapes)[i])) * tensor::byteSize(card.tensors[i].dtype);
    return bytes;
}

/// Whether it was done.
bool roundLarge(Device& device, DeviceValue& value, std::uint64_t mostWideBytes) {
    std::uint64_t bytes = 0;
    for (const DeviceTensor& t : value.tensors)
        if (t.dtype == DType::Float64) bytes += std::uint64_t(t.count()) * tensor::byteSize(t.dtype);
    if (bytes <= mostWideBytes) return false;
    for (DeviceTensor& t : value.tensors)
        if (t.dtype == DType::Float64) t = converted(device, t, DType::Float32);
    return true;
}

bool anyPlaced(const verify::CallInputs& inputs) {
    return std::any_of(inputs.tensors.begin(), inputs.tensors.end(),
                       [](const tensor::Tensor& t) { return t.elsewhere() != nullptr; });
}

} // namespace

DeviceReference::DeviceReference(Machine& machine, KernelLibrary& library, task::Card card, task::Symbols symbols,
                                 ReferenceSettings settings, std::unique_ptr<verify::CardReference> onCpu)
    : m_machine(machine)
    , m_library(library)
    , m_card(std::move(card))
    , m_symbols(std::move(symbols))
    , m_settings(settings)
    , m_onCpu(std::move(onCpu)) {}

Result<std::unique_ptr<DeviceReference>> DeviceReference::create(Machine& machine, KernelLibrary& library,
                                                                 task::Card card, const std::string& size,
                                                                 ReferenceSettings settings) {
    Result<task::Symbols> symbols = card.size(size);
    if (!symbols) return symbols.error();
    Result<std::unique_ptr<verify::CardReference>> onCpu = verify::CardReference::create(card, size, settings.threads);
    if (!onCpu) return onCpu.error();
    return std::unique_ptr<DeviceReference>(
        new DeviceReference(machine, library, std::move(card), std::move(*symbols), settings, std::move(*onCpu)));
}

bool DeviceReference::float64IsQuick() const {
    if (m_settings.float64Rate <= 0) return true;
    constexpr double reached = 0.25; // of the rate, by kernels of ours
    const Result<task::Cost> cost = task::costOf(m_card, m_symbols);
    return !cost || cost->flops <= m_settings.mostSeconds * reached * m_settings.float64Rate;
}

void DeviceReference::decide() {
    if (m_place != Place::undecided) return;
    const std::uint64_t inputs = bytesOf(m_card, m_symbols), free = m_machine.freeBytes();
    const auto fits = [&](const GraphPlan& plan) { return inputs <= free && plan.bytes <= free - inputs; };
    const Result<GraphPlan> wide = planGraph(m_card, m_symbols, DType::Float64, m_machine.facts());
    if (!wide) return takeCpu(wide.error());
    m_place = fits(*wide) && float64IsQuick() ? Place::float64 : Place::float32;
}

std::vector<DeviceTensor> DeviceReference::there(Device& device, const verify::CallInputs& inputs) const {
    std::vector<DeviceTensor> tensors;
    for (const tensor::Tensor& t : inputs.tensors)
        tensors.push_back(m_settings.place && t.elsewhere() ? m_settings.place->tensors().at(t) : device.upload(t));
    return tensors;
}

Result<verify::CallInputs> DeviceReference::here(const verify::CallInputs& inputs) const {
    if (!m_settings.place || !anyPlaced(inputs)) return inputs;
    return m_settings.place->here(inputs);
}

void DeviceReference::takeCpu(const Error& why) {
    m_place = Place::cpu;
    m_whyCpu = why.message;
    m_checked.reset();
}

/// How far the first float32 answer is from float64; where it is too far, the CPU takes over.
void DeviceReference::checkFloat32(Device& device, std::span<const DeviceTensor> inputs,
                                   std::vector<AccuracySample> samples, std::stop_token stop) {
    constexpr double mostOfTolerance = 0.25;
    GraphOptions options;
    options.stop = std::move(stop);
    Result<Accuracy> accuracy = sampleAccuracy(device, m_card, m_symbols, inputs, std::move(samples), options);
    if (!accuracy && accuracy.error().code == "cancelled") throw Failure{accuracy.error()};
    m_checked = accuracy ? std::move(*accuracy) : Accuracy{{}, 0, accuracy.error().message};
    const double most = mostOfTolerance * m_card.tolerance.strict;
    if (m_checked->largestError > most)
        throw Failure{
            {"inaccurate", fmt::format("In float32 an output is off by {:.2g}, more than a reference may be ({:.2g}).",
                                       m_checked->largestError, most)}};
}

Result<Value> DeviceReference::onMachine(const verify::CallInputs& inputs, DType precision, std::stop_token stop) {
    const double before = m_library.compileSeconds();
    try {
        Device device(m_machine, &m_library, stop);
        std::vector<DeviceTensor> tensors = there(device, inputs);
        GraphOptions options;
        options.precision = precision;
        options.stop = stop;
        DeviceValue value = valueOf(evaluateGraph(device, m_card, m_symbols, tensors, options));
        constexpr std::uint64_t seed = 1;
        const bool check = m_place == Place::float32 && !m_checked;
        std::vector<AccuracySample> samples;
        if (check)
            samples = drawSamples(device, value, m_settings.samples, seed);
        else
            tensors.clear();
        if (precision == DType::Float64) m_rounded = roundLarge(device, value, m_settings.mostWideBytes);
        // Kept, it can be put away while float64 is evaluated: a card of 24 GB has not room for both.
        Value answer =
            m_settings.place && anyPlaced(inputs) ? m_settings.place->keep(value) : valueOf(downloaded(device, value));
        value = {};
        if (check) checkFloat32(device, tensors, std::move(samples), stop);
        m_compileSeconds += m_library.compileSeconds() - before;
        return answer;
    } catch (const Failure& failure) {
        m_compileSeconds += m_library.compileSeconds() - before;
        return failure.error;
    }
}

Result<Value> DeviceReference::evaluate(const verify::CallInputs& inputs, std::stop_token stop) {
    decide();
    while (m_place != Place::cpu) {
        const DType precision = m_place == Place::float64 ? DType::Float64 : DType::Float32;
        Result<Value> value = onMachine(inputs, precision, stop);
        if (value) noteTypes(*value);
        if (value || value.error().code == "cancelled") return value;
        const bool narrower = m_place == Place::float64 && value.error().code == "out_of_memory";
        if (narrower)
            m_place = Place::float32;
        else
            takeCpu(value.error());
    }
    const Result<verify::CallInputs> onHost = here(inputs);
    if (!onHost) return onHost.error();
    Result<Value> value = m_onCpu->evaluate(*onHost, stop);
    m_outputTypes = m_onCpu->outputTypes();
    return value;
}

Result<std::optional<Value>> DeviceReference::evaluateFloat32(const verify::CallInputs& inputs, std::stop_token stop) {
    decide();
    if (m_place == Place::float32) return std::optional<Value>();
    if (m_place == Place::float64) {
        Result<Value> value = onMachine(inputs, DType::Float32, stop);
        if (value) return std::optional(std::move(*value));
        if (value.error().code == "cancelled") return value.error();
    }
    const Result<verify::CallInputs> onHost = here(inputs);
    if (!onHost) return onHost.error();
    return m_onCpu->evaluateFloat32(*onHost, stop);
}

void DeviceReference::noteTypes(const Value& value) {
    const auto first = std::find_if(m_card.tensors.begin(), m_card.tensors.end(),
                                    [](const task::CardTensor& t) { return tensor::isFloating(t.dtype); });
    const DType floating = first == m_card.tensors.end() ? DType::Float32 : first->dtype;
    m_outputTypes.clear();
    for (const tensor::Tensor& output : verify::flatten(value))
        m_outputTypes.push_back(tensor::isFloating(output.dtype()) ? floating : output.dtype());
}

std::string DeviceReference::describe() const {
    if (m_place == Place::cpu) return m_onCpu->describe() + " on the CPU";
    const std::string graph = fmt::format("graph of task {} on {}", m_card.key(), m_machine.facts().name);
    if (m_place != Place::float32) return "float64 " + graph + (m_rounded ? ", rounded to float32" : "");
    if (!m_checked) return "float32 " + graph;
    if (!m_checked->skipped.empty()) return "float32 " + graph + ", not checked against float64";
    return fmt::format("float32 {}, largest error of {} sampled outputs against float64 {:.2g}", graph,
                       m_checked->samples.size(), m_checked->largestError);
}

std::string DeviceReference::remark() const {
    if (m_place == Place::cpu)
        return fmt::format("The reference was evaluated on the CPU, not on {}: {}", m_machine.facts().name, m_whyCpu);
    if (m_place == Place::float32 && m_checked && !m_checked->skipped.empty())
        return "The reference is float32 and was not checked against float64: " + m_checked->skipped;
    return {};
}

} // namespace kernelarium::operators
