// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/family/Pool.h"
#include "core/hgemm/laboratory/Claims.h"
#include "core/hgemm/laboratory/Comparison.h"
#include "core/hgemm/laboratory/ShapeClass.h"
#include "gpu/protocol/products/ProductEvaluation.h"
#include "gpu/protocol/products/ProductTuning.h"
#include "tests/TestRegistry.h"

#include <QTest>
#include <filesystem>
#include <fstream>
#include <set>

using namespace kernelarium;
using namespace kernelarium::hgemm;

class TestLaboratory : public QObject {
    Q_OBJECT
private slots:
    void messagesComeBack();
    void damagedMessages();
    void tables();
    void nearestShapeServes();
    void fallbackCountsAsOne();
    void shapes();
    void searchedConfigurations();
    void tuningCandidatesInOrder();
    void comparisonsByParts();
    void classes();
    void claims();
};

namespace {

Measured timed(Subject::Kind kind, Layout layout, double seconds) {
    Measured m;
    m.subject = {kind, layout, {}, false};
    m.time.count = 10;
    m.time.median = seconds;
    return m;
}

} // namespace

void TestLaboratory::messagesComeBack() {
    MeasureRequest request;
    request.shape = {64, 128, 256};
    request.mode = Mode::server;
    Configuration c;
    c.layout = Layout::nn;
    request.subjects = {{Subject::Kind::family, c.layout, c, false},
                        {Subject::Kind::ltFastest, Layout::tn, {}, false},
                        {Subject::Kind::cublas, Layout::nn, {}, true}};
    request.stop.secondsAtMost = 0.25;
    const auto back = measureRequestFromJson(toJson(request));
    QVERIFY(back.ok());
    QCOMPARE(toJson(*back), toJson(request));
    QVERIFY(back->subjects == request.subjects);

    MeasureAnswer answer;
    answer.device = "NVIDIA H200";
    answer.measured = {timed(Subject::Kind::ltFirst, Layout::tn, 2e-6)};
    answer.measured[0].check = Check{4096, 1, 2.5, 100, 2, 3};
    answer.measured[0].joules = 0.5;
    const auto same = measureAnswerFromJson(toJson(answer));
    QVERIFY(same.ok());
    QCOMPARE(toJson(*same), toJson(answer));
    QVERIFY(!same->measured[0].check->right());
}

void TestLaboratory::damagedMessages() {
    nlohmann::json j = toJson(MeasureRequest{});
    j["subjects"] = {"cublas xx"};
    QCOMPARE(measureRequestFromJson(j).error().code, std::string("bad_message"));
    j["subjects"] = nlohmann::json::array();
    j["mode"] = "lukewarm";
    QCOMPARE(measureRequestFromJson(j).error().code, std::string("bad_message"));
    QCOMPARE(measureAnswerFromJson({}).error().code, std::string("bad_message"));
}

void TestLaboratory::tables() {
    Configuration c;
    c.tileRows = 128;
    const std::vector<BestRow> rows{{"NVIDIA H200", {64, 128, 256}, Mode::cold, c, 3e-6, 2e-6}};
    const auto back = parseBestTable(bestTableText(rows));
    QVERIFY(back.ok());
    QCOMPARE(back->size(), std::size_t(1));
    QCOMPARE(bestTableText(*back), bestTableText(rows));
    BestRow row = back->front();
    for (const auto& [ours, device, wall] :
         {std::tuple(3e-6, true, true), {1.999e-6, true, false}, {1.9e-6, false, false}}) {
        row.seconds = ours;
        QCOMPARE(row.fallsBackIn(Mode::hot) && row.fallsBackIn(Mode::cold), device);
        QCOMPARE(row.fallsBackIn(Mode::offline) || row.fallsBackIn(Mode::server), wall);
    }
    row.autotuned = 0;
    QVERIFY(!row.fallsBackIn(Mode::hot)); // nothing is known of cuBLASLt there
    QCOMPARE(parseBestTable("device,mnk\n").error().code, std::string("bad_table"));
    QVERIFY(parseBestTable(bestTableText(rows) + "x,1_1_1,hot,1,1,engine=none\n").error().message.find("Line 3") !=
            std::string::npos);
    for (const BestRow& row : shippedBestTable())
        QCOMPARE(refusal(row.configuration, row.shape), std::string());
}

