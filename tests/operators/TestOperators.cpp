// SPDX-License-Identifier: GPL-3.0-or-later
// Single operators against the CPU's, where a task's graph does not reach: tiles with ragged edges, strides,
// phases of transposed convolutions, extremes with NaN, chunks of long folds, refusals.
#include "core/task/operators/Operators.h"
#include "gpu/operators/MachineAround.h"
#include "tests/TestRegistry.h"
#include "tests/operators/Bench.h"
#include "tests/operators/OperatorCases.h"

#include <QTest>

#include <cmath>
#include <limits>

namespace kernelarium::test {

using namespace operators;
using tensor::DType;
using tensor::List;
using tensor::Shape;
using tensor::Tensor;
using tensor::Value;

namespace {

std::vector<DeviceValue> uploaded(Device& device, const std::vector<Value>& arguments) {
    std::vector<DeviceValue> out;
    for (const Value& v : arguments) {
        if (const auto* t = v.as<Tensor>()) {
            out.emplace_back(device.upload(*t));
            continue;
        }
        const auto* list = v.as<List>();
        if (!list || list->empty() || !list->front().as<Tensor>()) {
            out.emplace_back(v);
            continue;
        }
        std::vector<DeviceTensor> tensors;
        for (const Value& item : *list)
            tensors.push_back(device.upload(*item.as<Tensor>()));
        out.push_back(listOf(tensors));
    }
    return out;
}
Value inDouble(const Value& v) {
    if (const auto* t = v.as<Tensor>()) return isFloating(t->dtype()) ? t->to(DType::Float64) : *t;
    const auto* list = v.as<List>();
    if (!list) return v;
    List out;
    for (const Value& item : *list)
        out.push_back(inDouble(item));
    return out;
}

/// A machine whose library says only when it is called that it cannot.
class Promising : public MachineAround {
public:
    using MachineAround::MachineAround;
    [[nodiscard]] bool convolves(const ConvolutionShape&) const override { return true; }
    Result<void> convolve(const Convolution&) override {
        ++called;
        return Error{"unsupported", "Not this one."};
    }
    int called = 0;
};

} // namespace

class TestOperators : public QObject {
    Q_OBJECT

private:
    static void rows() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < operatorCases().size(); ++i)
            QTest::addRow("%s", operatorCases()[i].name) << int(i);
    }
    /// Runs a case with all checks of the emulator on; its error against the CPU in float64.
    static double errorOf(const OperatorCase& c, bool inDoubles, std::vector<emulator::Fault>& faults) {
        EmulatedDevice bench(true, 256u << 20);
        std::vector<Value> wide, own;
        for (const Value& v : c.arguments) {
            wide.push_back(inDouble(v));
            own.push_back(inDoubles ? inDouble(v) : v);
        }
        const auto reference = task::evaluateOperator(c.op, wide, {}, {});
        if (!reference) throw std::runtime_error(reference.error().message);
        try {
            const DeviceResults results = runOperator(bench.device, c.op, uploaded(bench.device, own), {});
            List got;
            for (const DeviceValue& r : results)
                got.push_back(*downloaded(bench.device, r));
            faults = bench.machine.faults();
            return scaledError(got, List(reference->begin(), reference->end()));
        } catch (const Failure& failure) {
            throw std::runtime_error(failure.error.message + failure.error.detail);
        }
    }
    static void expect(const OperatorCase& c, bool inDoubles, double bound) {
        std::vector<emulator::Fault> faults;
        const double error = errorOf(c, inDoubles, faults);
        QVERIFY2(faults.empty(), faults.empty() ? "" : (faults[0].kind + ": " + faults[0].message).c_str());
        QVERIFY2(error <= bound, qPrintable(QString("error %1").arg(error)));
    }

