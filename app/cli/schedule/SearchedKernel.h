// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/schedule/CubinChoice.h"
#include "app/cli/schedule/VariantRun.h"
#include "core/schedule/Expectation.h"
#include "core/schedule/Measurer.h"
#include "gpu/protocol/schedules/MeasuredKernel.h"
#include "gpu/protocol/schedules/VariantCounters.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::cli {

/// Of which kernel a schedule is searched, and where it runs.
struct SearchChoice {
    CubinChoice cubin;
    std::string task;
    std::string size = "full"; ///< of the task's card
    std::string backend;       ///< "cuda", "model"; empty: a GPU where there is one
    std::string timing = "cold";
    std::string device = "h200"; ///< whose limits count where no GPU is asked
};

/// A kernel whose schedule is searched: its code, who takes its time, and what to expect.
class SearchedKernel {
public:
    /// Compiles it; with a GPU it is run once. Errors: those of CubinChoice.h and VariantRun, "bad_input" (a cubin and
    /// a GPU: nothing says how to call it; a size that the task does not have).
    static Result<std::unique_ptr<SearchedKernel>> prepare(const SearchChoice& choice);

    [[nodiscard]] const schedule::Subject& subject() const { return *m_subject; }
    [[nodiscard]] schedule::Mode mode() { return measurer().mode(); }
    [[nodiscard]] schedule::Measurer& measurer() {
        return m_measured ? static_cast<schedule::Measurer&>(m_measured->measurer()) : *m_model;
    }
    [[nodiscard]] protocol::ScheduleMeasurer* gpu() { return m_measured ? &m_measured->measurer() : nullptr; }
    [[nodiscard]] const schedule::Expectation& expectation() const { return m_expectation; }

    /// The same source assembled otherwise, into the search's store; with a GPU timed, too. Errors: those of
    /// protocol::addAlternatives and of compiledUnit().
    [[nodiscard]] Result<void> addAlternatives(const SearchChoice& choice, tuning::Store& store,
                                               const std::stop_token& stop);

    /// Has Nsight Compute measure the original and the best of the search. Errors: those of protocol::countVariants;
    /// "unsupported" without a GPU.
    [[nodiscard]] Result<void> count(tuning::Store& store, const std::stop_token& stop);

private:
    /// `gpu`: its name, `card`: what is timed there; of a model neither.
    Result<void> takeCubin(const SearchChoice& choice, const std::string& gpu, const task::Card* card,
                           sass::Cubin cubin);

    std::shared_ptr<const compile::CompiledUnit> m_unit; ///< null of a cubin, and where nothing was run
    std::optional<schedule::Subject> m_subject;
    std::unique_ptr<schedule::Measurer> m_model;          ///< without a GPU
    std::unique_ptr<protocol::MeasuredKernel> m_measured; ///< with one
    protocol::NcuRequest m_counting;                      ///< likewise
    schedule::Expectation m_expectation;
};

} // namespace kernelarium::cli
