// SPDX-License-Identifier: GPL-3.0-or-later
// A verification's tensors on a device: everything that is asked of them there is what the CPU says of the same
// elements, and what does not fit comes back when it is wanted.
#include "core/verify/CardSubject.h"
#include "gpu/operators/DeviceReference.h"
#include "gpu/operators/DeviceWorkplace.h"
#include "tests/TestRegistry.h"
#include "tests/operators/Bench.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <limits>

namespace kernelarium::test {

using namespace operators;
using tensor::DType;
using tensor::Tensor;
using tensor::Value;
using verify::Sampling;

namespace {

bool sameElements(const Tensor& a, const Tensor& b) {
    return a.dtype() == b.dtype() && a.shape() == b.shape() &&
           std::memcmp(a.bytes().data(), b.bytes().data(), a.byteCount()) == 0;
}

verify::TensorPlan planned(tensor::Shape shape, DType type = DType::Float32) {
    return {"x", type, std::move(shape), {verify::Distribution::Kind::normal, 0.25, 3.0, {}}, false};
}

struct PlacedBench {
    explicit PlacedBench(std::uint64_t capacity = 256u << 20)
        : emulated(false, capacity)
        , place(emulated.machine, *library()) {}
    /// The tensor there.
    Tensor put(const Tensor& t) { return place.tensors().keep(place.tensors().at(t)); }
    Tensor here(const Tensor& t) { return place.tensors().here(t); }
    EmulatedDevice emulated;
    DeviceWorkplace place;
};

Tensor wrongHere(const Tensor& right, std::int64_t element, double by) {
    Tensor t = right.clone();
    t.set(element, right.at(element) + by);
    return t;
}

} // namespace

class TestWorkplace : public QObject {
    Q_OBJECT

private slots:
    void whatIsMadeThereIsWhatIsMadeHere() {
        REQUIRE_LIBRARY();
        PlacedBench bench;
        verify::Workplace& host = verify::hostWorkplace();
        for (const DType type : {DType::Float32, DType::Float16, DType::BFloat16, DType::Float64, DType::Int64}) {
            const verify::TensorPlan plan = planned({37, 41}, type);
            const Tensor here = *host.draw(plan, 2, 5, 0), other = *host.draw(plan, 2, 6, 1);
            const Tensor there = *bench.place.draw(plan, 2, 5, 0), otherThere = *bench.place.draw(plan, 2, 6, 1);
            QVERIFY(there.elsewhere() && !there.defined());
            QVERIFY(sameElements(bench.here(there), here));
            const std::vector<Sampling> few = {{758, 189, 5}, {1516, 1, 1}, {100, 1, 600}};
            QVERIFY(
                sameElements(bench.here(*bench.place.mixed(there, otherThere, few)), *host.mixed(here, other, few)));
            QVERIFY(sameElements(bench.here(*bench.place.filled(there, 3)), *host.filled(here, 3)));
            QVERIFY(sameElements(bench.here(*bench.place.converted(there, DType::Float32, {41, 37})),
                                 *host.converted(here, DType::Float32, {41, 37})));
            if (tensor::isFloating(type))
                QVERIFY(sameElements(bench.here(*bench.place.scaled(there, 4.3)), *host.scaled(here, 4.3)));
            QCOMPARE(*bench.place.elements(there, {3, 7, 100}), *host.elements(here, {3, 7, 100}));
            QVERIFY(near(*bench.place.rms(there), *host.rms(here)));
            QVERIFY(near(*bench.place.mean(there), *host.mean(here)));
            QVERIFY(*bench.place.allFinite(there));
            QVERIFY(*bench.place.sameBits(there, bench.put(here)));
            QVERIFY(!*bench.place.sameBits(there, otherThere));
            QVERIFY(!*bench.place.sameBits(there, there.reshaped({41, 37})));
        }
    }

    void bitsDifferAnywhere_data() {
        QTest::addColumn<qint64>("element");
        QTest::addColumn<qint64>("count");
        for (const qint64 count : {1, 5, 4096, 10007})
            for (const qint64 element : {qint64(0), count / 2, count - 1})
                QTest::addRow("%lld of %lld", element, count) << element << count;
    }
    /// One byte in a tensor of bytes: ends of words, of blocks, and the rest behind the last word.
    void bitsDifferAnywhere() {
        REQUIRE_LIBRARY();
        QFETCH(qint64, element);
        QFETCH(qint64, count);
        PlacedBench bench;
        const Tensor same = noise({count}, 3).to(DType::UInt8);
        const Tensor changed = wrongHere(same, element, 1);
        QVERIFY(*bench.place.sameBits(bench.put(same), bench.put(same)));
        QVERIFY(!*bench.place.sameBits(bench.put(same), bench.put(changed)));
    }

