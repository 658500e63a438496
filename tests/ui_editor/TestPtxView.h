// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QObject>

class TestPtxView : public QObject {
    Q_OBJECT
public:
    explicit TestPtxView(kernelarium::ui::Theme& theme)
        : m_theme(theme) {}

private Q_SLOTS:
    void readsFunctions();
    void namesKernelsOfAnonymousNamespaces();
    void mapsLines();
    void inlinedThroughHeaders();
    void survivesAnyText();
    void showsKernelsOnly();
    void followsBothWays();
    void linesAreBanded();
    void keepsTheChoice();
    void stylesTokens();

private:
    kernelarium::ui::Theme& m_theme;
};
