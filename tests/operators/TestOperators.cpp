// SPDX-License-Identifier: GPL-3.0-or-later
// Single operators against the CPU's, where a task's graph does not reach: tiles with ragged edges, strides,
// phases of transposed convolutions, extremes with NaN, chunks of long folds, refusals.
#include "core/task/Operators.h"
#include "tests/operators/Bench.h"

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

Value numbers(const Shape& list) {
    List out;
    for (const std::int64_t n : list)
        out.emplace_back(n);
    return out;
}
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct OperatorCase {
    const char* name;
    const char* op;
    std::vector<Value> arguments;
};
Tensor withValues(Tensor t, const std::vector<std::pair<std::int64_t, double>>& values) {
    for (const auto& [index, value] : values)
        t.set(index, value);
    return t;
}

const std::vector<OperatorCase>& operatorCases() {
    static const std::vector<OperatorCase> cases{
        {"square product", "aten.matmul.default", {noise({130, 70}, 1), noise({70, 150}, 2)}},
        {"large tiles", "aten.matmul.default", {noise({1537, 40}, 1), noise({40, 1425}, 2)}},
        {"medium tiles", "aten.matmul.default", {noise({777, 33}, 1), noise({33, 729}, 2)}},
        {"long inner dimension", "aten.matmul.default", {noise({9, 5000}, 1), noise({5000, 11}, 2)}},
        {"batches", "aten.matmul.default", {noise({3, 1, 40, 20}, 1), noise({5, 20, 33}, 2)}},
        {"one matrix for all batches", "aten.matmul.default", {noise({3, 7, 20}, 1), noise({20, 33}, 2)}},
        {"vector times matrix", "aten.matmul.default", {noise({50}, 1), noise({50, 33}, 2)}},
        {"matrix times vector", "aten.mv.default", {noise({40, 50}, 1), noise({50}, 2)}},
        {"dot", "aten.dot.default", {noise({5000}, 1), noise({5000}, 2)}},
        {"linear of few rows",
         "aten.linear.default",
         {noise({3, 100}, 1), noise({70, 100}, 2), noise({70}, 3)}},
        {"linear", "aten.linear.default", {noise({40, 100}, 1), noise({70, 100}, 2), noise({70}, 3)}},
        {"grouped convolution",
         "aten.conv2d.default",
         {noise({2, 24, 11, 13}, 1), noise({36, 8, 3, 2}, 2), noise({36}, 3), numbers({2, 1}),
          numbers({1, 2}), numbers({2, 1}), 3}},
        {"depthwise convolution",
         "aten.conv2d.default",
         {noise({2, 6, 11, 13}, 1), noise({6, 1, 3, 3}, 2), Value(), numbers({1, 1}), numbers({1, 1}),
          numbers({1, 1}), 6}},
        {"convolution in large tiles",
         "aten.conv2d.default",
         {noise({8, 4, 48, 48}, 1), noise({136, 4, 3, 3}, 2), noise({136}, 3), numbers({1, 1}),
          numbers({1, 1})}},
        {"unbatched convolution", "aten.conv1d.default", {noise({3, 50}, 1), noise({9, 3, 5}, 2)}},
        {"transposed convolution with unequal phases",
         "aten.conv_transpose2d.input",
         {noise({2, 12, 7, 5}, 1), noise({12, 10, 3, 4}, 2), noise({20}, 3), numbers({3, 2}), numbers({1, 0}),
          numbers({2, 1}), 2, numbers({1, 3})}},
        {"transposed convolution that leaves gaps",
         "aten.conv_transpose1d.default",
         {noise({2, 9, 7}, 1), noise({9, 11, 2}, 2), noise({11}, 3), numbers({4})}},
        {"transposed convolution in depth",
         "aten.conv_transpose3d.input",
         {noise({1, 8, 3, 4, 5}, 1), noise({8, 9, 3, 3, 3}, 2), Value(), numbers({2, 2, 2}),
          numbers({1, 1, 1}), numbers({1, 1, 1})}},
        {"dilated largest pool",
         "aten.max_pool2d.default",
         {withValues(noise({2, 3, 13, 17}, 1), {{40, nan}, {50, -inf}}), numbers({3, 2}), numbers({2, 1}),
          numbers({1, 1}), numbers({2, 3}), true}},
        {"largest pool with places",
         "aten.max_pool2d_with_indices.default",
         {noise({2, 3, 13, 17}, 1), numbers({3, 3})}},
        {"mean pool without its padding",
         "aten.avg_pool2d.default",
         {noise({2, 3, 13, 17}, 1), numbers({3, 3}), numbers({2, 2}), numbers({1, 1}), true, false}},
        {"adaptive mean pool",
         "aten.adaptive_avg_pool2d.default",
         {noise({2, 3, 13, 17}, 1), numbers({5, 4})}},
        {"sum of a long row", "aten.sum.default", {noise({700001}, 1)}},
        {"sum of middle dimensions", "aten.sum.dim_IntList", {noise({5, 30, 40, 7}, 1), numbers({1, 2})}},
        {"sum of outer dimensions", "aten.sum.dim_IntList", {noise({50, 30, 64}, 1), numbers({0, 1}), true}},
        {"sum of dimensions apart", "aten.sum.dim_IntList", {noise({50, 6, 64}, 1), numbers({0, 2})}},
        {"sum of whole numbers", "aten.sum.default", {noise({5000}, 1, DType::Float32).to(DType::Int64)}},
        {"variance beside a large mean",
         "aten.var.dim",
         {withValues(noise({64, 100}, 1), {{0, 1e4}, {100, 1e4}, {201, 3e4}}), numbers({1})}},
        {"deviation", "aten.std.correction", {noise({64, 100}, 1), numbers({0})}},
        {"norm of order three", "aten.linalg_vector_norm.default", {noise({64, 100}, 1), 3.0, numbers({1})}},
        {"largest with NaN",
         "aten.max.dim",
         {withValues(noise({9, 500}, 1), {{700, nan}, {760, nan}, {1200, inf}}), 1}},
        {"smallest of equal ones", "aten.min.dim", {Tensor(DType::Float32, {3, 700}), 1}},
        {"place of the largest of all", "aten.argmax.default", {noise({40, 5000}, 3)}},
        {"softmax with infinities",
         "aten.softmax.int",
         {withValues(noise({6, 300}, 1), {{0, -inf}, {1, -inf}, {299, -inf}, {400, inf}, {700, nan}}), -1}},
        {"softmax over channels", "aten.softmax.int", {noise({2, 70, 33}, 1), 1}},
        {"logarithm of softmax", "aten.log_softmax.int", {noise({60, 300}, 1), 1}},
        {"logarithm of a sum of exponentials",
         "aten.logsumexp.default",
         {withValues(noise({6, 300, 2}, 1), {{0, -inf}, {700, inf}}), numbers({1})}},
        {"running sum in the middle", "aten.cumsum.default", {noise({4, 50, 6}, 1), 1}},
        {"running sum of whole numbers", "aten.cumsum.default", {Tensor(DType::Int64, {4, 50}), 1}},
        {"instance norm",
         "aten.instance_norm.default",
         {noise({3, 5, 20, 7}, 1), noise({5}, 2), noise({5}, 3), Value(), Value(), true, 0.1, 1e-5}},
        {"group norm",
         "aten.group_norm.default",
         {noise({3, 6, 50}, 1), 2, noise({6}, 2), noise({6}, 3), 1e-5}},
        {"root mean square norm",
         "aten.rms_norm.default",
         {noise({30, 64}, 1), numbers({64}), noise({64}, 2)}},
        {"power", "aten.pow.Tensor_Tensor", {noise({300}, 1), noise({1}, 2)}},
        {"whole numbers and floats", "aten.add.Tensor", {Tensor(DType::Int64, {5, 1}), noise({7}, 1)}},
        {"bools", "aten.logical_and.default", {noise({5, 7}, 1).to(DType::Bool), Tensor(DType::Bool, {7})}},
        {"comparison with a number", "aten.gt.Scalar", {withValues(noise({50}, 1), {{3, nan}}), 0.25}},
        {"cropping pad", "aten.pad.default", {noise({3, 8, 9}, 1), numbers({-1, 2, 3, -2}), "constant", 2.5}},
        {"roll of all", "aten.roll.default", {noise({5, 7}, 1), numbers({-9})}},
        {"embedding", "aten.embedding.default", {noise({9, 5}, 1), Tensor(DType::Int64, {4, 2})}},
        {"cross entropy over pixels",
         "aten.cross_entropy_loss.default",
         {noise({3, 6, 5}, 1), Tensor(DType::Int64, {3, 5})}},
        {"einsum with a diagonal",
         "aten.einsum.default",
         {"iij,jk->ki", List{noise({5, 5, 4}, 1), noise({4, 3}, 2)}}},
        {"cat of strides", "aten.cat.default", {List{noise({3, 2, 5}, 1), noise({3, 4, 5}, 2)}, 1}},
    };
    return cases;
}

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
            "aten.matmul.default", std::vector<Value>{left.to(DType::Float64), right.to(DType::Float64)}, {},
            {});
        const DeviceResults got = runOperator(bench.device, "aten.matmul.default",
                                              std::vector<DeviceValue>{far, bench.device.upload(right)}, {});
        QVERIFY(scaledError(*downloaded(bench.device, got[0]), (*expected)[0]) < 2e-6);
        const auto sum = runOperator(bench.device, "aten.sum.default", std::vector<DeviceValue>{far}, {});
        const auto summed =
            task::evaluateOperator("aten.sum.default", std::vector<Value>{left.to(DType::Float64)}, {}, {});
        QVERIFY(scaledError(*downloaded(bench.device, sum[0]), (*summed)[0]) < 2e-6);
        QVERIFY(
            std::any_of(bench.device.kernels().begin(), bench.device.kernels().end(), [](const Kernel& k) {
                return k.function.ends_with(", Long>") && k.file == "product";
            }));
    }

    void everyOperatorIsKnownToTheReference() {
        for (const std::string_view op : deviceOperatorNames())
            QVERIFY2(task::knowsOperator(op), std::string(op).c_str());
    }
    void unknownOperatorsAreNamed() {
        REQUIRE_LIBRARY();
        EmulatedDevice bench;
        try {
            (void)runOperator(bench.device, "aten.tan.default", uploaded(bench.device, {noise({4}, 1)}), {});
            QFAIL("It has no kernel.");
        } catch (const Failure& failure) {
            QCOMPARE(failure.error.code, std::string("unsupported"));
            QVERIFY(failure.error.message.find("aten.tan.default") != std::string::npos);
        }
    }
    void indicesOutOfRangeAreRefused() {
        REQUIRE_LIBRARY();
        EmulatedDevice bench(true);
        Tensor index(DType::Int64, {3});
        index.set(1, 9);
        try {
            (void)runOperator(bench.device, "aten.embedding.default",
                              uploaded(bench.device, {noise({9, 5}, 1), index}), {});
            QFAIL("9 is out of range.");
        } catch (const Failure& failure) {
            QCOMPARE(failure.error.code, std::string("bad_argument"));
        }
        QVERIFY(bench.machine.faults().empty());
    }
};

namespace {
const Registered<TestOperators> registeredOperators;
}

} // namespace kernelarium::test

#include "TestOperators.moc"
