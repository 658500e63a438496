// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/census/UseUnit.h"

#include <QTest>

namespace kernelarium::test {

/// Names that archived kernels use, each in a small use that compiles, runs in the emulator and gives what it
/// should.
class TestCensus : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void usesHoldTheirNames_data() { files(); }
    void usesHoldTheirNames();
    void usesWork_data() { files(); }
    void usesWork();
    void headersStandAlone();
    void everyNameOfTheCensusIsUsedOrRefused();

private:
    static void files();
    UseRunner m_runner;
    std::string m_unavailable;
};

} // namespace kernelarium::test
