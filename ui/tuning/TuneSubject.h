// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/Sweep.h"
#include "ui/tuning/MarkSuggestion.h"

#include <QString>
#include <filesystem>
#include <optional>
#include <vector>

namespace kernelarium::ui {

/// What a sweep would be of: a text on the bench, and how its points would be looked at.
struct TuneQuestion {
    QString kernelKey; ///< Kernel::key
    std::string label;
    std::string task; ///< "1/1"; empty: none
    std::string text;
    protocol::PointSettings points;
    std::filesystem::path folder; ///< of the stores
    int gpu = 0;                  ///< which of this machine's, where points are measured
};

/// What is wrong with a mark.
struct SpaceTrouble {
    int line = 1;
    int column = 1; ///< in bytes
    QString message;
    QString action;
};

/// What was found in a text: its space, and what earlier sweeps of it have kept.
struct TuneSubject {
    QString kernelKey;
    std::size_t marks = 0;
    std::vector<SpaceTrouble> troubles;
    std::optional<MarkSuggestion> suggestion; ///< where there is no mark
    /// Where the text has a space and nothing is wrong with it. Its text is the one that the first sweep began with:
    /// the text on the bench may be any point of it.
    std::optional<protocol::SweepRequest> request;
    std::filesystem::path store;
    int gpu = 0;                                       ///< that points are measured on
    std::uint64_t size = 0;                            ///< points, forbidden ones included
    std::optional<std::uint64_t> allowed;              ///< of these; empty: too many to count
    std::string current;                               ///< key of the point that the text on the bench is
    std::vector<tuning::Judged> points;                ///< of earlier sweeps
    bool hasArray = false;                             ///< of jobs, submitted earlier and not brought to its end
    std::vector<protocol::Confirmation> confirmations; ///< of the best of them

    [[nodiscard]] const tuning::Space& space() const { return request->tunable.space; }
    [[nodiscard]] bool isMeasured() const { return request->points.run.backend == "cuda"; }
    /// "modelled on NVIDIA H200, size full", "measured here, cold calls, geometric mean over full, N=512".
    [[nodiscard]] QString valueWords() const;
};

/// Reads the text's marks and looks for the store of its space. All points of a space have the same store: its name is
/// made of the label and of a digest of the text at its first values and of all that a sweep's values depend on.
/// Errors: "cancelled", those of reading the store.
[[nodiscard]] Result<TuneSubject> readTuneSubject(const TuneQuestion& question, const std::stop_token& stop);

} // namespace kernelarium::ui
