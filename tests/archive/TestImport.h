// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What import takes, refuses and leaves alone.
class TestImport : public QObject {
    Q_OBJECT
private slots:
    void takesTheSampleOnce();
    void keepsEveryColumn();
    void sortsFailuresByStage();
    void reportsBadLines_data();
    void reportsBadLines();
    void goesOnBehindBadLines();
    void takesNonFiniteNumbersAsMissing();
    void takesLineEndsAsTheyCome();
    void survivesALineOf100Megabytes();
    void storesEqualTextsOnce();
    void fillsInWhatIsMissing();
    void keepsWhatIsArchived();
    void updatesWhatDiffers();
    void keepsUnknownColumns();
    void reportsProgress();
};
