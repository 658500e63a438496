// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

class TestProfilesPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void withoutAKernelItTeaches();
    void ncuIsGroupedWithUnitsAndRules();
    void rowsAreCopiedAndFoundByTyping();
    void groupsStayFolded();
    void theEmulatorStandsBesideTheArchive();
    void measuredStandsBesideBoth();
    void torchIsBars();
    void tidyJumpsToTheLine();
    void tidyStandsInTheMargin();
    void unknownFormsAreRefusedByName();
    void absenceIsSaid();
    void theRooflineGetsAPoint();
    void anArchivedSampleIsRead();
    void pictures();
};

} // namespace kernelarium::ui