void TestLaboratory::nearestShapeServes() {
    Configuration small, large;
    large.tileRows = 128;
    const std::vector<BestRow> rows{{"x", {64, 64, 64}, Mode::hot, small, 1e-6, 2e-6},
                                    {"x", {4096, 4096, 4096}, Mode::hot, large, 1e-4, 2e-4}};
    QCOMPARE(bestFor(rows, {128, 64, 128}, Mode::hot)->configuration.key(), small.key());
    QCOMPARE(bestFor(rows, {2048, 4096, 4096}, Mode::offline)->configuration.key(), large.key());
    QVERIFY(!bestFor(rows, {64, 64, 64}, Mode::cold));
    QVERIFY(!bestFor(rows, {64, 63, 64}, Mode::hot)); // no kernel of ours takes it
    // Sums in float16 are asked for by name.
    std::vector<BestRow> both = rows;
    both.push_back(rows.front());
    both.back().configuration.halfSums = true;
    QVERIFY(!bestFor(rows, {64, 64, 64}, Mode::hot, true));
    QVERIFY(bestFor(both, {4096, 4096, 4096}, Mode::hot, true)->configuration.halfSums);
    QVERIFY(!bestFor(both, {64, 64, 64}, Mode::hot)->configuration.halfSums);
}

void TestLaboratory::fallbackCountsAsOne() {
    Configuration c;
    const std::vector<BestRow> rows{{"x", {64, 64, 64}, Mode::hot, c, 3e-6, 2e-6}};
    bool fallsBack = false;
    const MeasureRequest request = comparisonRequest(rows, {64, 64, 64}, Mode::hot, fallsBack);
    QVERIFY(fallsBack);
    QCOMPARE(request.subjects.size(), std::size_t(6)); // three libraries in both layouts

    Comparison fell{{64, 64, 64}, Mode::hot, true, {}};
    fell.answer.measured = {timed(Subject::Kind::ltFastest, Layout::tn, 2e-6),
                            timed(Subject::Kind::ltFastest, Layout::nn, 4e-6),
                            timed(Subject::Kind::cublas, Layout::nn, 5e-6)};
    QCOMPARE(fell.speedup(Subject::Kind::ltFastest).value_or(0), 1.0);
    QCOMPARE(fell.speedup(Subject::Kind::cublas).value_or(0), 2.5);
    QVERIFY(!fell.speedup(Subject::Kind::ltFirst));
    Comparison won = fell;
    won.fellBack = false;
    won.answer.measured.push_back(timed(Subject::Kind::family, Layout::tn, 0.5e-6));
    QCOMPARE(won.speedup(Subject::Kind::ltFastest).value_or(0), 4.0);
    const auto s = summarise(std::vector{fell, won}, Mode::hot, Subject::Kind::ltFastest);
    QCOMPARE(s.shapes, std::size_t(2));
    QCOMPARE(s.fellBack, std::size_t(1));
    QVERIFY(std::abs(s.geometricMean - 2) < 1e-12);
    QCOMPARE(summarise(std::vector{fell, won}, Mode::cold, Subject::Kind::ltFastest).shapes, std::size_t(0));
}

void TestLaboratory::shapes() {
    QVERIFY((shapeOf("64x128x256") == Shape{64, 128, 256}));
    QVERIFY((shapeOf("64_128_256") == Shape{64, 128, 256}));
    QVERIFY((shapeOf("512") == Shape{512, 512, 512}));
    for (const char* wrong : {"", "64x64", "64x64x64x64", "0", "64xx64", "a"})
        QVERIFY2(!shapeOf(wrong), wrong);
}

void TestLaboratory::searchedConfigurations() {
    Configuration c, d;
    d.stages = 4;
    const tuning::Space space = protocol::configurationSpace({c, d});
    for (std::uint64_t i = 0; i < space.size(); ++i) {
        const auto found = protocol::configurationAt(space, space.key(space.point(i)));
        QVERIFY(found && *found == (i == 0 ? c : d));
    }
}

