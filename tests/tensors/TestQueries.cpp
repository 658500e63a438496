// SPDX-License-Identifier: GPL-3.0-or-later
//
// Questions and answers as they go between the program and its child.
#include "core/tensorview/Query.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

using namespace kernelarium;
using namespace kernelarium::tensorview;
using nlohmann::json;
using verify::WriterInfo;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

WriterInfo kernelWriter() {
    WriterInfo w;
    w.kind = WriterInfo::Kind::kernel;
    w.kernel = "twice";
    w.block = {1, 2, 3};
    w.thread = {4, 5, 6};
    w.line = 17;
    w.launch = 8;
    return w;
}

Answer fullAnswer() {
    Answer a;
    a.end = "finished";
    a.faults = "1 fault: it read too far.";
    a.backend = "emulator";
    a.size = "small";
    a.seed = 3;
    a.namesWriters = true;
    a.tensors = {{{Role::output, 0}, "", tensor::DType::Float16, {2, 2}},
                 {{Role::input, 1}, "x", tensor::DType::Bool, {}}};
    a.statistics = Statistics{4, 1, 1, 0, 0, Statistics::Finite{-1, 2, 0, 3, 0.5, 1, 1.5}};
    a.histogram = Histogram{-1, 2, {1, 0, 1}, 0, 0, 2};
    a.slice = Slice{0, 1, {0, 0}, 0, 0, 2, 2, 1, 1, 2, 2, {-1, std::nan(""), infinite, 2}, {}};
    a.wrong = WrongElements{4, 2, {{1, std::nan(""), 1, std::nanf("")}, {2, infinite, 1, float(infinite)}}};
    Story story{{1, 0}, infinite, 1.0, kernelWriter(), {70, {{kernelWriter(), std::nan("")}}}};
    story.history.list.front().writer.launch.reset();
    a.story = std::move(story);
    a.written = Written{{2, {1, 3}, 3}, 0, 4};
    return a;
}

json written(const Answer& answer) {
    return json::parse(toJson(answer).dump()); // as it is on the wire
}

} // namespace

class TestQueries : public QObject {
    Q_OBJECT
private slots:
    void subjectsHaveNames();
    void queriesComeBack();
    void answersComeBack();
    void inconsistentAnswersAreRefused_data();
    void inconsistentAnswersAreRefused();
    void writersAreFoundBothWays();
};

void TestQueries::subjectsHaveNames() {
    for (const Subject& s : {Subject{Role::output, 0}, Subject{Role::input, 12}, Subject{Role::difference, 1}})
        QVERIFY(*parseSubject(toString(s)) == s);
    QVERIFY((*parseSubject("reference") == Subject{Role::reference, 0}));
    for (const char* bad :
         {"", "outputs", "output:", "output:x", "output:-1", "output:1:2", "input:99999999999999999999"})
        QVERIFY2(!parseSubject(bad), bad);
}

void TestQueries::queriesComeBack() {
    Query q;
    q.subject = {Role::difference, 2};
    q.statistics = true;
    q.histogram = {32, -1.5, std::nullopt};
    q.slice = SliceRequest{{1, 2}, 0, std::nullopt, 3, 4, 5, 6, 7, 8, Join::largest};
    q.sliceText = "0, :";
    q.worst = 5;
    q.writerOf = tensor::Shape{};
    q.writtenBy = verify::WriterFilter{4, 5, std::array<std::uint32_t, 3>{6, 7, 8}, std::nullopt};
    q.written = 77;
    q.near = 9;
    const Result<Query> back = queryFromJson(json::parse(toJson(q).dump()));
    QVERIFY(back.ok());
    QVERIFY(back->subject == q.subject);
    QCOMPARE(back->statistics, true);
    QCOMPARE(back->histogram->bins, 32);
    QCOMPARE(*back->histogram->low, -1.5);
    QVERIFY(!back->histogram->high);
    QVERIFY(back->slice == q.slice);
    QCOMPARE(back->sliceText, q.sliceText);
    QCOMPARE(back->worst, q.worst);
    QCOMPARE(*back->writerOf, tensor::Shape{});
    QVERIFY(back->writtenBy == q.writtenBy);
    QCOMPARE(back->written, 77u);
    QCOMPARE(back->near, 9);
    QVERIFY(!queryFromJson(toJson(Query()))->writerOf);
    QVERIFY(!queryFromJson(json::object()));
    QVERIFY(!queryFromJson({{"subject", "everything"}}));
    q.written = std::size_t(1) << 40;
    QCOMPARE(queryFromJson(toJson(q))->written, Query::mostWritten);
}

