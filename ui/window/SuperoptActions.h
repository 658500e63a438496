// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/superopt/NewKernelDesk.h"

#include <QObject>

class QWidget;

namespace kernelarium::ui {

class Actions;
class Bench;
class EditorArea;
class Notices;
struct NewCandidate;
class Pages;

/// Kernels that are written from a task's card, and how they come to the bench.
class SuperoptActions : public QObject {
    Q_OBJECT
public:
    struct Around {
        Bench& bench;
        Notices& notices;
    };
    struct Parts {
        Actions& actions;
        EditorArea& editor;
        Pages& pages;
    };
    SuperoptActions(const Around& around, const Parts& parts, QWidget& window);

private:
    void askForTask();
    void putWritten(const NewKernelPointer& written);
    void putCandidate(const NewCandidate& candidate);
    void put(const std::shared_ptr<const task::Card>& card, const QString& cardPath, const QString& form,
             const QString& text);

    Around m_with;
    Parts m_parts;
    QWidget& m_window;
    NewKernelDesk m_writer; ///< outlives the dialog: closing that waits for nothing
};

} // namespace kernelarium::ui