private slots:
    void convolutionsThatTheLibraryGivesBackAreOurs() {
        REQUIRE_LIBRARY();
        EmulatedDevice bench(true, 256u << 20);
        Promising machine(bench.machine);
        Device device(machine, library());
        const std::vector<Value> arguments{noise({2, 3, 9, 7}, 1), noise({4, 3, 3, 3}, 2), noise({4}, 3)};
        const auto expected = task::evaluateOperator("aten.conv2d.default", arguments, {}, {});
        QVERIFY(expected);
        const DeviceResults got = runOperator(device, "aten.conv2d.default", uploaded(device, arguments), {});
        QCOMPARE(machine.called, 1);
        QVERIFY(scaledError(*downloaded(device, got.at(0)), expected->at(0)) < 1e-5);
    }
    void inFloat32_data() { rows(); }
    void inFloat32() {
        REQUIRE_LIBRARY();
        QFETCH(int, index);
        expect(operatorCases()[std::size_t(index)], false, 2e-6);
    }
    void inFloat64_data() { rows(); }
    void inFloat64() {
        REQUIRE_LIBRARY();
        QFETCH(int, index);
        expect(operatorCases()[std::size_t(index)], true, 1e-12);
    }

    /// Places beyond 2^31 are counted in 64 bits.
    void farApart() {
        REQUIRE_LIBRARY();
        EmulatedDevice bench(false, 12ull << 30);
        constexpr std::int64_t apart = 1 << 28;
        const DeviceTensor memory = bench.device.make(DType::Float32, {9, apart});
        const DeviceTensor far = sliced(memory, 1, 5, 20);
        const Tensor left = noise({9, 20}, 1), right = noise({20, 11}, 2);
        copyInto(bench.device, far, bench.device.upload(left));
        const auto expected = task::evaluateOperator(
            "aten.matmul.default", std::vector<Value>{left.to(DType::Float64), right.to(DType::Float64)}, {}, {});
        const DeviceResults got = runOperator(bench.device, "aten.matmul.default",
                                              std::vector<DeviceValue>{far, bench.device.upload(right)}, {});
        QVERIFY(scaledError(*downloaded(bench.device, got[0]), (*expected)[0]) < 2e-6);
        const auto sum = runOperator(bench.device, "aten.sum.default", std::vector<DeviceValue>{far}, {});
        const auto summed =
            task::evaluateOperator("aten.sum.default", std::vector<Value>{left.to(DType::Float64)}, {}, {});
        QVERIFY(scaledError(*downloaded(bench.device, sum[0]), (*summed)[0]) < 2e-6);
        QVERIFY(std::any_of(bench.device.kernels().begin(), bench.device.kernels().end(),
                            [](const Kernel& k) { return k.function.ends_with(", Long>") && k.file == "product"; }));
    }

    void everyOperatorIsKnownToTheReference() {
        for (const std::string_view op : deviceOperatorNames())
            QVERIFY2(task::knowsOperator(op), std::string(op).c_str());
    }
    void unknownOperatorsAreNamed() {
        REQUIRE_LIBRARY();
        EmulatedDevice bench;
        try {
            (void)runOperator(bench.device, "aten.one_hot.default", uploaded(bench.device, {wholeNoise({4}, 1), 9}),
                              {});
            QFAIL("It has no kernel.");
        } catch (const Failure& failure) {
            QCOMPARE(failure.error.code, std::string("unsupported"));
            QVERIFY(failure.error.message.find("aten.one_hot.default") != std::string::npos);
        }
    }
    void indicesOutOfRangeAreRefused() {
        REQUIRE_LIBRARY();
        EmulatedDevice bench(true);
        Tensor index(DType::Int64, {3});
        index.set(1, 9);
        try {
            (void)runOperator(bench.device, "aten.embedding.default", uploaded(bench.device, {noise({9, 5}, 1), index}),
                              {});
            QFAIL("9 is out of range.");
        } catch (const Failure& failure) {
            QCOMPARE(failure.error.code, std::string("bad_argument"));
        }
        QVERIFY(bench.machine.faults().empty());
    }
};

namespace {
KERNELARIUM_TEST(TestOperators);
}

} // namespace kernelarium::test

#include "TestOperators.moc"
