// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tensors of real runs: of every type and shape, of runs that end early, one run for many questions.
#include "tests/TestRegistry.h"
#include "tests/tensors/RunQuestions.h"

#include <QtTest>
#include <cmath>

using namespace kernelarium;
using namespace kernelarium::tensorview;
using kernelarium::test::RunQuestions;
using tensor::DType;
using tensor::Shape;

namespace {

constexpr const char* twice = R"(
__global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2.0f * x[i] + (i == 37 ? 5.0f : 0.0f);
}
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    twice<<<2, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    return y;
})";
constexpr const char* plain = "torch::Tensor forward(torch::Tensor x) { return x + x; }";

Query about(const Subject& subject) {
    Query q;
    q.subject = subject;
    q.statistics = true;
    q.slice = SliceRequest{};
    return q;
}

} // namespace

#define ASKED(variable, ...)                                                                                           \
    RunQuestions variable(__VA_ARGS__);                                                                                \
    if (!variable.unavailable().empty()) QSKIP(variable.unavailable().c_str())

class TestRunTensors : public QObject {
    Q_OBJECT
private slots:
    void everyTensorCanBeSeen();
    void oneRunAnswersManyQuestions();
    void otherWorkForgetsTheRun();
    void viewsAreSeenAsTheyAre();
    void everyTypeComesOut_data();
    void everyTypeComesOut();
    void emptyAndScalarOutputs();
    void severalOutputs();
    void whatIsNotThereIsSaid();
    void runsThatEndEarlyShowTheirInputs();
    void tooLargeOutputsAreRefused();
    void otherShapesHaveNoDifference();
    void cancelledQuestionsLeaveNothing();
};

void TestRunTensors::everyTensorCanBeSeen() {
    ASKED(asked, twice, {"float32[8,8]"}, plain);
    const Answer output = asked.answered(about({}));
    QCOMPARE(output.end, std::string("finished"));
    QCOMPARE(output.backend, std::string("emulator"));
    QVERIFY(output.namesWriters);
    QVERIFY(output.whyNoReference.empty());
    QCOMPARE(output.tensors.size(), 4u);
    QCOMPARE(output.find({Role::output, 0})->shape, (Shape{8, 8}));
    QCOMPARE(output.find({Role::output, 0})->dtype, DType::Float32);
    QVERIFY(output.find({Role::difference, 0}));
    QCOMPARE(output.statistics->elements, 64);
    QCOMPARE(output.slice->values.size(), 64u);
    const Answer input = asked.answered(about({Role::input, 0}));
    const Answer reference = asked.answered(about({Role::reference, 0}));
    for (std::size_t k = 0; k < 64; ++k)
        QCOMPARE(reference.slice->values[k], 2 * input.slice->values[k]);
    Query difference = about({Role::difference, 0});
    difference.worst = 10;
    difference.histogram = {.bins = 8};
    const Answer d = asked.answered(difference);
    QCOMPARE(d.statistics->zeros, 63);
    QCOMPARE(d.statistics->finite->largestAt, 37);
    QVERIFY(std::abs(d.slice->value(4, 5) - 5) < 1e-4);
    QCOMPARE(d.wrong->wrong, 1);
    QCOMPARE(d.wrong->worst[0].element, 37);
    QCOMPARE(d.histogram->counts.front(), 63);
    QCOMPARE(d.histogram->counts.back(), 1);
}

void TestRunTensors::oneRunAnswersManyQuestions() {
    ASKED(asked, twice, {"float32[64]"}, plain);
    const Answer first = asked.answered(about({}));
    for (int k = 0; k < 3; ++k)
        QCOMPARE(asked.answered(about({})).slice->values, first.slice->values);
    QCOMPARE(asked.runs(), 1);
    asked.parameters().seed = 2;
    QVERIFY(asked.answered(about({})).slice->values != first.slice->values);
    QCOMPARE(asked.runs(), 2);
}

