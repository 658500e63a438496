// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// What the tools of others say of the text as it stands; programs of the test's stand in for them.
class TestLive : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void adviceStandsInTheListAndTheMargin();
    void adviceFollowsTheText();
    void absenceAndSilenceAreSaid();
    void adviceIsTurnedOff();
    void sassStandsBesideTheSource();
    void sassWithoutItsToolSaysSo();
    void nsightComputeStandsBesideTheArchive();
    void nsightComputeSamplesStallsByLine();
    void nsightComputeMayBeRefused();
    void pictures();
};

} // namespace kernelarium::ui
