// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Programs that speak lines.
class TestChildProcess : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void linesGoBothWays();
    void theEndIsKnown();
    void standardErrorIsKept();
    void aMissingProgramIsNamed();
    void itGoesWithItsObject();
    void aProfilersOwnIsHandedOn();
    void workersAllocateInTheirWays();
    void unknownProcessorsGetKernelsOfTheirInstructions_data();
    void unknownProcessorsGetKernelsOfTheirInstructions();
};