void TestRunTensors::otherWorkForgetsTheRun() {
    ASKED(asked, twice, {"float32[64]"}, plain);
    const Answer first = asked.answered(about({}));
    QVERIFY(asked.call("run").ok());
    QCOMPARE(asked.answered(about({})).slice->values, first.slice->values);
    QCOMPARE(asked.runs(), 2);
}

void TestRunTensors::viewsAreSeenAsTheyAre() {
    ASKED(asked, "torch::Tensor forward(torch::Tensor x) { return x.t(); }", {"float32[3,5]"});
    const Answer output = asked.answered(about({}));
    const Answer input = asked.answered(about({Role::input, 0}));
    QCOMPARE(output.find({})->shape, (Shape{5, 3}));
    for (std::int64_t i = 0; i < 3; ++i)
        for (std::int64_t j = 0; j < 5; ++j)
            QCOMPARE(output.slice->value(j, i), input.slice->value(i, j));
}

void TestRunTensors::everyTypeComesOut_data() {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<int>("type");
    QTest::newRow("half") << "x.to(torch::kHalf)" << int(DType::Float16);
    QTest::newRow("bfloat16") << "x.to(torch::kBFloat16)" << int(DType::BFloat16);
    QTest::newRow("double") << "x.to(torch::kDouble)" << int(DType::Float64);
    QTest::newRow("int64") << "x.to(torch::kLong)" << int(DType::Int64);
    QTest::newRow("int32") << "x.to(torch::kInt)" << int(DType::Int32);
    QTest::newRow("bool") << "x.to(torch::kBool)" << int(DType::Bool);
}

void TestRunTensors::everyTypeComesOut() {
    QFETCH(QString, expression);
    QFETCH(int, type);
    ASKED(asked, "torch::Tensor forward(torch::Tensor x) { return " + expression.toStdString() + "; }",
          {"float32[2,3,2]~constant(1)"});
    const Answer a = asked.answered(about({}));
    QCOMPARE(int(a.find({})->dtype), type);
    QCOMPARE(a.statistics->finite->smallest, 1.0);
    QCOMPARE(a.statistics->finite->largest, 1.0);
    QCOMPARE(a.slice->rows, 3);
}

void TestRunTensors::emptyAndScalarOutputs() {
    ASKED(empty, "torch::Tensor forward(torch::Tensor x) { return torch::empty({0, 7}, x.options()); }",
          {"float32[4]"});
    Query q = about({});
    q.histogram.emplace();
    q.writtenBy = verify::WriterFilter{.line = 2};
    const Answer none = empty.answered(q);
    QCOMPARE(none.statistics->elements, 0);
    QVERIFY(none.slice->values.empty());
    QVERIFY(none.histogram->counts.empty());
    QCOMPARE(none.written->found.count, 0);
    ASKED(scalar, "torch::Tensor forward(torch::Tensor x) { return x.sum(); }", {"float32[4]~constant(2)"});
    const Answer one = scalar.answered(about({}));
    QCOMPARE(one.find({})->shape, Shape{});
    QCOMPARE(one.slice->values, (std::vector<double>{8}));
}

void TestRunTensors::severalOutputs() {
    ASKED(asked,
          "std::vector<torch::Tensor> forward(torch::Tensor x) { return {x + 1, torch::zeros({3}, x.options())}; }",
          {"float32[4,4]"});
    const Answer second = asked.answered(about({Role::output, 1}));
    QCOMPARE(second.find({Role::output, 0})->shape, (Shape{4, 4}));
    QCOMPARE(second.statistics->zeros, 3);
}

