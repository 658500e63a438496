// SPDX-License-Identifier: GPL-3.0-or-later
// What a verification takes as right on a device, against the CPU's float64.
#include "core/verify/Comparison.h"
#include "gpu/operators/DeviceReference.h"
#include "tests/TestRegistry.h"
#include "tests/operators/Bench.h"

#include <QTest>

namespace kernelarium::test {

using namespace operators;
using tensor::DType;
using tensor::Value;

namespace {

/// A card at small size, its inputs, and what the CPU says.
struct Question {
    explicit Question(int level, int number)
        : card(*task::loadCard(level, number))
        , plan(*verify::planOf(card, "small")) {
        inputs.tensors = verify::drawTensors(plan, 5);
        inputs.arguments = verify::argumentsOf(plan, inputs.tensors);
        auto cpu = verify::CardReference::create(card, "small", 2);
        wide = *(*cpu)->evaluate(inputs, {});
        types = (*cpu)->outputTypes();
        narrow = **(*cpu)->evaluateFloat32(inputs, {});
    }
    std::unique_ptr<DeviceReference> reference(EmulatedDevice& bench, ReferenceSettings settings = {}) const {
        return *DeviceReference::create(bench.machine, *library(), card, "small", settings);
    }
    /// Bytes that evaluating takes, inputs and all.
    std::uint64_t needs(EmulatedDevice& bench, DType precision) const {
        std::uint64_t bytes = planGraph(card, *card.size("small"), precision, bench.machine.facts())->bytes;
        for (const tensor::Tensor& t : inputs.tensors)
            bytes += t.byteCount();
        return bytes;
    }
    task::Card card;
    verify::InputPlan plan;
    verify::CallInputs inputs;
    Value wide, narrow;
    std::vector<DType> types;
};

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

class TestReference : public QObject {
    Q_OBJECT

private slots:
    void init() { REQUIRE_LIBRARY(); }

