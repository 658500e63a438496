// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What commands leave behind, and what they let out.
class TestLeftovers : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void commandsLeaveNothing();
    void killedChildrenLeaveNothing();
    void nothingOfTheEnvironmentIsTold_data();
    void nothingOfTheEnvironmentIsTold();
    void theKernelsOwnFolderIsNoWayOut();

private:
    class QTemporaryDir* m_temporary = nullptr;
    QByteArray m_before;
};
