// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

/// Milliseconds: so long that only what never comes is not there by then, however busy the machine. A wait ends as soon
/// as its condition holds.
inline constexpr int longWait = 120000;

/// As QTRY_VERIFY() and its like, which give up after five seconds.
#define WAIT_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, longWait)
#define WAIT_VERIFY2(condition, text) QTRY_VERIFY2_WITH_TIMEOUT(condition, text, longWait)
#define WAIT_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, longWait)