void TestLaboratory::tuningCandidatesInOrder() {
    protocol::ProductTuning tuning;
    tuning.looks = 5;
    const Shape shape{512, 512, 512};
    const auto all = protocol::tuningCandidates(tuning, shape, {});
    QCOMPARE(all.size(), std::size_t(10)); // five of each layout, the best of both first
    QVERIFY(all[0].layout != all[1].layout);
    QVERIFY(all[0] == candidates(shape, all[0].layout, false, 5)[0]);
    // What is known of others comes first, once, and not where it does not serve.
    Configuration halves = all[3];
    halves.halfSums = true;
    const auto again = protocol::tuningCandidates(tuning, shape, {all[7], halves});
    QVERIFY(again[0] == all[7]);
    QCOMPARE(again.size(), all.size());
    tuning.layouts = {Layout::nn};
    for (const Configuration& c : protocol::tuningCandidates(tuning, shape, all))
        QVERIFY(c.layout == Layout::nn);
    // Large products get fewer looks.
    tuning.looks = 48;
    QVERIFY(protocol::tuningCandidates(tuning, {16384, 16384, 16384}, {}).size() <
            protocol::tuningCandidates(tuning, shape, {}).size());
}

void TestLaboratory::comparisonsByParts() {
    Configuration tn, nn;
    nn.layout = Layout::nn;
    const std::vector<BestRow> rows{{"x", {64, 64, 64}, Mode::hot, tn, 1e-6, 2e-6},
                                    {"x", {64, 64, 64}, Mode::hot, nn, 1e-6, 2e-6}};
    bool fallsBack = true;
    const ComparisonParts parts{{Subject::Kind::ltFastest}, {Layout::nn}, false};
    const MeasureRequest request = comparisonRequest(rows, {64, 64, 64}, Mode::hot, fallsBack, parts);
    QVERIFY(!fallsBack);
    QCOMPARE(request.subjects.size(), std::size_t(2));
    QVERIFY(request.subjects[0].configuration == nn);
    QVERIFY(request.subjects[1].layout == Layout::nn);
    // No row has sums in float16: the model's first is taken, and the libraries stay in float32.
    ComparisonParts halves;
    halves.halfSums = true;
    const MeasureRequest half = comparisonRequest(rows, {512, 512, 512}, Mode::hot, fallsBack, halves);
    QVERIFY(!fallsBack);
    QVERIFY(half.subjects[0].configuration.halfSums && half.subjects[0].halfSums);
    QVERIFY(!half.subjects[1].halfSums);
}

void TestLaboratory::classes() {
    QVERIFY(classOf({64, 64, 64}) == ShapeClass::launchBound);
    QVERIFY(classOf({16384, 16384, 16384}) == ShapeClass::manyWaves);
    QVERIFY(classOf({16384, 64, 2048}) == ShapeClass::memoryBound);
    std::set<std::string_view> names;
    for (int i = 0; i < shapeClasses; ++i)
        names.insert(name(ShapeClass(i)));
    QCOMPARE(names.size(), std::size_t(shapeClasses));
    const std::filesystem::path file = std::filesystem::path(KERNELARIUM_SHARED_DIR) / "hgemm/shapes.csv";
    if (!std::filesystem::exists(file)) QSKIP("the published shapes are not here");
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    std::size_t shapes = 0;
    while (std::getline(in, line)) { // mnk,M,N,K,class,...
        const QStringList fields = QString::fromStdString(line).split(QLatin1Char(','));
        const Shape shape{fields[1].toLongLong(), fields[2].toLongLong(), fields[3].toLongLong()};
        QCOMPARE(QChar('A' + int(classOf(shape))), fields[4][0]);
        ++shapes;
    }
    QCOMPARE(shapes, std::size_t(100));
}

void TestLaboratory::claims() {
    const auto table = parseHgemmTable("mnk,cuBLAS-max,cuBLASLt-auto-tuning-max\n64_64_64,2.0,1.25\n128_64_64,8,\n",
                                       "set_h100_F32F16F16F32_speedup_offline.csv");
    QVERIFY(table.ok());
    QCOMPARE(claimOf(*table, "h100", {64, 64, 64}).value_or(0), 1.25);
    QVERIFY(!claimOf(*table, "h100", {128, 64, 64})); // no value
    QVERIFY(!claimOf(*table, "h100", {64, 64, 128}));
    QVERIFY(!claimOf(*table, "a100", {64, 64, 64}));
    const auto server =
        parseHgemmTable("mnk,cuBLASLt-auto-tuning-max\n64_64_64,1.25\n", "set_h100_F32F16F16F32_speedup_server.csv");
    QVERIFY(server.ok() && !claimOf(*server, "h100", {64, 64, 64}));
}

KERNELARIUM_TEST(TestLaboratory);
#include "TestLaboratory.moc"
