// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/laboratory/Comparison.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <vector>

namespace kernelarium::ui {

class ChildQueue;

/// Products that are to be measured beside the libraries.
struct LaboratoryJob {
    std::vector<hgemm::Shape> shapes;
    hgemm::Mode mode = hgemm::Mode::hot;
    hgemm::ComparisonParts parts;
    bool energy = false;                ///< joules beside the times, hot alone
    bool searches = false;              ///< for the fastest kernels first, in place of taking the table's
    double seconds = 0.3;               ///< of samples for each shape
    std::vector<hgemm::BestRow> choice; ///< the table to choose from
};

/// How far it has come; its answer: how many shapes were measured.
struct LaboratoryState : WorkState<std::size_t> {
    std::size_t done = 0, all = 0; ///< of the step
    QString refusal;               ///< of the last shape that could not be measured
};

/// Measures products one after another in the run child, which it shares with those who run kernels there.
class LaboratoryDesk : public QObject {
    Q_OBJECT
public:
    explicit LaboratoryDesk(ChildQueue& runner, QObject* parent = nullptr);

    /// What is under way is replaced.
    void start(LaboratoryJob job);
    void cancel(); ///< what was measured stays
    [[nodiscard]] const LaboratoryState& state() const { return m_work.state(); }
    /// With the last job's layouts and sums, one for each shape and mode: the newest.
    [[nodiscard]] const std::vector<hgemm::Comparison>& measured() const { return m_measured; }

Q_SIGNALS:
    void changed(); ///< the state, or what was measured

private:
    struct Told;
    void hear(quint64 ticket, const Told& told);

    ChildQueue& m_runner;
    Work<std::size_t, LaboratoryState> m_work;
    hgemm::ComparisonParts m_parts; ///< of what was measured
    std::vector<hgemm::Comparison> m_measured;
};

} // namespace kernelarium::ui
