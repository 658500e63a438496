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
class Pages;

/// The actions that put two kernels side by side: two of the archive, or one and what is on the bench.
class CompareActions : public QObject {
    Q_OBJECT
public:
    /// What it observes; all outlive it.
    struct Around {
        Bench& bench;
        Assignment& assignment;
    };
    struct Parts {
        Actions& actions;
        ArchivePanel& archive;
        Pages& pages;
    };
    CompareActions(const Around& around, const Parts& parts, QObject* parent);

    /// Puts an archived kernel, by its number, beside the text on the bench.
    void compareWithBench(qint64 archived);

private:
    [[nodiscard]] ComparedKernel onBench() const;
    [[nodiscard]] QString selectionObstacle() const;
    [[nodiscard]] QString originalObstacle() const;
    void compareSelection();
    void compareWithOriginal();
    [[nodiscard]] ComparePage& page() const;

    Around m_with;
    Parts m_parts;
};

} // namespace kernelarium::ui
