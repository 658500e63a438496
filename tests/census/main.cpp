// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/census/TestCensus.h"

QTEST_GUILESS_MAIN(kernelarium::test::TestCensus)
