// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Sweeps over several sizes of a task, and the files that they end in.
class TestTuneSizes : public QObject {
    Q_OBJECT

private slots:
    void theBestForEachSizeIsEmittedAndVerifies();
    void oneVersionIsWrittenAsItIs();
    void aKilledSweepKnowsItsSizes();
    void wrongAtOneSizeIsWrong();
    void badSizesAreNamed_data();
    void badSizesAreNamed();
    void versionsShareTheirCompilerOptions();
    void whatCannotBeMergedIsNamed_data();
    void whatCannotBeMergedIsNamed();
};
