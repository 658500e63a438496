// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/compile/CompilerTest.h"
#include "tests/compile/RewriteTest.h"
#include "tests/compile/RowsTest.h"
#include "tests/compile/ShimTest.h"

#include <QTest>

template <class T> static int run(int argc, char** argv) {
    T test;
    return QTest::qExec(&test, argc, argv);
}

int main(int argc, char** argv) {
    return run<RewriteTest>(argc, argv) + run<CompilerTest>(argc, argv) + run<ShimTest>(argc, argv) +
           run<RowsTest>(argc, argv);
}