    void comparisonsOfAnyPlace_data() {
        QTest::addColumn<int>("which");
        for (int which = 0; which < 7; ++which)
            QTest::addRow("%d", which) << which;
    }
    /// Outputs here or there, references here or there: the same is found.
    void comparisonsOfAnyPlace() {
        REQUIRE_LIBRARY();
        QFETCH(int, which);
        PlacedBench bench;
        const Tensor reference = noise({65, 131}, 1).to(DType::Float64);
        Tensor got = reference.to(DType::Float32);
        const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
        if (which == 1) got = wrongHere(got, 5000, 0.3);
        if (which == 2) got = wrongHere(got, 8514, nan);
        if (which == 3) got = wrongHere(got, 0, infinity);
        if (which == 4) got = got.reshaped({65, 1, 131});
        if (which == 5) got = got.reshaped({131, 65});
        if (which == 6) got = got.to(DType::Float16);
        const std::vector<DType> types = {DType::Float32};
        const verify::Comparison expected = verify::compare(got, reference, types, {});
        for (const Tensor& g : {got, bench.put(got)})
            for (const Tensor& r : {reference, bench.put(reference)}) {
                const auto found = bench.place.compare(g, r, types, {});
                QVERIFY(found.ok());
                sameComparison(*found, expected);
            }
        const auto more = bench.place.compare(tensor::List{got, 3.0}, reference, types, {});
        QCOMPARE(more->structureError, verify::compare(tensor::List{got, 3.0}, reference, types, {}).structureError);
    }

    void mapsOfErrors_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        for (const auto& [rows, columns] : {std::pair{1, 1}, {7, 300}, {300, 7}, {129, 129}, {64, 64}})
            QTest::addRow("%d by %d", rows, columns) << rows << columns;
    }
    void mapsOfErrors() {
        REQUIRE_LIBRARY();
        QFETCH(int, rows);
        QFETCH(int, columns);
        PlacedBench bench;
        const Tensor reference = noise({rows, columns}, 9).to(DType::Float64);
        Tensor got = reference.to(DType::Float32);
        for (std::int64_t i = 0; i < got.count(); i += 11)
            got.set(i, got.at(i) * 1.5);
        got.set(got.count() - 1, std::numeric_limits<double>::quiet_NaN());
        if (got.count() > 1) got.set(0, std::numeric_limits<double>::infinity());
        const verify::ErrorMap here = verify::errorMap(got, reference, 0, {}, {});
        const auto there = bench.place.errorMap(bench.put(got), bench.put(reference), 0, {}, {});
        QVERIFY(there.ok());
        QCOMPARE(there->rows, here.rows);
        QCOMPARE(there->columns, here.columns);
        QCOMPARE(there->cellSize, here.cellSize);
        QCOMPARE(there->worst.size(), here.worst.size());
        for (std::size_t i = 0; i < here.worst.size(); ++i) {
            const float a = there->worst[i], b = here.worst[i];
            QVERIFY(a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-6f * std::abs(b));
        }
    }

    void movements() {
        REQUIRE_LIBRARY();
        PlacedBench bench;
        const Tensor out0 = noise({99, 77}, 1), ref0 = noise({99, 77}, 3).to(DType::Float64),
                     ref1 = noise({99, 77}, 4).to(DType::Float64);
        Tensor out1 = noise({99, 77}, 2);
        out1.set(17, std::numeric_limits<double>::quiet_NaN());
        const verify::MovementSums here = verify::movementOf(out0, out1, ref0, ref1);
        const auto there = bench.place.movement(bench.put(out0), out1, bench.put(ref0),
                                                bench.put(ref1.to(DType::Float32).to(DType::Float64)));
        QVERIFY(there.ok());
        const verify::MovementSums rounded =
            verify::movementOf(out0, out1, ref0, ref1.to(DType::Float32).to(DType::Float64));
        QVERIFY(near(there->reference, rounded.reference) && near(there->output, rounded.output) &&
                near(there->difference, rounded.difference) && near(there->scale, rounded.scale));
        const auto mixedTypes =
            bench.place.movement(bench.put(out0), bench.put(out1.to(DType::Float64)), bench.put(ref0), bench.put(ref1));
        QVERIFY(mixedTypes.ok());
        QVERIFY(near(mixedTypes->difference, here.difference) && near(mixedTypes->output, here.output));
    }

