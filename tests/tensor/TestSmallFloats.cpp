// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/Tensor.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <cmath>
#include <limits>

using namespace kernelarium::tensor;

/// Both 8-bit formats of the OCP's OFP8, by their definitions.
class TestSmallFloats : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void knownNumbers_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("bits");
        QTest::addColumn<double>("value");
        const auto row = [](DType type, int bits, double value) {
            QTest::addRow("%s %02x", name(type).data(), bits) << int(type) << bits << value;
        };
        constexpr double infinity = std::numeric_limits<double>::infinity();
        row(DType::Float8E4m3fn, 0x38, 1.0);
        row(DType::Float8E4m3fn, 0x7e, 448.0);
        row(DType::Float8E4m3fn, 0xb9, -1.125);
        row(DType::Float8E4m3fn, 0x01, 0x1p-9);
        row(DType::Float8E4m3fn, 0x08, 0x1p-6);
        row(DType::Float8E5m2, 0x3c, 1.0);
        row(DType::Float8E5m2, 0x7b, 57344.0);
        row(DType::Float8E5m2, 0x01, 0x1p-16);
        row(DType::Float8E5m2, 0x84, -0x1p-14);
        row(DType::Float8E5m2, 0xfc, -infinity);
    }

    void knownNumbers() {
        QFETCH(int, type);
        QFETCH(int, bits);
        QFETCH(double, value);
        const Float8 raw{std::uint8_t(bits)};
        QCOMPARE(double(float8ToFloat(DType(type), raw)), value);
        QCOMPARE(int(floatToFloat8(DType(type), float(value)).bits), bits);
    }

    /// Every number comes back, and what lies between two of them goes to the nearer, or to the even one.
    void roundingIsToNearestEven() {
        for (const DType type : {DType::Float8E4m3fn, DType::Float8E5m2}) {
            const int last = type == DType::Float8E5m2 ? 0x7b : 0x7e;
            for (int b = 0; b <= last; ++b) {
                const float here = float8ToFloat(type, {std::uint8_t(b)});
                QCOMPARE(int(floatToFloat8(type, here).bits), b);
                QCOMPARE(int(floatToFloat8(type, -here).bits), b | 0x80);
                if (b == last) continue;
                const float next = float8ToFloat(type, {std::uint8_t(b + 1)}), middle = (here + next) / 2;
                QVERIFY(next > here);
                QCOMPARE(int(floatToFloat8(type, middle).bits), b % 2 ? b + 1 : b);
                QCOMPARE(int(floatToFloat8(type, std::nextafter(middle, 0.0f)).bits), b);
                QCOMPARE(int(floatToFloat8(type, std::nextafter(middle, 1e9f)).bits), b + 1);
            }
        }
    }

    void whatIsTooLarge() {
        QCOMPARE(int(floatToFloat8(DType::Float8E4m3fn, 463.0f).bits), 0x7e);
        QCOMPARE(int(floatToFloat8(DType::Float8E4m3fn, 480.0f).bits), 0x7f);
        QCOMPARE(int(floatToFloat8(DType::Float8E4m3fn, -1e30f).bits), 0xff);
        QCOMPARE(int(floatToFloat8(DType::Float8E5m2, 1e30f).bits), 0x7c);
        QVERIFY(std::isnan(float8ToFloat(DType::Float8E4m3fn, {0xff})));
        QVERIFY(std::isnan(float8ToFloat(DType::Float8E5m2, floatToFloat8(DType::Float8E5m2, NAN))));
    }

    void tensorsConvert() {
        Tensor t = Tensor::uninitialised(DType::Float32, {3});
        t.set(0, 1.06);
        t.set(1, -300);
        t.set(2, 0.0015);
        const Tensor narrow = t.to(DType::Float8E4m3fn);
        QCOMPARE(narrow.byteCount(), std::size_t(3));
        QCOMPARE(narrow.at(0), 1.0);
        QCOMPARE(narrow.at(1), -288.0);
        QCOMPARE(narrow.to(DType::Float32).at(1), -288.0);
        QCOMPARE(narrow.at(2), 0x1p-9);
        QCOMPARE(*parseDType("float8_e5m2"), DType::Float8E5m2);
    }
};

KERNELARIUM_TEST(TestSmallFloats);

#include "TestSmallFloats.moc"
