// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare/Comparison.h"
#include "ui/threads/SerialThread.h"
#include "ui/threads/Work.h"

#include <QObject>

namespace kernelarium::ui {

struct WorkspacePaths;

using ComparisonPointer = std::shared_ptr<const Comparison>;

/// Where a comparison stands. `found` is what there is of it so far; the answer is all of it.
struct CompareState : WorkState<ComparisonPointer> {
    ComparisonPointer found;
};

/// Compiles two kernels, counts what they do, and where there is a GPU times them in pairs: on a thread and with
/// children of its own, so that the bench goes on. A newer comparison replaces an older one.
class CompareDesk : public QObject {
    Q_OBJECT
public:
    explicit CompareDesk(const WorkspacePaths& paths, QObject* parent = nullptr);
    ~CompareDesk() override;

    /// `archive`: the file that rows are of.
    void start(const ComparedKernel& a, const ComparedKernel& b, const Target& target, const QString& archive);
    void cancel();
    [[nodiscard]] const CompareState& state() const { return m_work.state(); }
    [[nodiscard]] bool isRunning() const { return m_work.isBusy(); }

Q_SIGNALS:
    void changed(); ///< the state; more has been found, or it has ended

private:
    const WorkspacePaths& m_paths;
    Work<ComparisonPointer, CompareState> m_work;
    SerialThread m_thread;
};

} // namespace kernelarium::ui
