// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensorview/Query.h"
#include "core/verify/Runner.h"
#include "gpu/protocol/RunMessages.h"
#include "gpu/service/RunSubject.h"
#include "gpu/service/Server.h"

#include <memory>
#include <string>

namespace kernelarium::service {

/// One run of a kernel whose tensors are kept to be looked at, with the right answer once that is asked for. Everything
/// lies in this process's memory.
class RunTensors {
public:
    /// The subject's reference may be null. Nothing is run yet.
    RunTensors(std::string key, protocol::RunParameters parameters, RunSubject subject,
               std::unique_ptr<verify::Runner> runner);

    /// What the request that it was made for said of the run: another one with the same key may ask it.
    [[nodiscard]] const std::string& key() const { return m_key; }

    /// Errors: "cancelled"; "no_such_tensor", which names those that there are; "bad_input" of a slice or an element;
    /// "unsupported" where writers are asked for and the backend cannot name them, checks are off or the kernel gives
    /// its outputs other addresses in each run; those of runner and reference.
    Result<tensorview::Answer> answer(const tensorview::Query& query, const Service::Progress& progress,
                                      std::stop_token stop);

private:
    Result<void> run(const Service::Progress& progress, std::stop_token stop);
    Result<void> evaluateReference(const Service::Progress& progress, std::stop_token stop);
    [[nodiscard]] verify::RunRequest request(std::stop_token stop) const;
    [[nodiscard]] std::vector<tensorview::Entry> entries() const;
    [[nodiscard]] bool isComparable(std::size_t output) const;
    [[nodiscard]] tensor::DType expectedType(std::size_t output) const;
    Result<tensorview::Elements> elementsOf(const tensorview::Subject& subject) const;
    Result<void> look(const tensorview::Query& query, tensorview::Answer& answer, const Service::Progress& progress,
                      std::stop_token stop) const;
    Result<void> compare(const tensorview::Query& query, tensorview::Answer& answer, std::stop_token stop) const;
    Result<void> findWriters(const tensorview::Query& query, tensorview::Answer& answer,
                             const Service::Progress& progress, std::stop_token stop);
    /// The map around an element of an output, from a run that watches.
    Result<std::shared_ptr<const verify::WriterMap>> mapAround(std::size_t output, std::int64_t element,
                                                               const Service::Progress& progress, std::stop_token stop);
    Result<tensorview::Story> storyOf(std::size_t output, const tensor::Shape& index, const Service::Progress& progress,
                                      std::stop_token stop);
    [[nodiscard]] Error noSuchElement(std::size_t output, const tensor::Shape& index) const;
    [[nodiscard]] Error noSuchTensor(const tensorview::Subject& subject) const;

    std::string m_key;
    protocol::RunParameters m_parameters;
    RunSubject m_subject;
    std::unique_ptr<verify::Runner> m_runner;
    verify::CallInputs m_inputs;
    std::optional<verify::RunResult> m_run;
    std::vector<tensor::Tensor> m_outputs;
    bool m_referenceTried = false;
    std::vector<tensor::Tensor> m_reference;
    std::vector<tensor::DType> m_expectedTypes;
    std::string m_whyNoReference;
    std::shared_ptr<const verify::WriterMap> m_writers; ///< the last that was made
};

} // namespace kernelarium::service
