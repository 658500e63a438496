// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs drawn on the device are those that the CPU draws, bit for bit.
#include "core/task/Card.h"
#include "core/verify/CardSubject.h"
#include "gpu/operators/DeviceInputs.h"
#include "tests/TestRegistry.h"
#include "tests/operators/Bench.h"

#include <QTest>

#include <cstring>
#include <set>

namespace kernelarium::test {

using namespace operators;
using tensor::DType;
using tensor::Tensor;
using verify::Distribution;

namespace {

bool sameBytes(const Tensor& a, const Tensor& b) {
    return a.dtype() == b.dtype() && a.shape() == b.shape() &&
           std::memcmp(a.bytes().data(), b.bytes().data(), a.byteCount()) == 0;
}
Tensor drawnOnDevice(EmulatedDevice& bench, const verify::TensorPlan& plan, std::size_t index, std::uint64_t seed,
                     std::uint32_t stream) {
    const Result<DeviceTensor> t = operators::drawTensor(bench.device, plan, index, seed, stream);
    return t ? bench.device.download(*t) : Tensor();
}

} // namespace

class TestInputs : public QObject {
    Q_OBJECT

private slots:
    void everyDistribution_data() {
        QTest::addColumn<int>("kind");
        for (int kind = 0; kind <= int(Distribution::Kind::values); ++kind)
            QTest::addRow("%d", kind) << kind;
    }
    void everyDistribution() {
        REQUIRE_LIBRARY();
        QFETCH(int, kind);
        // The emulator remembers one reader of each four bytes: elements below that would seem to race.
        EmulatedDevice checked(true, 64u << 20), unchecked(false, 64u << 20);
        const std::uint64_t seeds[] = {0, 0xfedcba9876543210ull};
        for (const DType type :
             {DType::Float32, DType::Float64, DType::Int64, DType::Bool, DType::Float16, DType::BFloat16})
            for (const tensor::Shape& shape : {tensor::Shape{3, 37, 37}, tensor::Shape{41}, tensor::Shape{}})
                for (const std::uint64_t seed : seeds)
                    for (const std::uint32_t stream : {0u, 3u}) {
                        verify::TensorPlan plan{
                            "x", type, shape, {Distribution::Kind(kind), 0.25, 3.0, {1.5, -2.0, 7.0}}, false};
                        if (kind == int(Distribution::Kind::boolean)) plan.distribution.a = 0.5;
                        if (tensor::isFloating(type) && stream == 3)
                            plan.distribution.ramp = {1.5, 0.5, 2.5, verify::Signs::stretches};
                        const Tensor expected = verify::drawTensor(plan, 5, seed, stream);
                        EmulatedDevice& bench = tensor::byteSize(type) < 4 ? unchecked : checked;
                        QVERIFY2(sameBytes(drawnOnDevice(bench, plan, 5, seed, stream), expected),
                                 (std::string(tensor::name(type)) + " " + tensor::toString(shape)).c_str());
                    }
        const auto& faults = checked.machine.faults();
        QVERIFY2(faults.empty(), faults.empty() ? "" : (faults[0].kind + ": " + faults[0].message).c_str());
    }

    void inputsOfCards_data() {
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("task");
        for (const auto& [level, task] :
             {std::pair{1, 1}, {1, 13}, {1, 95}, {1, 98}, {1, 100}, {2, 17}, {3, 1}, {3, 43}, {3, 30}})
            QTest::addRow("%d/%d", level, task) << level << task;
    }
    void inputsOfCards() {
        REQUIRE_LIBRARY();
        QFETCH(int, level);
        QFETCH(int, task);
        EmulatedDevice bench;
        const auto plan = verify::planOf(*task::loadCard(level, task), "small");
        const auto drawn = operators::drawTensors(bench.device, *plan, 20261121);
        QVERIFY(drawn.ok());
        const std::vector<Tensor> expected = verify::drawTensors(*plan, 20261121);
        QCOMPARE(drawn->size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY2(sameBytes(bench.device.download((*drawn)[i]), expected[i]), plan->tensors[i].name.c_str());
    }

    /// Every way in which a card of any task draws a tensor, at both ends of the shapes: kinds, parameters, element
    /// types.
    void everyDistributionOfCards() {
        REQUIRE_LIBRARY();
        constexpr std::int64_t mostAlong = 13;
        EmulatedDevice bench(false, 64u << 20);
        std::set<std::string> seen;
        std::size_t cards = 0;
        for (const task::TaskKey& key : task::builtInCards()) {
            const auto card = task::loadCard(key.level, key.task);
            QVERIFY(card.ok());
            ++cards;
            for (const char* size : {"small", "full"}) {
                const auto plan = verify::planOf(*card, size);
                QVERIFY2(plan.ok(), card->key().c_str());
                for (std::size_t i = 0; i < plan->tensors.size(); ++i) {
                    verify::TensorPlan t = plan->tensors[i];
                    for (std::int64_t& n : t.shape)
                        n = std::min(n, mostAlong);
                    const Distribution& d = t.distribution;
                    std::string what = std::to_string(int(d.kind)) + " " + std::string(tensor::name(t.dtype)) + " " +
                                       tensor::toString(t.shape) + " " + std::to_string(d.a) + " " +
                                       std::to_string(d.b);
                    for (const double v : d.values)
                        what += " " + std::to_string(v);
                    if (!seen.insert(what).second) continue;
                    for (const std::uint32_t stream : {0u, 1u, 2u})
                        QVERIFY2(sameBytes(drawnOnDevice(bench, t, i, 20261122, stream),
                                           verify::drawTensor(t, i, 20261122, stream)),
                                 (card->key() + " " + t.name + ": " + what).c_str());
                }
            }
        }
        QVERIFY(cards > 250); // KernelBench's, and ours
        QVERIFY2(seen.size() > 100, std::to_string(seen.size()).c_str());
    }
};

namespace {
KERNELARIUM_TEST(TestInputs);
}

} // namespace kernelarium::test

#include "TestInputs.moc"
