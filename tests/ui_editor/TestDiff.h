// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QObject>

class TestDiff : public QObject {
    Q_OBJECT
public:
    explicit TestDiff(kernelarium::ui::Theme& theme)
        : m_theme(theme) {}

private Q_SLOTS:
    void wordsOfALine();
    void agreesWithReports();
    void showsBothSides();
    void revertsEachChange();

private:
    kernelarium::ui::Theme& m_theme;
};
