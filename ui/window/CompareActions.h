// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare/Comparison.h"

#include <QObject>

namespace kernelarium::ui {

class Actions;
class ArchivePanel;
class Assignment;
class Bench;
class ComparePage;
class Notices;
class Pages;
class SessionDesk;
class SessionDock;

/// The actions that put two kernels side by side: two of the archive, one and what is on the bench, or two attempts.
class CompareActions : public QObject {
    Q_OBJECT
public:
    /// What it observes; all outlive it.
    struct Around {
        Bench& bench;
        Assignment& assignment;
        SessionDesk& session;
        Notices& notices;
    };
    struct Parts {
        Actions& actions;
        ArchivePanel& archive;
        Pages& pages;
        SessionDock& attempts;
    };
    CompareActions(const Around& around, const Parts& parts, QObject* parent);

    /// Puts an archived kernel, by its number, beside the text on the bench.
    void compareWithBench(qint64 archived);
    void compareAttempts(qint64 older, qint64 newer); ///< by their numbers

private:
    [[nodiscard]] ComparedKernel onBench() const;
    [[nodiscard]] ComparedKernel compared(const session::Attempt& attempt) const;
    [[nodiscard]] QString selectionObstacle() const;
    [[nodiscard]] QString originalObstacle() const;
    void compareSelection();
    void compareWithOriginal();
    [[nodiscard]] ComparePage& page() const;

    Around m_with;
    Parts m_parts;
};

} // namespace kernelarium::ui
