// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTemporaryDir>

/// Kernels whose task has no built-in card.
class TestUnknownTask : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void withoutPythonItSaysWhatServes();
    void aCardIsExportedAndKept();
    void anAuditUsesTheKeptCard();
    void anExportIsWrittenWhereAsked();

private:
    QTemporaryDir* m_folder = nullptr;
    QString m_archive;
};
