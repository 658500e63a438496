// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Compiled kernels that are kept: `cache`, and what is not taken from there.
class TestCache : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void theSameTextIsNotCompiledAgain();
    void whatDiffersIsCompiled();
    void damageCostsACompilation();
    void limitAndClear();
};
