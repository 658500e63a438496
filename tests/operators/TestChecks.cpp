// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons on the device say what the CPU's say; patterns; sampled accuracy; bounds of memory; cancelling.
#include "core/task/Evaluator.h"
#include "core/verify/CardSubject.h"
#include "gpu/operators/Accuracy.h"
#include "gpu/operators/DeviceComparison.h"
#include "gpu/operators/DeviceFill.h"
#include "gpu/operators/DeviceInputs.h"
#include "tests/TestRegistry.h"
#include "tests/operators/Bench.h"

#include <QTest>

#include <cmath>
#include <limits>

namespace kernelarium::test {

using namespace operators;
using tensor::DType;
using tensor::Tensor;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

struct Planted {
    std::int64_t element;
    double got;
};
/// got is the reference in its type, but for what was planted.
struct PlantedCase {
    const char* name;
    DType type;
    std::vector<Planted> planted;
    std::vector<Planted> inReference;
};
const std::vector<PlantedCase>& plantedCases() {
    static const std::vector<PlantedCase> cases{
        {"none", DType::Float32, {}, {}},
        {"far and near", DType::Float32, {{70001, 0.5}, {70000, 1e-3}, {99999, 5.0}}, {{70000, 0.0}, {70001, 0.499}}},
        {"NaN and infinities",
         DType::Float32,
         {{5, notANumber}, {50000, infinite}, {50001, -infinite}},
         {{50001, -infinite}, {7, notANumber}}},
        {"NaN where the reference has it", DType::Float32, {{5, notANumber}}, {{5, notANumber}}},
        {"overflow of a narrow type", DType::Float16, {{9, infinite}, {10, infinite}}, {{9, 1e6}, {10, -1e6}}},
        {"bfloat16", DType::BFloat16, {{1234, 2.0}}, {}},
        {"float64", DType::Float64, {{1234, 2.0}}, {}},
        {"whole numbers", DType::Int64, {{77777, 3.0}, {88888, -9.0}}, {}},
        {"bools", DType::Bool, {{400, 1.0}, {401, 0.0}}, {{400, 0.0}, {401, 1.0}}},
    };
    return cases;
}
} // namespace

