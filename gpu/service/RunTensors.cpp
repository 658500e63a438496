// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/service/RunTensors.h"

#include "core/quantities/Quantities.h"
#include "core/verify/Comparison.h"
#include "core/verify/Poison.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::service {

using tensorview::Answer;
using tensorview::Elements;
using tensorview::Entry;
using tensorview::Query;
using tensorview::Role;
using tensorview::Subject;

namespace {

const Error cancelledError{"cancelled", "Cancelled."};

/// The first of them, and how many there are.
std::string faultsOf(const verify::RunResult& run) {
    if (run.faults.empty()) return run.guardViolations.empty() ? std::string() : run.guardViolations.front();
    const verify::Fault& first = run.faults.front();
    std::uint64_t count = run.guardViolations.size();
    for (const verify::Fault& fault : run.faults)
        count += fault.count;
    std::string text = quantities::counted(double(count), "fault") + (count > 1 ? ", the first: " : ": ");
    text += first.message;
    while (text.ends_with('.'))
        text.pop_back();
    if (!first.kernel.empty())
        text += fmt::format(" (kernel {}{})", first.kernel, first.line > 0 ? fmt::format(", line {}", first.line) : "");
    return text + ".";
}

} // namespace

RunTensors::RunTensors(std::string key, protocol::RunParameters parameters, RunSubject subject,
                       std::unique_ptr<verify::Runner> runner)
    : m_key(std::move(key))
    , m_parameters(std::move(parameters))
    , m_subject(std::move(subject))
    , m_runner(std::move(runner))
    , m_whyNoReference(m_subject.reference ? std::string()
                                           : "Nothing says what the outputs should be: there is neither a task nor "
                                             "another kernel to compare with.") {}

verify::RunRequest RunTensors::request(std::stop_token stop) const {
    verify::RunRequest run;
    run.arguments = m_inputs.arguments;
    run.outputs = verify::outputsOf(m_subject.plan);
    run.poison = verify::firstPoison;
    run.checks = m_parameters.checks;
    run.timeLimit = m_parameters.timeLimit;
    run.returnArguments = false;
    run.stop = stop;
    return run;
}

Result<void> RunTensors::run(const Service::Progress& progress, std::stop_token stop) {
    if (m_run) return {};
    progress("inputs");
    m_inputs.tensors = verify::drawTensors(m_subject.plan, m_parameters.seed);
    m_inputs.arguments = verify::argumentsOf(m_subject.plan, m_inputs.tensors);
    progress("run");
    Result<verify::RunResult> result = m_runner->run(request(stop));
    if (!result) return result.error();
    if (result->end == verify::RunEnd::cancelled) return cancelledError;
    if (result->end == verify::RunEnd::host_exception)
        if (std::optional<Error> wants = wantsArguments(m_parameters, result->reason)) return *wants;
    m_run = std::move(*result);
    if (m_run->end == verify::RunEnd::finished)
        for (const tensor::Tensor& output : verify::flatten(m_run->output))
            m_outputs.push_back(output);
    return {};
}

Result<void> RunTensors::evaluateReference(const Service::Progress& progress, std::stop_token stop) {
    if (m_referenceTried || !m_subject.reference) return {};
    progress("reference");
    Result<tensor::Value> value = m_subject.reference->evaluate(m_inputs, stop);
    if (!value && value.error().code == "cancelled") return value.error();
    m_referenceTried = true;
    if (!value) {
        m_whyNoReference = value.error().text();
        return {};
    }
    m_reference = verify::flatten(*value);
    m_expectedTypes = m_subject.reference->outputTypes();
    return {};
}

bool RunTensors::isComparable(std::size_t output) const {
    if (output >= m_outputs.size() || output >= m_reference.size()) return false;
    const tensor::Tensor &got = m_outputs[output], &expected = m_reference[output];
    return got.defined() && expected.defined() &&
           verify::withoutUnits(got.shape()) == verify::withoutUnits(expected.shape());
}

tensor::DType RunTensors::expectedType(std::size_t output) const {
    return output < m_expectedTypes.size() ? m_expectedTypes[output] : m_reference[output].dtype();
}

std::vector<Entry> RunTensors::entries() const {
    std::vector<Entry> list;
    for (std::size_t k = 0; k < m_outputs.size(); ++k)
        if (m_outputs[k].defined()) list.push_back({{Role::output, k}, {}, m_outputs[k].dtype(), m_outputs[k].shape()});
    if (m_referenceTried) {
        for (std::size_t k = 0; k < m_reference.size(); ++k)
            if (m_reference[k].defined())
                list.push_back({{Role::reference, k}, {}, m_reference[k].dtype(), m_reference[k].shape()});
    } else if (m_subject.reference) { // as many as the kernel gives: what they are like is not known yet
        for (std::size_t k = 0; k < m_outputs.size(); ++k)
            list.push_back({{Role::reference, k}, {}, tensor::DType::Float64, m_outputs[k].shape()});
    }
    for (std::size_t k = 0; k < m_outputs.size(); ++k)
        if (m_outputs[k].defined() && (isComparable(k) || (m_subject.reference && !m_referenceTried))) {
            const Entry of{{Role::difference, k}, {}, tensor::DType::Float64, m_outputs[k].shape()};
            list.push_back(of);
            if (!isComparable(k)) continue;
            const Elements elements(m_outputs[k], m_reference[k]);
            list.back().dtype = elements.dtype();
            list.back().shape = elements.shape();
        }
    for (std::size_t k = 0; k < m_subject.plan.tensors.size(); ++k) {
        const verify::TensorPlan& plan = m_subject.plan.tensors[k];
        list.push_back({{Role::input, k}, plan.name, plan.dtype, plan.shape});
    }
    return list;
}

