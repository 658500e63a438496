// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Functions: registers and their scopes, operands, labels, tables, lines.
class TestParser : public QObject {
    Q_OBJECT
private slots:
    void innerScopesHideOuterRegisters();
    void typesMayFollowTheirDirectiveAtOnce();
    void registersOfClosedScopesAreGone();
    void rangesKnowTheirCount();
    void vectorsAndPairsHoldOperands();
    void predicatesMayBeNegated();
    void addressesHaveOffsets();
    void labelsAndTablesNameInstructions();
    void prototypesAndCallsKeepTheirShapes();
    void parametersMayBeArrays();
    void declarationsAndDefinitionsDiffer();
    void modifiersAreSplit();
    void inlinedLinesResolveToTheUser();
    void inlinedChainsResolveToTheUser();
    void sectionsAndCommentsAreSkipped();
    void errorsNameTheLine_data();
    void errorsNameTheLine();
};