class TestChecks : public QObject {
    Q_OBJECT

private slots:
    void comparesAsTheCpu_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < plantedCases().size(); ++i)
            QTest::addRow("%s", plantedCases()[i].name) << int(i);
    }
    void comparesAsTheCpu() {
        REQUIRE_LIBRARY();
        QFETCH(int, index);
        const PlantedCase& c = plantedCases()[std::size_t(index)];
        EmulatedDevice bench(true, 64u << 20);
        const bool floating = tensor::isFloating(c.type);
        Tensor reference = noise({10, 100, 100}, 4, DType::Float64);
        for (std::int64_t i = 0; !floating && i < reference.count(); ++i)
            reference.set(i, std::floor(reference.at(i) * 5));
        if (!floating) reference = reference.to(c.type);
        Tensor got = reference.to(c.type).clone();
        for (const Planted& p : c.inReference)
            reference.set(p.element, p.got), got.set(p.element, p.got);
        for (const Planted& p : c.planted)
            got.set(p.element, p.got);
        const std::vector<DType> types{floating ? DType::Float32 : c.type};
        const verify::Comparison expected = verify::compare(got, reference, types, {});
        CompareOptions options;
        options.tileElements = 30011; // several tiles, the last one shorter
        const std::vector<DeviceTensor> outputs{bench.device.upload(got)}, references{bench.device.upload(reference)};
        const std::vector<Tensor> inHost{reference};
        const auto there = operators::compare(bench.device, outputs, references, types, options);
        QVERIFY(there.ok());
        sameComparison(*there, expected);
        const auto uploadedInTiles = operators::compare(bench.device, outputs, inHost, types, options);
        QVERIFY(uploadedInTiles.ok());
        sameComparison(*uploadedInTiles, expected);
        QVERIFY(bench.machine.faults().empty());
    }
    void comparesStructureAsTheCpu() {
        REQUIRE_LIBRARY();
        EmulatedDevice bench;
        const Tensor a = noise({4, 1, 5}, 1), b = noise({4, 5}, 1, DType::Float64), other = noise({5, 4}, 1);
        const auto both = [&](const std::vector<Tensor>& got, const std::vector<Tensor>& reference) {
            std::vector<DeviceTensor> uploaded;
            for (const Tensor& t : got)
                uploaded.push_back(bench.device.upload(t));
            const auto device = operators::compare(bench.device, uploaded, reference, {}, {});
            QVERIFY(device.ok());
            sameComparison(*device, verify::compare(tensor::List(got.begin(), got.end()),
                                                    tensor::List(reference.begin(), reference.end()), {}, {}));
        };
        both({a}, {b});
        both({other}, {b});
        both({a, a}, {b});
        both({a.to(DType::Int64)}, {b});
        both({a, other}, {b, other.to(DType::Float64)});
    }
    void comparesStridedOutputsOfOthers() {
        REQUIRE_LIBRARY();
        EmulatedDevice bench;
        const Tensor memory = noise({6, 8}, 1);
        const DeviceTensor kept = bench.device.upload(memory);
        const DeviceTensor view = borrowed(bench.machine, kept.address(), DType::Float32, {8, 6}, {1, 8});
        Tensor reference(DType::Float64, {8, 6});
        for (std::int64_t i = 0; i < 48; ++i)
            reference.set(i, memory.at(i % 6 * 8 + i / 6));
        const auto equal = operators::compare(bench.device, std::array{view}, std::array{reference}, {}, {});
        QVERIFY(equal.ok());
        QCOMPARE(equal->maxAbsoluteError, 0.0);
        reference.set(13, 9.0);
        const auto different = operators::compare(bench.device, std::array{view}, std::array{reference}, {}, {});
        QCOMPARE(different->firstBeyondLegacy->index, tensor::Shape({2, 1}));
    }

    void findsTheFirstDamagedByte() {
        REQUIRE_LIBRARY();
        EmulatedDevice bench(true, 64u << 20);
        constexpr std::uint32_t pattern = 0x7fc0dead;
        for (const std::int64_t bytes : {1, 3, 4, 255, 4096, 1000003}) {
            const DeviceTensor t = bench.device.make(DType::UInt8, {bytes});
            QVERIFY(fillPattern(bench.device, t.address(), std::uint64_t(bytes), pattern).ok());
            const Tensor filled = bench.device.download(t);
            for (std::int64_t i = 0; i < std::min<std::int64_t>(bytes, 1000); ++i)
                QCOMPARE(filled.data<std::uint8_t>()[i], std::uint8_t(pattern >> (i % 4 * 8)));
            const auto clean = firstDifference(bench.device, t.address(), std::uint64_t(bytes), pattern);
            QVERIFY(clean.ok() && !*clean);
            for (const std::int64_t at : {bytes - 1, bytes * 2 / 3, std::int64_t(0)}) { // each before the last
                const std::byte wrong{0x11};
                QVERIFY(bench.machine.write(t.address() + std::uint64_t(at), std::span(&wrong, 1)).ok());
                const auto found = firstDifference(bench.device, t.address(), std::uint64_t(bytes), pattern);
                QVERIFY(found.ok());
                QCOMPARE(found->value_or(~0ull), std::uint64_t(at));
            }
        }
        QVERIFY(bench.machine.faults().empty());
        QCOMPARE(fillPattern(bench.device, 4098, 8, 0).error().code, std::string("bad_argument"));
    }

    void samplesHowFarFloat32Is() {
        REQUIRE_LIBRARY();
        EmulatedDevice bench;
        const task::Card card = *task::loadCard(2, 22);
        const task::Symbols symbols = *card.size("small");
        const auto inputs = operators::drawTensors(bench.device, *verify::planOf(card, "small"), 3);
        const auto narrow = evaluateGraph(bench.device, card, symbols, *inputs, {});
        QVERIFY(narrow.ok());
        const auto accuracy = sampleAccuracy(bench.device, card, symbols, *inputs,
                                             operators::drawSamples(bench.device, *narrow, 50, 1), {});
        QVERIFY(accuracy.ok());
        QCOMPARE(accuracy->samples.size(), std::size_t(50));
        QVERIFY(accuracy->largestError > 0 && accuracy->largestError < 1e-5);
        // Against something else the error shows.
        DeviceValue wrong = *narrow;
        wrong.tensors[0] = bench.device.upload(noise(narrow->tensors[0].shape, 9));
        QVERIFY(
            sampleAccuracy(bench.device, card, symbols, *inputs, operators::drawSamples(bench.device, wrong, 50, 1), {})
                ->largestError > 1e-2);
        GraphOptions tight;
        tight.memoryLimit = 1000;
        const auto skipped = sampleAccuracy(bench.device, card, symbols, *inputs,
                                            operators::drawSamples(bench.device, *narrow, 50, 1), tight);
        QVERIFY(skipped.ok() && skipped->samples.empty() && !skipped->skipped.empty());
    }
    void thePlanIsWhatAnEvaluationTakes() {
        REQUIRE_LIBRARY();
        for (const auto& [level, number] : {std::pair{1, 1}, {2, 22}, {3, 35}, {3, 43}}) {
            EmulatedDevice bench;
            const task::Card card = *task::loadCard(level, number);
            const task::Symbols symbols = *card.size("small");
            const auto plan = planGraph(card, symbols, DType::Float64, bench.machine.facts());
            QVERIFY(plan.ok() && library()->prepare(bench.machine, plan->kernels).ok());
            const auto inputs = operators::drawTensors(bench.device, *verify::planOf(card, "small"), 3);
            const std::uint64_t before = bench.machine.used();
            GraphOptions options;
            options.precision = DType::Float64;
            options.memoryLimit = plan->bytes;
            {
                const auto result = evaluateGraph(bench.device, card, symbols, *inputs, options);
                QVERIFY(result.ok());
                QVERIFY(bench.machine.peak() - before <= plan->bytes);
            }
            QCOMPARE(bench.machine.used(), before); // everything was released
            options.memoryLimit = plan->bytes - 1;
            const auto refused = evaluateGraph(bench.device, card, symbols, *inputs, options);
            QVERIFY(!refused.ok());
            QCOMPARE(refused.error().code, std::string("out_of_memory"));
            QVERIFY(refused.error().message.find("needs") != std::string::npos);
        }
    }
    void stopsBetweenOperators() {
        REQUIRE_LIBRARY();
        EmulatedDevice bench;
        const task::Card card = *task::loadCard(3, 43);
        const task::Symbols symbols = *card.size("small");
        const auto inputs = operators::drawTensors(bench.device, *verify::planOf(card, "small"), 3);
        std::stop_source stop;
        GraphOptions options;
        options.stop = stop.get_token();
        std::vector<double> shares;
        options.progress = [&](double share, std::string_view) {
            shares.push_back(share);
            if (shares.size() == 3) stop.request_stop();
        };
        const auto result = evaluateGraph(bench.device, card, symbols, *inputs, options);
        QVERIFY(!result.ok());
        QCOMPARE(result.error().code, std::string("cancelled"));
        QCOMPARE(shares.size(), std::size_t(3));
        QVERIFY(shares[0] < shares[1] && shares[1] < shares[2] && shares[2] < 1);
    }
    void refusesWrongInputs() {
        REQUIRE_LIBRARY();
        EmulatedDevice bench;
        const task::Card card = *task::loadCard(1, 1);
        const std::vector<DeviceTensor> one{bench.device.upload(noise({4, 4}, 1))};
        QCOMPARE(evaluateGraph(bench.device, card, *card.size("small"), one, {}).error().code,
                 std::string("bad_argument"));
    }
};

namespace {
KERNELARIUM_TEST(TestChecks);
}

} // namespace kernelarium::test

#include "TestChecks.moc"
