// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTemporaryDir>

/// What cmake --install puts where, and that the programs work from there.
class TestInstall : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void everyFileIsInItsPlace();
    void theProgramsNameNoFolderOfTheBuild();
    void theCommandLineWorks();
    void theWindowFindsTheStarterArchive();
    void aSessionFileIsTheOneToKeepSessionsIn();

private:
    QTemporaryDir m_folder;
    QString m_usr;
};
