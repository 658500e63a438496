// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QWidget>

namespace kernelarium::ui {

/// In the place of a kernel's text while no kernel is open: what to do next.
class EmptyBench : public QWidget {
    Q_OBJECT
public:
    explicit EmptyBench(Theme& theme, QWidget* parent = nullptr);

Q_SIGNALS:
    void openRequested();
    void newRequested(); ///< for a task
    void lessonsRequested();
};

} // namespace kernelarium::ui