    /// Three times what the machine has room for: drawn tensors are drawn again, others come back from this process.
    void whatDoesNotFitComesBack() {
        REQUIRE_LIBRARY();
        PlacedBench bench(4u << 20);
        const verify::TensorPlan plan = planned({1 << 18}); // a megabyte
        std::vector<Tensor> drawn, kept, expected;
        for (std::uint32_t i = 0; i < 6; ++i) {
            const Result<Tensor> t = bench.place.draw(plan, i, 5, 0);
            QVERIFY2(t.ok(), t ? "" : t.error().message.c_str());
            drawn.push_back(*t);
            expected.push_back(verify::drawTensor(plan, i, 5));
            kept.push_back(*bench.place.scaled(*t, 2));
        }
        QVERIFY(bench.place.tensors().putAway() > 6);
        for (std::uint32_t i = 0; i < 6; ++i) {
            QVERIFY(sameElements(bench.here(drawn[i]), expected[i]));
            QVERIFY(sameElements(bench.here(kept[i]), *verify::hostWorkplace().scaled(expected[i], 2)));
            QVERIFY(*bench.place.sameBits(drawn[i], expected[i]));
        }
    }

    /// Four tensors of which three fit: they go there by tiles. So does a reference that has no room beside the output.
    void comparedByTiles() {
        REQUIRE_LIBRARY();
        constexpr std::int64_t count = 5 << 18; // 5 MB each, more than one tile
        PlacedBench bench(18u << 20);
        std::array<Tensor, 4> here, there;
        for (std::uint32_t i = 0; i < 4; ++i) {
            here[i] = noise({count}, i + 1);
            there[i] = bench.put(here[i]);
        }
        QCOMPARE(bench.place.tensors().putAway(), std::uint64_t(1));
        const verify::MovementSums expected = verify::movementOf(here[0], here[1], here[2], here[3]);
        const auto found = bench.place.movement(there[0], there[1], there[2], there[3]);
        QVERIFY2(found.ok(), found ? "" : found.error().message.c_str());
        QVERIFY(near(found->reference, expected.reference) && near(found->output, expected.output) &&
                near(found->difference, expected.difference) && near(found->scale, expected.scale));
        QVERIFY(bench.place.tensors().putAway() > 1); // room for the tiles

        constexpr std::uint64_t once = 1;
        PlacedBench tight(19u << 19);
        const Tensor reference = tight.put(here[3]), got = tight.put(here[0]);
        QCOMPARE(tight.place.tensors().putAway(), once);
        const auto compared = tight.place.compare(got, reference, {}, {});
        QVERIFY2(compared.ok(), compared ? "" : compared.error().message.c_str());
        sameComparison(*compared, verify::compare(here[0], here[3], {}, {}));
        QCOMPARE(tight.place.tensors().putAway(), once); // it stayed where it was
    }

    /// What somebody holds is not put away under his hands; what does not fit at all is said.
    void whatIsInUseStays() {
        REQUIRE_LIBRARY();
        PlacedBench bench(4u << 20);
        const verify::TensorPlan plan = planned({1 << 18}), large = planned({1 << 20});
        const Tensor t = *bench.place.draw(plan, 0, 5, 0);
        const DeviceTensor held = bench.place.tensors().at(t);
        const std::uint64_t address = held.address();
        const Result<Tensor> none = bench.place.draw(large, 0, 5, 0);
        QVERIFY(!none.ok());
        QCOMPARE(none.error().code, std::string("out_of_memory"));
        QCOMPARE(bench.place.tensors().at(t).address(), address);
        QVERIFY(sameElements(bench.here(t), verify::drawTensor(plan, 0, 5)));
    }

