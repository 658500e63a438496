// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Archives that somebody made to be opened: with a schema of theirs, or pages that never end.
class TestArchiveSchema : public QObject {
    Q_OBJECT
private slots:
    void foreignSchemasAreRefused_data();
    void foreignSchemasAreRefused();
    void importsRefuseThemToo();
    void olderVersionsAreHeldToTheirOwnSchema();
    void commentsAndBlanksDoNotCount();
    void pagesInManyPlacesEnd();
    void impossibleNumbersAreRefused_data();
    void impossibleNumbersAreRefused();
};
