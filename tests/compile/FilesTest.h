// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What a source can reach of the files around it: nothing but headers.
class FilesTest : public QObject {
    Q_OBJECT
private slots:
    void filesOutsideAreNotThere_data();
    void filesOutsideAreNotThere();
    void namedFoldersAreRead_data();
    void namedFoldersAreRead();
    void temporaryFilesOfOthersAreNotWritten();
    void precompiledHeadersAreStillMade();
    void assemblersSeeNoFiles();
};
