// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class MissingTest : public QObject {
    Q_OBJECT
private slots:
    void whatIsMissingIsNamed_data();
    void whatIsMissingIsNamed();
    void errorsOfTheAuthorStay_data();
    void errorsOfTheAuthorStay();
    void headersAreFound_data();
    void headersAreFound();
    void rareNamesAreThere_data();
    void rareNamesAreThere();
};
