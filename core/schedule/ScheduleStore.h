// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/Subject.h"
#include "core/tuning/store/Store.h"

#include <filesystem>

namespace kernelarium::schedule {

// A search's file is a store of the tuning room (core/tuning/store). Its candidates are steps, by number; its other
// records are "subject" (the cubin, so that the file suffices to go on and to export), "schedule" (each best in full),
// "final" (FinalFigure), "alternative" (Alternative) and "counters" (CounterSet).

/// Opens the store of a search, or makes it. Errors: those of tuning::Store::open(), "too_large" (a cubin over 2 MB, or
/// a block that sass::Rescheduler::check refuses).
[[nodiscard]] Result<tuning::Store> openScheduleStore(const std::filesystem::path& path, const Subject& subject,
                                                      const Settings& settings);

/// What steps are drawn, accepted and proved by: a store of other rules cannot be read.
[[nodiscard]] std::string rulesOfNow();

struct StoredSearch {
    Subject subject;
    Settings settings;
};
/// What a store is of. Errors: those of StoreReader; "not_schedule" for the store of another kind of search;
/// "other_rules" where its rules or distances are not those of now; "too_large".
[[nodiscard]] Result<StoredSearch> readScheduleStore(const std::filesystem::path& path);

} // namespace kernelarium::schedule
