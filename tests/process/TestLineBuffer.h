// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Lines out of bytes as they come.
class TestLineBuffer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void linesAreCutWhateverTheChunks();
    void longLinesAreDroppedNotKept();
};
