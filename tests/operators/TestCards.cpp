// SPDX-License-Identifier: GPL-3.0-or-later
// Every task's graph at small size: float32 on the device against float64 on the CPU.
#include "core/task/Evaluator.h"
#include "core/verify/CardSubject.h"
#include "tests/AffordableCard.h"
#include "tests/TestRegistry.h"
#include "tests/operators/Bench.h"

#include <QTest>

#include <chrono>

namespace kernelarium::test {

using namespace operators;
using tensor::DType;
using tensor::Tensor;
using tensor::Value;

namespace {

struct CardRun {
    Value reference, baseline, got;
    double seconds = 0; ///< in the emulator
    double bytes = 0;   ///< of the plan
    std::string failure;
};

/// On the CPU in float64 and float32, and on the device in `precision`.
CardRun runCard(const task::Card& card, DType precision, EmulatedDevice& bench) {
    CardRun run;
    const auto symbols = card.size("small");
    const auto plan = verify::planOf(card, "small");
    const std::vector<Tensor> inputs = verify::drawTensors(*plan, 7);
    const auto onCpu = [&](DType type) {
        task::EvaluationOptions options;
        options.precision = type;
        options.threads = 2;
        const auto value = task::evaluate(card, *symbols, inputs, options);
        if (!value) run.failure = "CPU: " + value.error().message;
        return value ? *value : Value();
    };
    run.reference = onCpu(DType::Float64);
    run.baseline = onCpu(DType::Float32);
    std::vector<DeviceTensor> onDevice;
    for (const Tensor& t : inputs)
        onDevice.push_back(bench.device.upload(t));
    GraphOptions options;
    options.precision = precision;
    const auto planned = planGraph(card, *symbols, precision, bench.machine.facts());
    if (planned && library()) (void)library()->prepare(bench.machine, planned->kernels).ok();
    const auto start = std::chrono::steady_clock::now();
    const auto result = evaluateGraph(bench.device, card, *symbols, onDevice, options);
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!result) {
        run.failure = result.error().message + " " + result.error().detail;
        return run;
    }
    run.bytes = planned ? double(planned->bytes) : 0;
    run.got = *downloaded(bench.device, *result);
    return run;
}

/// The CPU's answer where an ulp of this type moves the first input's elements: what rounding alone may come to.
Result<Value> withMovedInput(const task::Card& card, DType precision, double ulp) {
    std::vector<Tensor> moved = verify::drawTensors(*verify::planOf(card, "small"), 7);
    moved[0] = moved[0].to(precision).clone();
    for (std::int64_t i = 0; i < moved[0].count(); ++i)
        moved[0].set(i, moved[0].at(i) * (1 + double(i % 3 - 1) * ulp));
    task::EvaluationOptions options;
    options.precision = precision;
    options.threads = 2;
    return task::evaluate(card, *card.size("small"), moved, options);
}

} // namespace

class TestCards : public QObject {
    Q_OBJECT

private slots:
    void everyCardInFloat32_data() {
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("task");
        for (const task::TaskKey& key : task::builtInCards())
            QTest::addRow("%d/%d", key.level, key.task) << key.level << key.task;
    }
    /// As near to float64 as the CPU's own float32 evaluation, which rounds in other places, or as an ulp of the input
    /// moves that one.
    void everyCardInFloat32() {
        REQUIRE_LIBRARY();
        QFETCH(int, level);
        QFETCH(int, task);
        EmulatedDevice bench;
        const CardRun run = runCard(affordableCard(level, task), DType::Float32, bench);
        QVERIFY2(run.failure.empty(), run.failure.c_str());
        const double error = scaledError(run.got, run.reference);
        double baseline = scaledError(run.baseline, run.reference);
        // Some networks enlarge a last bit so much that one way of rounding says little of another.
        if (error > 4 * baseline + 1e-6) {
            const Result<Value> felt = withMovedInput(affordableCard(level, task), DType::Float32, 0x1p-23);
            QVERIFY(felt.ok());
            baseline = std::max(baseline, scaledError(*felt, run.reference));
        }
        if (qEnvironmentVariableIsSet("KERNELARIUM_REPORT"))
            qInfo("error %.2e (CPU float32 %.2e), %.2f s, %.1f MB, %llu launches", error, baseline, run.seconds,
                  run.bytes / 1e6, static_cast<unsigned long long>(bench.machine.launches()));
        QVERIFY2(error <= 4 * baseline + 1e-6,
                 qPrintable(QString("error %1, the CPU's in float32 %2").arg(error).arg(baseline)));
        m_worst = std::max(m_worst, error);
        m_seconds += run.seconds;
        ++m_cards;
    }

