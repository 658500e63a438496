// SPDX-License-Identifier: GPL-3.0-or-later
#include "CardBoundsTest.h"
#include "CardTest.h"
#include "LayerTest.h"
#include "OperatorTest.h"

#include <QTest>

int main(int argc, char** argv) {
    int failures = 0;
    kernelarium::OperatorTest operators;
    failures += QTest::qExec(&operators, argc, argv);
    kernelarium::LayerTest layers;
    failures += QTest::qExec(&layers, argc, argv);
    kernelarium::CardTest cards;
    failures += QTest::qExec(&cards, argc, argv);
    kernelarium::CardBoundsTest bounds;
    failures += QTest::qExec(&bounds, argc, argv);
    return failures;
}