    void float64WhereItFits_data() {
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("task");
        for (const auto& [level, task] : {std::pair{1, 1}, {1, 23}, {1, 51}, {1, 95}, {2, 12}, {3, 1}})
            QTest::addRow("%d/%d", level, task) << level << task;
    }
    void float64WhereItFits() {
        QFETCH(int, level);
        QFETCH(int, task);
        const Question q(level, task);
        EmulatedDevice bench;
        const auto reference = q.reference(bench);
        const auto value = reference->evaluate(q.inputs, {});
        QVERIFY2(value.ok(), value.ok() ? "" : value.error().message.c_str());
        QVERIFY(scaledError(*value, q.wide) < 1e-12);
        QVERIFY(reference->outputTypes() == q.types);
        QCOMPARE(reference->describe(),
                 QString("float64 graph of task %1/%2 on emulator").arg(level).arg(task).toStdString());
        QVERIFY(reference->remark().empty());
        const auto narrow = reference->evaluateFloat32(q.inputs, {});
        QVERIFY(narrow.ok() && narrow->has_value());
        QCOMPARE(verify::flatten(**narrow).at(0).dtype(), verify::flatten(q.narrow).at(0).dtype());
        const double error = scaledError(**narrow, q.wide);
        QVERIFY(error <= 4 * scaledError(q.narrow, q.wide) + 1e-6);
        // Nothing stays but what was loaded: the kernels under test get the memory.
        const std::uint64_t used = bench.machine.used();
        QVERIFY(used < 4096 && reference->evaluate(q.inputs, {}).ok());
        QCOMPARE(bench.machine.used(), used);
    }
    /// Float32 where float64 is slow, and how good it is.
    void float32WhereFloat64IsSlow() {
        const Question q(1, 1);
        EmulatedDevice bench;
        const auto reference = q.reference(bench, {.float64Rate = 1, .samples = 100});
        const auto value = reference->evaluate(q.inputs, {});
        QVERIFY(value.ok());
        QCOMPARE(verify::flatten(*value).at(0).dtype(), DType::Float32);
        QVERIFY(scaledError(*value, q.wide) < 1e-5 && scaledError(*value, q.wide) > 1e-12);
        QVERIFY2(contains(reference->describe(),
                          "float32 graph of task 1/1 on emulator, largest error of 100 sampled outputs"),
                 reference->describe().c_str());
        QVERIFY(reference->remark().empty());
        const auto narrow = reference->evaluateFloat32(q.inputs, {});
        QVERIFY(narrow.ok() && !narrow->has_value()); // it would be compared with itself
    }
    void float32WhereFloat64DoesNotFit() {
        const Question q(1, 1);
        EmulatedDevice probe;
        const std::uint64_t wide = q.needs(probe, DType::Float64), narrow = q.needs(probe, DType::Float32);
        QVERIFY(narrow < wide);
        EmulatedDevice bench(false, (narrow + wide) / 2);
        const auto reference = q.reference(bench);
        const auto value = reference->evaluate(q.inputs, {});
        QVERIFY2(value.ok(), value.ok() ? "" : value.error().message.c_str());
        QCOMPARE(verify::flatten(*value).at(0).dtype(), DType::Float32);
        QVERIFY2(contains(reference->describe(), "not checked against float64"), reference->describe().c_str());
        QVERIFY2(contains(reference->remark(), "needs"), reference->remark().c_str());
    }
    void largeOutputsAreRounded() {
        const Question q(1, 23);
        EmulatedDevice bench;
        const auto reference = q.reference(bench, {.mostWideBytes = 64});
        const auto value = reference->evaluate(q.inputs, {});
        QVERIFY(value.ok());
        QCOMPARE(verify::flatten(*value).at(0).dtype(), DType::Float32);
        const tensor::Tensor wide = verify::flatten(q.wide).at(0), got = verify::flatten(*value).at(0);
        for (std::int64_t i = 0; i < wide.count(); ++i)
            QVERIFY(std::abs(got.at(i) - wide.at(i)) <= 6e-8 * std::abs(wide.at(i)));
        QCOMPARE(reference->describe(), std::string("float64 graph of task 1/23 on emulator, rounded to float32"));
    }
    void cpuWhereNothingFits() {
        const Question q(1, 1);
        EmulatedDevice bench(false, 64 << 10);
        const auto reference = q.reference(bench);
        const auto value = reference->evaluate(q.inputs, {});
        QVERIFY(value.ok());
        QCOMPARE(scaledError(*value, q.wide), 0.0);
        QCOMPARE(reference->describe(), std::string("float64 graph of task 1/1 on the CPU"));
        QVERIFY2(contains(reference->remark(), "on the CPU, not on emulator"), reference->remark().c_str());
        QVERIFY(reference->outputTypes() == q.types);
        QVERIFY((*reference->evaluateFloat32(q.inputs, {})).has_value());
    }
    void cpuWhereAnOperatorHasNoKernel() {
        Question q(1, 1);
        q.card.graph.at(0).op = "aten.no_such_operator.default";
        EmulatedDevice bench;
        const auto reference = q.reference(bench);
        QVERIFY(!reference->evaluate(q.inputs, {}).ok()); // the CPU does not know it either
        QVERIFY2(contains(reference->remark(), "no_such_operator"), reference->remark().c_str());
        QCOMPARE(bench.machine.used(), std::uint64_t(0));
    }
    /// At the published sizes everything has a kernel, and float64 fits a card of 24 GB: the CPU is never needed there.
    void everyTaskFitsAtFullSize() {
        const MachineFacts facts{"cuda", "sm_90", true, 132};
        double most = 0;
        std::string largest;
        QStringList refused;
        for (const task::TaskKey& key : task::builtInCards()) {
            const task::Card card = *task::loadCard(key.level, key.task);
            const auto symbols = card.size("full");
            const auto plan = planGraph(card, *symbols, DType::Float64, facts);
            if (!plan) {
                refused << QString::fromStdString(card.key() + ": " + plan.error().message);
                continue;
            }
            double bytes = double(plan->bytes);
            const auto shapes = *task::tensorShapes(card, *symbols);
            for (std::size_t i = 0; i < shapes.size(); ++i)
                bytes += double(tensor::elementCount(shapes[i])) * double(tensor::byteSize(card.tensors[i].dtype));
            if (bytes > most) largest = card.key();
            most = std::max(most, bytes);
        }
        qInfo("the most: %.2f GB, task %s", most / 1e9, largest.c_str());
        QVERIFY2(refused.isEmpty(), qPrintable(refused.join("; ")));
        QVERIFY2(most < 22e9, largest.c_str());
    }
    void secondTimeCompilesNothing() {
        const Question q(1, 47);
        EmulatedDevice bench;
        QVERIFY(q.reference(bench)->evaluate(q.inputs, {}).ok());
        const auto again = q.reference(bench);
        QVERIFY(again->evaluate(q.inputs, {}).ok());
        QCOMPARE(again->preparationSeconds(), 0.0);
    }
    void stops() {
        const Question q(1, 1);
        EmulatedDevice bench;
        std::stop_source stop;
        stop.request_stop();
        const auto value = q.reference(bench)->evaluate(q.inputs, stop.get_token());
        QVERIFY(!value.ok());
        QCOMPARE(value.error().code, std::string("cancelled"));
    }
};

namespace {
KERNELARIUM_TEST(TestReference);
}

} // namespace kernelarium::test

#include "TestReference.moc"