    void cancelled() {
        REQUIRE_LIBRARY();
        PlacedBench bench;
        std::stop_source stop;
        stop.request_stop();
        bench.place.begin(stop.get_token());
        const Result<Tensor> none = bench.place.draw(planned({64}), 0, 1, 0);
        QVERIFY(!none.ok());
        QCOMPARE(none.error().code, std::string("cancelled"));
        bench.place.begin({});
        QVERIFY(bench.place.draw(planned({64}), 0, 1, 0).ok());
    }

    void answersOfCardsStayThere_data() {
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("task");
        for (const auto& [level, task] : {std::pair{1, 1}, {1, 23}, {1, 40}, {1, 95}, {2, 17}})
            QTest::addRow("%d/%d", level, task) << level << task;
    }
    /// Inputs there: so is the answer, and it is what the reference gives for inputs here, even with hardly any room.
    void answersOfCardsStayThere() {
        REQUIRE_LIBRARY();
        QFETCH(int, level);
        QFETCH(int, task);
        const auto card = task::loadCard(level, task);
        const auto plan = verify::planOf(*card, "small");
        verify::CallInputs here;
        here.tensors = verify::drawTensors(*plan, 5);
        EmulatedDevice plain;
        const auto expected =
            (*DeviceReference::create(plain.machine, *library(), *card, "small", {}))->evaluate(here, {});
        QVERIFY(expected.ok());
        PlacedBench bench;
        verify::CallInputs there;
        for (std::size_t i = 0; i < plan->tensors.size(); ++i)
            there.tensors.push_back(*bench.place.draw(plan->tensors[i], i, 5, 0));
        ReferenceSettings settings;
        settings.place = &bench.place;
        const auto reference =
            *DeviceReference::create(bench.place.tensors().machine(), *library(), *card, "small", settings);
        const auto answer = reference->evaluate(there, {});
        QVERIFY(answer.ok());
        const std::vector<Tensor> left = verify::flatten(*answer), right = verify::flatten(*expected);
        QCOMPARE(left.size(), right.size());
        for (std::size_t i = 0; i < left.size(); ++i) {
            QVERIFY(left[i].elsewhere());
            QVERIFY(sameElements(bench.here(left[i]), right[i]));
        }
        const auto single = reference->evaluateFloat32(there, {});
        QVERIFY(single.ok() && single->has_value());
    }
    /// Room for the inputs and one answer in float64, but not for the float32 one beside it, which is what gets
    /// checked.
    void float32IsCheckedWhereBothAnswersDoNotFit() {
        REQUIRE_LIBRARY();
        const auto card = task::loadCard(1, 1);
        const auto plan = verify::planOf(*card, "small");
        const auto symbols = *card->size("small");
        const auto evaluated = [&](std::uint64_t capacity) {
            PlacedBench bench(capacity);
            verify::CallInputs inputs;
            for (std::size_t i = 0; i < plan->tensors.size(); ++i)
                inputs.tensors.push_back(*bench.place.draw(plan->tensors[i], i, 5, 0));
            ReferenceSettings settings{.float64Rate = 1, .samples = 50};
            settings.place = &bench.place;
            const auto reference =
                *DeviceReference::create(bench.place.tensors().machine(), *library(), *card, "small", settings);
            const auto answer = reference->evaluate(inputs, {});
            const Tensor here = answer ? bench.here(verify::flatten(*answer).at(0)) : Tensor();
            return std::tuple(reference->describe(), here, bench.place.tensors().putAway());
        };
        const auto [plainly, expected, notNeeded] = evaluated(256u << 20);
        QCOMPARE(notNeeded, std::uint64_t(0));
        EmulatedDevice probe;
        std::uint64_t needed = planGraph(*card, symbols, DType::Float64, probe.machine.facts())->bytes;
        for (const verify::TensorPlan& t : plan->tensors)
            needed += std::uint64_t(tensor::elementCount(t.shape)) * tensor::byteSize(t.dtype);
        const auto [description, answer, putAway] = evaluated(needed + 4096);
        QVERIFY2(description.find("largest error of 50 sampled outputs") != std::string::npos, description.c_str());
        QCOMPARE(description, plainly);
        QVERIFY(putAway > 0);
        QVERIFY(sameElements(answer, expected));
    }
};

namespace {
KERNELARIUM_TEST(TestWorkplace);
}

} // namespace kernelarium::test

#include "TestWorkplace.moc"
