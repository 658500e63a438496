// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Rules over files that the kernel keeps.
class TestFileRules : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsNotAllowedCannotBeOpened();
    void linksAndDotsDoNotLeadOut();
    void writingAloneLeavesReadingAsItIs();
    void otherThreadsKeepTheirFiles();
    void programsAreStartedFromAllowedPlacesOnly();
};
