// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class RewriteTest : public QObject {
    Q_OBJECT
private slots:
    void keywordsKeepTheirColumns();
    void handlers_data();
    void handlers();
    void throws_data();
    void throws();
    void variablesOfTryBlocks_data();
    void variablesOfTryBlocks();
    void guardsHaveNamesOfTheirOwn();
    void tryInAMacroIsWarnedOf();
    void literalsAndDirectivesStay();
    void functionTryBlockIsRefused();
    void shapesHaveTheSameTokens();
};
