// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/ConvolutionEmitter.h"
#include "core/kernelgen/convolution/Match.h"
#include "tests/TestRegistry.h"

#include <map>
#include <set>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {
namespace {

/// Which input each output meets at each kernel position, by the axis' formula.
using Meetings = std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>>;

Description descriptionOf(int task) {
    const auto card = task::loadCard(2, task);
    const Result<Description> d = describe(*card);
    if (!d) qFatal("2/%d: %s", task, d.error().message.c_str());
    return *d;
}

class TestConvolution : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Cells meet exactly the inputs that the definition of an ordinary or transposed convolution says.
    void cellsMeetWhatTheDefinitionSays() {
        std::size_t checked = 0;
        for (const bool transposed : {false, true})
            for (std::int64_t kernel = 1; kernel <= 5; ++kernel)
                for (std::int64_t stride = 1; stride <= 3; ++stride)
                    for (std::int64_t padding = 0; padding < kernel; ++padding)
                        for (std::int64_t dilation = 1; dilation <= 2; ++dilation)
                            for (std::int64_t cell = 1; cell <= 6; ++cell) {
                                Axis a;
                                a.transposed = transposed;
                                a.kernel = kernel;
                                a.scale = transposed ? 1 : stride;
                                a.step = transposed ? -dilation : dilation;
                                a.shift = transposed ? padding : -padding;
                                a.divisor = transposed ? stride : 1;
                                if (!a.divide(cell)) {
                                    QVERIFY(transposed);
                                    continue;
                                }
                                Meetings expected, got;
                                for (std::int64_t out = 0; out < 4 * cell; ++out)
                                    for (std::int64_t k = 0; k < kernel; ++k) {
                                        if (!transposed)
                                            expected.emplace(out, k, out * stride - padding + k * dilation);
                                        else if ((out + padding - k * dilation) % stride == 0)
                                            expected.emplace(out, k, (out + padding - k * dilation) / stride);
                                        const auto at = a.offset(out % cell, k);
                                        if (!at) continue;
                                        QVERIFY(*at >= 0 && *at < a.span);
                                        got.emplace(out, k, out / cell * a.advance + a.first + *at);
                                    }
                                QCOMPARE(got, expected);
                                ++checked;
                            }
        QVERIFY(checked > 500);
    }

    void outputsAreThoseOfTheCards() {
        const Description d = descriptionOf(89); // stride 2, padding 1, output padding 1
        QCOMPARE(d.axes.size(), std::size_t(3));
        QCOMPARE(d.axes[0].outputs(16), std::int64_t(32));
        QCOMPARE(descriptionOf(50).axes[0].outputs(16), std::int64_t(31));
        QCOMPARE(descriptionOf(1).axes[0].outputs(32), std::int64_t(30));
    }

    void poolsAndMapsAreMoved() {
        const Description mean = descriptionOf(50);
        QVERIFY(mean.pool == Pool::mean && mean.combined);
        QCOMPARE(mean.axes[0].span, std::int64_t(2));
        QVERIFY(mean.before.steps.empty());
        const Description maximum = descriptionOf(96);
        QVERIFY(maximum.pool == Pool::maximum && !maximum.combined && maximum.space == Space::mean);
        QVERIFY(maximum.before.steps.empty()); // the bias and a positive factor rise
        const Description stays = descriptionOf(74);
        QVERIFY(!stays.before.steps.empty()); // a multiplier of any sign does not
        QVERIFY(stays.after.steps.empty());
    }

    void filtersAreCombined() {
        QVERIFY(descriptionOf(89).last().combinesFilters());
        QVERIFY(descriptionOf(89).result == Description::Result::noAxis);
        QVERIFY(descriptionOf(38).result == Description::Result::perFilter);
        QVERIFY(descriptionOf(43).result == Description::Result::axisOfOne);
    }

    /// 2/58 subtracts a tensor that has as many elements as there are filters at the published size alone.
    void equalExtentsAtOneSizeAreNotTakenForOne() {
        const Description d = descriptionOf(58);
        QVERIFY(d.others.has_value());
        QVERIFY(isStream(d.before));
        QVERIFY(logSumOf(d.before).has_value());
        QVERIFY(d.result == Description::Result::axisOfOne);
    }

    void largeWindowsHaveCells() {
        const Description d = descriptionOf(78); // pools of 2 and 3 behind a stride of 2
        QCOMPARE(d.repeats(), std::int64_t(27));
        QCOMPARE(d.cellOutputs(), std::int64_t(8));
        QCOMPARE(descriptionOf(50).repeats(), std::int64_t(1));
    }

    /// Norms whose values are dear are taken of what is stored, cheap ones of what is computed twice.
    void normsAreLateWhereValuesAreDear() {
        QVERIFY(descriptionOf(19).late.kind == Late::Kind::norm);
        QVERIFY(descriptionOf(60).late.kind == Late::Kind::none && descriptionOf(60).norm.has_value());
        const Description two = descriptionOf(11);
        QVERIFY(two.norm.has_value() && two.lateNorm.has_value());
        QVERIFY(descriptionOf(34).late.kind == Late::Kind::lastAxis);
        QVERIFY(descriptionOf(15).late.chain.reads(Operand::Kind::average));
    }

    /// Every task is described or refused by name; a file is the same whenever it is written.
    void everyTaskIsWrittenOrRefused() {
        std::size_t written = 0;
        std::string refused;
        for (const task::TaskKey& key : task::builtInCards()) {
            const auto card = task::loadCard(key.level, key.task);
            const Result<Emitted> emitted = emitFile(*card);
            if (!emitted) {
                QCOMPARE(emitted.error().code, std::string("unsupported"));
                QVERIFY(!emitted.error().message.empty());
                refused += fmt::format("  {}: {}\n", card->key(), emitted.error().message);
                continue;
            }
            ++written;
            QVERIFY(emitted->text.find("PYBIND11_MODULE") != std::string::npos);
            QVERIFY2(emitted->text.find('@') == std::string::npos, card->key().c_str());
            QCOMPARE(emitFile(*card)->text, emitted->text);
        }
        qInfo("%zu tasks have a kernel of this form. Refused:\n%s", written, refused.c_str());
        QVERIFY(written >= 91);
    }
};

KERNELARIUM_TEST(TestConvolution);

} // namespace
} // namespace kernelarium::kernelgen::convolution

#include "TestConvolution.moc"
