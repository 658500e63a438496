// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/aten/AtenCalls.h"
#include "tests/TestRegistry.h"
#include "tests/host/MemoryBackend.h"
#include "tests/host/Raises.h"

#include <QtTest>

namespace kernelarium::test {

using namespace host;

class TestAtenCalls : public QObject {
    Q_OBJECT

private:
    MemoryBackend m_device;
    HostHeap m_heap{0x10000};
    int m_unwritten = 0;
    TensorTable m_table{m_device, m_heap, [this](const std::string&, const std::string&) { ++m_unwritten; }};
    AtenCalls m_aten{m_table, {}};

    static PyValue ints(std::vector<std::int64_t> values) {
        return PyValue::list(PyItems(values.begin(), values.end()));
    }
    PyValue made(std::vector<double> values, DType dtype = DType::Float32) {
        const PyItems items(values.begin(), values.end());
        return m_aten.call("torch.tensor", {PyValue::list(items), dtype, DeviceRef{0}})[0];
    }
    const TensorView& viewOf(const PyValue& value) { return m_table.at(value.as<TensorRef>()->handle); }
    std::vector<double> elements(const PyValue& value) {
        const tensor::Tensor t = m_table.peek(viewOf(value));
        std::vector<double> out;
        for (std::int64_t i = 0; i < t.count(); ++i)
            out.push_back(t.at(i));
        return out;
    }
    PyValue one(const std::string& name, PyItems arguments) { return m_aten.call(name, std::move(arguments)).at(0); }

private slots:
    void init() { m_unwritten = 0; }

