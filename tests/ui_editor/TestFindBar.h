// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QObject>

class TestFindBar : public QObject {
    Q_OBJECT
public:
    explicit TestFindBar(kernelarium::ui::Theme& theme)
        : m_theme(theme) {}

private Q_SLOTS:
    void countsAndSteps();
    void options_data();
    void options();
    void findsBytesBeyondAscii();
    void saysWhatIsNoPattern();
    void replacesOneByOne();
    void replacesAllInOneStep();
    void replacesGroups();
    void followsEdits();
    void searchesMegabytesAside();

private:
    kernelarium::ui::Theme& m_theme;
};
