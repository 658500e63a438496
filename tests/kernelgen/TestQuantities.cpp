// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/sizes/Quantities.h"
#include "tests/TestRegistry.h"

#include <QtTest>

namespace kernelarium::kernelgen {

class TestQuantities : public QObject {
    Q_OBJECT

private slots:
    void numbersAreToldFromTheSizes_data() {
        QTest::addColumn<QList<int>>("values");
        QTest::addColumn<QString>("text");
        const QList<int> h{31, 32, 64, 65, 29, 37}, b{3, 4, 16, 5, 3, 7};
        const auto of = [&](auto&& f) {
            QList<int> out;
            for (int i = 0; i < h.size(); ++i)
                out.push_back(f(h[i], b[i]));
            return out;
        };
        const auto row = [](const char* name, const QList<int>& values, const char* text) {
            QTest::newRow(name) << values << QString::fromLatin1(text);
        };
        row("constant", of([](int, int) { return 7; }), "7");
        row("name", h, "H");
        row("valid convolution", of([](int x, int) { return x - 2; }), "H - 2");
        row("stride", of([](int x, int) { return (x + 1) / 2; }), "(H + 1) / 2");
        row("transposed", of([](int x, int) { return 2 * x + 1; }), "2 * H + 1");
        row("elements", of([](int x, int y) { return x * y; }), "H * B");
        row("joined", of([](int x, int y) { return x + y; }), "H + B");
        row("volume", of([](int x, int y) { return x * x * y; }), "H * H * B");
        row("four", of([](int x, int y) { return x * x * x * y; }), "H * H * H * B");
        row("none", of([](int x, int y) { return x % 7 + y; }), "");
    }

    void numbersAreToldFromTheSizes() {
        QFETCH(QList<int>, values);
        QFETCH(QString, text);
        Quantities q(6);
        q.add("H", {31, 32, 64, 65, 29, 37});
        q.add("B", {3, 4, 16, 5, 3, 7});
        const std::optional<Quantity> found = q.of(Values(values.begin(), values.end()));
        QCOMPARE(found ? QString::fromStdString(found->text) : QString(), text);
    }

    void theFactorOfAMeanIsAFraction() {
        Quantities q(3);
        q.add("N", {3, 8, 10});
        q.add("M", {5, 7, 4});
        const auto f = q.fraction({2.0 / 15, 2.0 / 56, 2.0 / 40});
        QVERIFY(f.has_value());
        QCOMPARE(f->numerator, 2.0);
        QCOMPARE(f->denominator, (Values{15, 56, 40}));
        QVERIFY(!q.fraction({0.1, 0.25, 0.7}));
    }
};

} // namespace kernelarium::kernelgen

KERNELARIUM_TEST(kernelarium::kernelgen::TestQuantities);
#include "TestQuantities.moc"
