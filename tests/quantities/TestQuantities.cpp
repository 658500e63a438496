// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantities/Quantities.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <cmath>

namespace q = kernelarium::quantities;

class TestQuantities : public QObject {
    Q_OBJECT

    static void compare(const std::string& seen, const char* wanted) { QCOMPARE(seen, std::string(wanted)); }

private Q_SLOTS:
    void numbers() {
        compare(q::number(0), "0");
        compare(q::number(0.25), "0.25");
        compare(q::number(14.06), "14.1");
        compare(q::number(4), "4");
        compare(q::number(-4.5), "-4.5");
        compare(q::number(999.96), "1,000");
        compare(q::number(1234.5), "1,234");
        compare(q::number(-1234567), "-1,234,567");
        compare(q::number(1.2e-7), "1.2e-07");
        compare(q::number(0.00012345), "0.000123");
        compare(q::number(2e9), "2e+09");
        compare(q::number(1.23456, 5), "1.2346");
        compare(q::number(NAN), "NaN");
        compare(q::number(-INFINITY), "-∞");
    }

    void counts() {
        compare(q::count(0), "0");
        compare(q::count(999), "999");
        compare(q::count(8192), "8,192");
        compare(q::count(-12345678), "-12,345,678");
        compare(q::counted(1, "kernel"), "1 kernel");
        compare(q::counted(0, "kernel"), "0 kernels");
        compare(q::counted(12, "kernel"), "12 kernels");
        compare(q::counted(8192, "launch", "launches"), "8,192 launches");
    }

    void prefixes() {
        compare(q::si(3.35e12, "B/s"), "3.35 TB/s");
        compare(q::si(0, "B/s"), "0 B/s");
        compare(q::si(1000, "FLOP"), "1 kFLOP");
        compare(q::si(999.6, "FLOP"), "1 kFLOP");
        compare(q::si(999.4, "FLOP"), "999 FLOP");
        compare(q::si(999.6, "FLOP", 5), "999.6 FLOP");
        compare(q::si(12'345'678, ""), "12.3 M");
        compare(q::si(12, ""), "12");
        compare(q::si(-5e3, "W"), "-5 kW");
        compare(q::si(5e21, "FLOP"), "5,000 EFLOP");
        compare(q::si(INFINITY, "B/s"), "∞ B/s");
    }

    void bytes() {
        compare(q::bytes(0), "0 B");
        compare(q::bytes(999), "999 B");
        compare(q::bytes(999.7), "1 kB");
        compare(q::bytes(16'777'216), "16.8 MB");
        compare(q::bytes(80e9), "80 GB");
    }

    void times() {
        compare(q::seconds(0), "0 s");
        compare(q::seconds(3.4e-7), "340 ns");
        compare(q::seconds(4.274e-6), "4.27 µs");
        compare(q::seconds(0.0034), "3.4 ms");
        compare(q::seconds(0.9996), "1 s");
        compare(q::seconds(1.0105e-3, 5), "1.0105 ms");
        compare(q::seconds(61.25), "61.2 s");
        compare(q::seconds(7200), "7,200 s");
        compare(q::timeLeft(0), "0 s");
        compare(q::timeLeft(89), "89 s");
        compare(q::timeLeft(90), "2 min");
        compare(q::timeLeft(5399), "90 min");
        compare(q::timeLeft(5400), "1.5 h");
        compare(q::timeLeft(NAN), "unknown");
    }

    void shares() {
        compare(q::percent(0), "0%");
        compare(q::percent(1), "100%");
        compare(q::percent(0.612), "61%");
        compare(q::percent(0.1), "10%");
        compare(q::percent(0.0994), "9.9%");
        compare(q::percent(0.0996), "10%");
        compare(q::percent(0.0062), "0.62%");
        compare(q::percent(0.001), "0.1%");
        compare(q::percent(1.25), "125%");
        compare(q::percent(-0.05), "-5%");
        compare(q::percent(NAN), "NaN");
    }

    void sharesNextToNothingAndAllAreNotRoundedToThem() {
        compare(q::percent(1e-9), "<0.0001%");
        compare(q::percent(0.000002), "0.0002%");
        compare(q::percent(0.997), "99.7%");
        compare(q::percent(0.9996), "99.96%");
        compare(q::percent(0.99999), ">99.99%");
        compare(q::percent(1.003), "100.3%");
        compare(q::percent(0.1 + 0.2 + 0.7), "100%"); // but what sums to the whole is
    }

    void ratios() {
        compare(q::times(2.409), "2.41×");
        compare(q::times(1), "1.00×");
        compare(q::times(0.0042), "0.0042×");
        compare(q::times(1234.5), "1,234.50×");
    }
};

KERNELARIUM_TEST(TestQuantities);
#include "TestQuantities.moc"
