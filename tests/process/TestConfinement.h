// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What a confined program may and may not do (Confinement.h), tried by one that was written to try it.
class TestConfinement : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyCallIsAnsweredByThePolicy_data();
    void everyCallIsAnsweredByThePolicy();
    void nothingIsWrittenElsewhere();
    void nothingElseIsRead();
    void aHomeIsNeverOneFolderOfAnInstallation();
    void itHasASessionWithoutATerminal();
    void itHasNoFilesOpenButThree();
    void whatItWritesIsBounded_data();
    void whatItWritesIsBounded();
    void limitsHold();
    void aTrustedToolIsNotConfined();
    void manyAtATimeGetFiltersOfTheirOwn();
};