Error RunTensors::noSuchTensor(const Subject& subject) const {
    std::string names;
    for (const Entry& entry : entries())
        names += (names.empty() ? "" : ", ") + tensorview::toString(entry.subject);
    std::string why = fmt::format("This run has no tensor {}.", tensorview::toString(subject));
    if (m_run->end != verify::RunEnd::finished) {
        const bool isSentence = m_run->reason.ends_with('.');
        why +=
            fmt::format(" It ended early ({}): {}{}", protocol::name(m_run->end), m_run->reason, isSentence ? "" : ".");
    } else if (subject.role == Role::reference || subject.role == Role::difference)
        why += m_whyNoReference.empty() ? " The output's shape is not the reference's." : " " + m_whyNoReference;
    return {"no_such_tensor", why, names.empty() ? "" : "There are " + names + "."};
}

Result<Elements> RunTensors::elementsOf(const Subject& subject) const {
    const std::size_t k = subject.number;
    if (subject.role == Role::input && k < m_inputs.tensors.size()) return Elements(m_inputs.tensors[k]);
    if (subject.role == Role::output && k < m_outputs.size() && m_outputs[k].defined()) return Elements(m_outputs[k]);
    if (subject.role == Role::reference && k < m_reference.size() && m_reference[k].defined())
        return Elements(m_reference[k]);
    if (subject.role == Role::difference && isComparable(k)) return Elements(m_outputs[k], m_reference[k]);
    return noSuchTensor(subject);
}

Result<Answer> RunTensors::answer(const Query& query, const Service::Progress& progress, std::stop_token stop) {
    if (Result<void> ran = run(progress, stop); !ran) return ran.error();
    if (query.asksForReference())
        if (Result<void> there = evaluateReference(progress, stop); !there) return there.error();
    Answer answer;
    answer.end = std::string(protocol::name(m_run->end));
    answer.reason = m_run->reason;
    answer.faults = faultsOf(*m_run);
    answer.backend = m_runner->backend();
    answer.size = m_parameters.size;
    answer.seed = m_parameters.seed;
    answer.namesWriters = m_runner->capabilities().namesWriters && m_parameters.checks;
    answer.tensors = entries();
    answer.whyNoReference = m_whyNoReference;
    if (Result<void> seen = look(query, answer, progress, stop); !seen) return seen.error();
    if (query.worst)
        if (Result<void> compared = compare(query, answer, stop); !compared) return compared.error();
    if (query.asksForWriters())
        if (Result<void> found = findWriters(query, answer, progress, stop); !found) return found.error();
    if (stop.stop_requested()) return cancelledError;
    return answer;
}

Result<void> RunTensors::look(const Query& query, Answer& answer, const Service::Progress& progress,
                              std::stop_token stop) const {
    const bool slice = query.slice || !query.sliceText.empty();
    if (!query.statistics && !query.histogram && !slice) return {};
    Result<Elements> elements = elementsOf(query.subject);
    if (!elements) return elements.error();
    if (slice) {
        progress("slice");
        tensorview::SliceRequest wanted = query.slice.value_or(tensorview::SliceRequest{});
        if (!query.sliceText.empty()) {
            Result<tensorview::SliceRequest> parsed = tensorview::parseSlice(query.sliceText, elements->shape());
            if (!parsed) return parsed.error();
            parsed->mostRows = wanted.mostRows;
            parsed->mostColumns = wanted.mostColumns;
            parsed->join = wanted.join;
            wanted = std::move(*parsed);
        }
        Result<tensorview::Slice> read = tensorview::sliceOf(*elements, wanted, stop);
        if (!read) return read.error();
        answer.slice = std::move(*read);
    }
    if (query.statistics) {
        progress("statistics");
        answer.statistics = tensorview::statisticsOf(*elements, stop);
    }
    if (query.histogram) {
        progress("histogram");
        answer.histogram = tensorview::histogramOf(*elements, *query.histogram, stop);
    }
    return {};
}

Result<void> RunTensors::compare(const Query& query, Answer& answer, std::stop_token stop) const {
    const std::size_t k = query.subject.number;
    if (!isComparable(k)) return noSuchTensor({Role::difference, k});
    answer.wrong = tensorview::wrongElements(m_outputs[k], m_reference[k], expectedType(k), m_subject.tolerance,
                                             query.worst, stop);
    return {};
}

} // namespace kernelarium::service