void TestQueries::answersComeBack() {
    const json once = written(fullAnswer());
    const Result<Answer> back = answerFromJson(once);
    QVERIFY2(back.ok(), back ? "" : back.error().message.c_str());
    QCOMPARE(written(*back).dump(), once.dump());
    QVERIFY(std::isnan(back->slice->value(0, 1)));
    QCOMPARE(back->slice->value(1, 0), infinite);
    QVERIFY(std::isnan(back->wrong->worst[0].excess));
    QCOMPARE(*back->story->writer.launch, 8u);
    QVERIFY(!back->story->history.list[0].writer.launch);
    QVERIFY(back->find({Role::input, 1}));
    QVERIFY(!back->find({Role::input, 0}));
}

void TestQueries::inconsistentAnswersAreRefused_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("value");
    QTest::newRow("too few cells") << "/slice/rows"
                                   << "3";
    QTest::newRow("negative rows") << "/slice/rows"
                                   << "-2";
    QTest::newRow("overflowing rows") << "/slice/rows"
                                      << "4611686018427387905";
    QTest::newRow("far away") << "/slice/first_row"
                              << "9223372036854775807";
    QTest::newRow("negative count") << "/histogram/counts/0"
                                    << "-1";
    QTest::newRow("no step") << "/slice/row_step"
                             << "0";
    QTest::newRow("no such dimension") << "/slice/row_dim"
                                       << "2";
    QTest::newRow("not a number") << "/slice/values/0"
                                  << R"("many")";
    QTest::newRow("type") << "/tensors/0/dtype"
                          << R"("complex")";
    QTest::newRow("shape") << "/tensors/0/shape/0"
                           << "-1";
    QTest::newRow("role") << "/tensors/0/tensor"
                          << R"("wall:0")";
    QTest::newRow("text for a number") << "/statistics/nan"
                                       << R"("1")";
}

void TestQueries::inconsistentAnswersAreRefused() {
    QFETCH(QString, path);
    QFETCH(QString, value);
    json j = written(fullAnswer());
    j.at(json::json_pointer(path.toStdString())) = json::parse(value.toStdString());
    const Result<Answer> answer = answerFromJson(j);
    QVERIFY(!answer);
    QCOMPARE(answer.error().code, std::string("bad_request"));
}

void TestQueries::writersAreFoundBothWays() {
    verify::WriterMap map;
    map.first = 100;
    map.sites.resize(3);
    map.sites[1].writer = kernelWriter();
    map.sites[1].grid = {4, 2, 2};
    map.sites[1].blockSize = {8, 4, 2};
    map.sites[2].writer.kind = WriterInfo::Kind::call;
    map.sites[2].writer.call = "cudaMemset";
    map.sites[2].writer.line = 17;
    map.marks = {{}, {13, 1, 37}, {0, 2, 0}, {13, 1, 38}};
    QCOMPARE(map.writerOf(100).kind, WriterInfo::Kind::never);
    QCOMPARE(map.writerOf(101).block, (std::array<std::uint32_t, 3>{1, 1, 1}));  // 1 + 4 * (1 + 2 * 1)
    QCOMPARE(map.writerOf(101).thread, (std::array<std::uint32_t, 3>{5, 0, 1})); // 5 + 8 * (0 + 4 * 1)
    QCOMPARE(map.writerOf(102).call, std::string("cudaMemset"));
    const auto elements = [&](const verify::WriterFilter& filter) {
        return verify::elementsWrittenBy(map, filter, 100).elements;
    };
    using List = std::vector<std::int64_t>;
    QCOMPARE(elements({.line = 17}), (List{101, 102, 103}));
    QCOMPARE(elements({.line = 18}), List{});
    QCOMPARE(elements({.line = 17, .launch = 8}), (List{101, 103}));
    QCOMPARE(elements({.block = {{1, 1, 1}}}), (List{101, 103}));
    QCOMPARE(elements({.block = {{1, 1, 0}}}), List{});
    QCOMPARE(elements({.block = {{1, 1, 1}}, .thread = {{6, 0, 1}}}), List{103});
    QCOMPARE(elements({}), (List{101, 102, 103}));
    const verify::WrittenElements few = verify::elementsWrittenBy(map, {.line = 17}, 1);
    QCOMPARE(few.count, 3);
    QCOMPARE(few.elements, List{101});
    QCOMPARE(*few.last, 103);
}

KERNELARIUM_TEST(TestQueries);
#include "TestQueries.moc"