    void deepNetworksInFloat64_data() {
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("task");
        QTest::newRow("ResNet101") << 3 << 10;
        QTest::newRow("EfficientNetB0") << 3 << 22;
    }
    /// A hundred layers of batch normalisation over few samples enlarge the last bit of an input ten thousand million
    /// times: the device may be as far from the CPU as that, and nothing in it is float32, which would be far worse.
    void deepNetworksInFloat64() {
        REQUIRE_LIBRARY();
        QFETCH(int, level);
        QFETCH(int, task);
        const task::Card card = *task::loadCard(level, task);
        EmulatedDevice bench;
        const CardRun run = runCard(card, DType::Float64, bench);
        QVERIFY2(run.failure.empty(), run.failure.c_str());
        const Result<Value> felt = withMovedInput(card, DType::Float64, 0x1p-52);
        QVERIFY(felt.ok());
        const double error = scaledError(run.got, run.reference), own = scaledError(*felt, run.reference);
        const double inFloat32 = scaledError(run.baseline, run.reference);
        QVERIFY2(error <= 16 * own,
                 qPrintable(QString("error %1, an ulp of the input moves the CPU by %2").arg(error).arg(own)));
        QVERIFY2(error <= 1e-4 * inFloat32, qPrintable(QString("error %1, float32's %2").arg(error).arg(inFloat32)));
    }

    void someCardsInFloat64WithAllChecks_data() {
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("task");
        for (const auto& [level, task] : {std::pair{1, 48},
                                          {1, 90},
                                          {1, 95},
                                          {1, 97},
                                          {1, 99},
                                          {2, 17},
                                          {2, 66},
                                          {2, 100},
                                          {3, 28},
                                          {3, 35},
                                          {3, 39},
                                          {3, 43},
                                          {3, 48}})
            QTest::addRow("%d/%d", level, task) << level << task;
    }
    void someCardsInFloat64WithAllChecks() {
        REQUIRE_LIBRARY();
        QFETCH(int, level);
        QFETCH(int, task);
        EmulatedDevice bench(true, 512u << 20);
        const CardRun run = runCard(affordableCard(level, task), DType::Float64, bench);
        QVERIFY2(run.failure.empty(), run.failure.c_str());
        const auto& faults = bench.machine.faults();
        QVERIFY2(faults.empty(), faults.empty() ? "" : (faults[0].kind + ": " + faults[0].message).c_str());
        const double error = scaledError(run.got, run.reference);
        QVERIFY2(error <= 1e-11, qPrintable(QString("error %1").arg(error)));
    }

    /// No limit of our kernels stands in the way at full size, and the float32 graph fits a card of 24 GB
    /// with its inputs.
    void everyCardCanBePlannedAtFullSize() {
        const MachineFacts facts{"cuda", "sm_90", true, 132};
        constexpr double mostBytes = 22e9;
        for (const task::TaskKey& key : task::builtInCards()) {
            const task::Card card = *task::loadCard(key.level, key.task);
            const task::Symbols symbols = *card.size("full");
            const auto single = planGraph(card, symbols, DType::Float32, facts);
            QVERIFY2(single.ok(), single.ok() ? "" : single.error().message.c_str());
            const auto twice = planGraph(card, symbols, DType::Float64, facts);
            QVERIFY2(twice.ok(), twice.ok() ? "" : twice.error().message.c_str());
            double inputs = 0;
            const auto shapes = task::tensorShapes(card, symbols);
            for (std::size_t i = 0; i < shapes->size(); ++i)
                inputs += double(tensor::elementCount((*shapes)[i])) * double(tensor::byteSize(card.tensors[i].dtype));
            if (qEnvironmentVariableIsSet("KERNELARIUM_REPORT"))
                qInfo("%s: inputs %.2f GB, float32 %.2f GB, float64 %.2f GB, %zu kernels", card.key().c_str(),
                      inputs / 1e9, double(single->bytes) / 1e9, double(twice->bytes) / 1e9, single->kernels.size());
            QVERIFY2(inputs + double(single->bytes) <= mostBytes, card.key().c_str());
        }
    }

    void cleanupTestCase() {
        if (m_cards)
            qInfo("%d cards; largest error %.2e; %.1f s in the emulator, %.2f s compiling %zu kernels", m_cards,
                  m_worst, m_seconds, library()->compileSeconds(), library()->compiled());
    }

private:
    double m_worst = 0;
    double m_seconds = 0;
    int m_cards = 0;
};

namespace {
KERNELARIUM_TEST(TestCards);
}

} // namespace kernelarium::test

#include "TestCards.moc"