    void factoriesTakeTypeAndPlaceFromTheirOptions() {
        const PyValue x = one("aten.empty.memory_format", {ints({2, 3}), DType::Float64, {}, DeviceRef{0}, false, {}});
        QCOMPARE(viewOf(x).dtype, DType::Float64);
        QVERIFY(!viewOf(x).storage->onHost);
        QCOMPARE(m_table.firstUnwritten(viewOf(x)), std::optional<std::int64_t>(0));
        const PyValue y = one("aten.zeros.default", {ints({4})});
        QVERIFY(viewOf(y).storage->onHost);
        QCOMPARE(viewOf(y).dtype, DType::Float32);
        QCOMPARE(elements(y), (std::vector<double>{0, 0, 0, 0}));
        QCOMPARE(elements(one("aten.full.default", {ints({2}), 7, {}, {}, DeviceRef{0}})), (std::vector<double>{7, 7}));
        QCOMPARE(elements(one("aten.arange.start_step", {1, 8, 3})), (std::vector<double>{1, 4, 7}));
        QCOMPARE(viewOf(one("aten.arange.default", {3})).dtype, DType::Int64);
    }
    void likeKeepsTheLayoutOfADenseTensor() {
        const PyValue x = one("aten.transpose.int", {one("aten.zeros.default", {ints({2, 3})}), 0, 1});
        QCOMPARE(viewOf(one("aten.empty_like.default", {x})).strides, (Shape{1, 3}));
        QCOMPARE(viewOf(one("aten.empty_like.default", {x, {}, {}, {}, false, 0})).strides, (Shape{2, 1}));
    }
    void computesOnTheDeviceTensorsOwnPlace() {
        const PyValue sum = one("aten.add.Tensor", {made({1, 2, 3}), made({10, 20, 30}), 1});
        QCOMPARE(elements(sum), (std::vector<double>{11, 22, 33}));
        QVERIFY(!viewOf(sum).storage->onHost);
        QCOMPARE(m_aten.computed().back(), std::string("aten.add.Tensor"));
        QCOMPARE(m_unwritten, 0);
    }
    void inPlaceOperatorsWriteThroughTheirView() {
        const PyValue x = made({-1, 2, -3, 4});
        const PyValue view = one("aten.slice.Tensor", {x, 0, 2, {}, 1});
        const PyValue same = one("aten.relu_.default", {view});
        QCOMPARE(same.as<TensorRef>()->handle, view.as<TensorRef>()->handle);
        QCOMPARE(elements(x), (std::vector<double>{-1, 2, 0, 4}));
        one("aten.add_.Tensor", {x, 1});
        QCOMPARE(elements(x), (std::vector<double>{0, 3, 1, 5}));
    }
    void outVariantsWriteTheirLastArgument() {
        const PyValue out = one("aten.empty.memory_format", {ints({2}), {}, {}, DeviceRef{0}});
        one("aten.mul.out", {made({2, 3}), made({4, 5}), out});
        QCOMPARE(elements(out), (std::vector<double>{8, 15}));
        QVERIFY(!m_table.firstUnwritten(viewOf(out)));
    }
    void copiesConvertAndCross() {
        const PyValue x = made({1.5, -2.5});
        const PyValue host = one("aten.to.dtype_layout", {x, {}, {}, DeviceRef{-1}, {}, false, false});
        QVERIFY(viewOf(host).storage->onHost);
        QCOMPARE(elements(host), (std::vector<double>{1.5, -2.5}));
        QCOMPARE(elements(one("aten.to.dtype", {x, DType::Int32, false, false})), (std::vector<double>{1, -2}));
        QCOMPARE(one("aten.to.dtype", {x, DType::Float32, false, false}).as<TensorRef>()->handle,
                 x.as<TensorRef>()->handle);
        QVERIFY(one("aten.to.dtype", {x, DType::Float32, false, true}).as<TensorRef>()->handle !=
                x.as<TensorRef>()->handle);
        one("aten.copy_.default", {x, made({9}, DType::Float64), false});
        QCOMPARE(elements(x), (std::vector<double>{9, 9}));
    }
    void itemGivesThePythonNumber() {
        QCOMPARE(*one("aten.item.default", {made({2.5})}).as<double>(), 2.5);
        QCOMPARE(*one("aten.item.default", {made({7}, DType::Int64)}).as<std::int64_t>(), std::int64_t(7));
        QCOMPARE(raisedBy([&] {
                     one("aten.item.default", {made({1, 2})});
                 }),
                 std::string("RuntimeError: a Tensor with 2 elements cannot be converted to Scalar"));
    }
    void readingWhatNobodyWroteIsReported() {
        const PyValue x = one("aten.empty.memory_format", {ints({4}), {}, {}, DeviceRef{0}});
        one("aten.clone.default", {x});
        QCOMPARE(m_unwritten, 0);
        one("aten.relu.default", {x});
        QCOMPARE(m_unwritten, 1);
    }
    void devicesDoNotMix() {
        const PyValue host = one("aten.zeros.default", {ints({2})});
        QCOMPARE(raisedBy([&] {
                     one("aten.add.Tensor", {made({1, 2}), host, 1});
                 }),
                 std::string("RuntimeError: Expected all tensors to be on the same device, but found at least two "
                             "devices, cuda:0 and cpu!"));
    }
    void batchNormInTrainingMovesItsStatistics() {
        const PyValue x = one("aten.view.default", {made({1, 2, 3, 4}), ints({4, 1})});
        const PyValue mean = made({0}), variance = made({1});
        one("aten.batch_norm.default", {x, {}, {}, mean, variance, true, 0.5, 1e-5, true});
        QCOMPARE(elements(mean)[0], 1.25); // half of the batch's mean
        QVERIFY(std::abs(elements(variance)[0] - (0.5 + 0.5 * 5.0 / 3.0)) < 1e-6);
    }
    void resultsOfSeveralTensorsComeInOrder() {
        const PyItems both =
            m_aten.call("aten.max.dim", {one("aten.view.default", {made({1, 5, 3, 2}), ints({2, 2})}), 1, false});
        QCOMPARE(both.size(), std::size_t(2));
        QCOMPARE(elements(both[0]), (std::vector<double>{5, 3}));
        QCOMPARE(elements(both[1]), (std::vector<double>{1, 0}));
    }
    void unknownOperatorsEndTheRunByName() {
        const std::string text = raisedBy([&] { one("aten.no_such_operator.default", {made({1})}); });
        QVERIFY2(text.starts_with("stopped: ") && text.find("no_such_operator") != std::string::npos, text.c_str());
    }
    void badShapesAreRaised() {
        const std::string text = raisedBy([&] { one("aten.mm.default", {made({1, 2}), made({3})}); });
        QVERIFY2(text.starts_with("RuntimeError: "), text.c_str());
    }
};

KERNELARIUM_TEST(TestAtenCalls);

} // namespace kernelarium::test

#include "TestAtenCalls.moc"