void TestRunTensors::whatIsNotThereIsSaid() {
    ASKED(asked, twice, {"float32[64]"});
    const auto refused = [&](const Query& q) {
        const Result<Answer> answer = asked.ask(q);
        return answer ? std::string() : answer.error().code + ": " + answer.error().text();
    };
    QVERIFY(refused(about({Role::output, 1})).starts_with("no_such_tensor"));
    QVERIFY(refused(about({Role::input, 9})).starts_with("no_such_tensor"));
    const std::string reference = refused(about({Role::reference, 0}));
    QVERIFY2(reference.starts_with("no_such_tensor") && reference.find("neither a task") != std::string::npos,
             reference.c_str());
    QVERIFY(!asked.answered(about({})).whyNoReference.empty());
    Query outside = about({});
    outside.sliceText = "64";
    QVERIFY(refused(outside).starts_with("bad_input"));
    Query huge = about({});
    huge.slice->mostRows = 1 << 20;
    QVERIFY(refused(huge).starts_with("bad_input"));
    Query worst;
    worst.worst = 3;
    QVERIFY(refused(worst).starts_with("no_such_tensor"));
}

void TestRunTensors::runsThatEndEarlyShowTheirInputs() {
    ASKED(asked, R"(torch::Tensor forward(torch::Tensor x) { TORCH_CHECK(false, "not today"); return x; })",
          {"float32[64]"});
    const Answer list = asked.answered({});
    QCOMPARE(list.end, std::string("host_exception"));
    QVERIFY(list.reason.find("not today") != std::string::npos);
    QVERIFY(!list.find({Role::output, 0}));
    QCOMPARE(asked.answered(about({Role::input, 0})).statistics->elements, 64);
    const Result<Answer> output = asked.ask(about({}));
    QVERIFY(!output);
    QVERIFY2(output.error().message.find("not today") != std::string::npos, output.error().message.c_str());
}

/// What does not fit is not kept, either.
void TestRunTensors::tooLargeOutputsAreRefused() {
    ASKED(asked, "torch::Tensor forward(torch::Tensor x) { return torch::zeros({1 << 20, 1 << 14}, x.options()); }",
          {"float32[4]"});
    const Result<Answer> output = asked.ask(about({}));
    QVERIFY(!output);
    QCOMPARE(output.error().code, std::string("no_such_tensor"));
    QVERIFY2(output.error().message.find("out_of_memory") != std::string::npos, output.error().message.c_str());
    QVERIFY2(output.error().message.find("..") == std::string::npos, output.error().message.c_str());
    QCOMPARE(asked.answered(about({Role::input, 0})).statistics->elements, 4);
    ASKED(number, "double forward(torch::Tensor x) { return x.sum().item<double>(); }", {"float32[4]~constant(2)"});
    QCOMPARE(number.answered(about({})).slice->values, (std::vector<double>{8}));
    Query writer;
    writer.writerOf = Shape{};
    const Result<Answer> nobody = number.ask(writer);
    QVERIFY(!nobody && nobody.error().code == "unsupported"); // it is in no device memory
}

void TestRunTensors::otherShapesHaveNoDifference() {
    ASKED(asked, "torch::Tensor forward(torch::Tensor x) { return x.narrow(0, 0, 8); }", {"float32[64]"}, plain);
    QVERIFY(asked.answered(about({Role::reference, 0})).find({Role::reference, 0}));
    const Result<Answer> difference = asked.ask(about({Role::difference, 0}));
    QVERIFY(!difference);
    QVERIFY2(difference.error().message.find("shape") != std::string::npos, difference.error().message.c_str());
    ASKED(units, "torch::Tensor forward(torch::Tensor x) { return (x + x).view({1, 64}); }", {"float32[64]"}, plain);
    QCOMPARE(units.answered(about({Role::difference, 0})).statistics->zeros, 64);
}

void TestRunTensors::cancelledQuestionsLeaveNothing() {
    ASKED(asked, twice, {"float32[64]"}, plain);
    std::stop_source stopped;
    stopped.request_stop();
    const Result<Answer> cancelled = asked.ask(about({}), stopped.get_token());
    QVERIFY(!cancelled);
    QCOMPARE(cancelled.error().code, std::string("cancelled"));
    QCOMPARE(asked.answered(about({})).statistics->elements, 64);
}

KERNELARIUM_TEST(TestRunTensors);
#include "TestRunTensors.moc"
