// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/schedule/CubinChoice.h"
#include "app/cli/schedule/VariantRun.h"
#include "core/schedule/Alternative.h"
#include "core/schedule/Expectation.h"
#include "core/schedule/Measurer.h"
#include "gpu/protocol/schedules/ScheduleMeasurer.h"

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
    [[nodiscard]] schedule::Mode mode() const { return m_measurer->mode(); }
    [[nodiscard]] schedule::Measurer& measurer() { return *m_measurer; }
    [[nodiscard]] protocol::ScheduleMeasurer* gpu() { return m_gpu; } ///< null without a GPU
    [[nodiscard]] const schedule::Expectation& expectation() const { return m_expectation; }

    /// The same source under register caps; with a GPU timed, too. Errors: "bad_input"
    /// for a cubin, "cancelled".
    [[nodiscard]] Result<std::vector<schedule::Alternative>> alternatives(const SearchChoice& choice,
                                                                          const std::stop_token& stop);

private:
    Result<void> takeCubin(const SearchChoice& choice, sass::Cubin cubin);
    void expect(const std::optional<protocol::RunSummary>& ran, const std::string& device);

    std::shared_ptr<const compile::CompiledUnit> m_unit; ///< null of a cubin, and where nothing was run
    std::optional<schedule::Subject> m_subject;
    std::unique_ptr<schedule::Measurer> m_measurer;
    protocol::ScheduleMeasurer* m_gpu = nullptr;
    schedule::Expectation m_expectation;
    int m_registers = 0; ///< a thread, as compiled; 0: not known
};

} // namespace kernelarium::cli
