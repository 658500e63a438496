// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/ScheduleSearch.h"
#include "ui/schedule/ScheduleSubject.h"

#include <functional>
#include <stop_token>

namespace kernelarium::ui {

/// What a search does.
enum class SearchPart {
    original, ///< runs the kernel as compiled, to see that it runs and what it launches
    steps,
    finals, ///< times the best in fresh processes
};

struct SearchHearing {
    schedule::ScheduleWatch watch = {};
    std::function<void(SearchPart)> part = {};
    std::function<void(const schedule::Expectation&)> expects = {}; ///< once the launch is known
};

/// Searches from the subject's store on to the final figures, measured or modelled as the subject's question says;
/// blocks. Candidates run in a run child only. Errors: those of the store, of the search and of MeasuredKernel;
/// "cancelled".
Result<schedule::ScheduleEnd> searchSchedule(const ScheduleSubject& subject, const SearchHearing& hearing,
                                             const std::stop_token& stop);

/// The time of one schedule of the subject beside the original, as the search takes them. Errors: "bad_input" where it
/// does not do what the original does; the measurer's; "not_measured".
Result<schedule::Measurement> timeSchedule(const ScheduleSubject& subject, const std::vector<sass::Word>& words,
                                           const std::stop_token& stop);

/// Has Nsight Compute count the original and the best on this machine's GPU, and keeps that in the store. Errors: those
/// of the store and of protocol::countVariants; "unsupported" where times are modelled.
Result<void> countSchedules(const ScheduleSubject& subject, const std::stop_token& stop);

} // namespace kernelarium::ui
