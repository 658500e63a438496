// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTemporaryDir>

/// `archive like`: from a kernel to those like it.
class TestLike : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void anArchivedKernelsRelatives();
    void aFileIsHeldAgainstTheArchive();
    void operatorsAlone();
    void theNearestFirst();
    void whatIsWrongIsSaid_data();
    void whatIsWrongIsSaid();

private:
    QTemporaryDir m_folder;
    QString m_archive;
};
