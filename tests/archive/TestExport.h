// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What is written of a selection.
class TestExport : public QObject {
    Q_OBJECT
private slots:
    void jsonLinesComeBackTheSame();
    void csvIsQuoted();
    void sourcesAreAsArchived();
    void cancelLeavesTheFormerFile();
    void refusals();
};
