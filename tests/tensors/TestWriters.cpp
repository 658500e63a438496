// SPDX-License-Identifier: GPL-3.0-or-later
//
// From an element to who wrote it, and back.
#include "tests/TestRegistry.h"
#include "tests/tensors/RunQuestions.h"

#include <QtTest>
#include <cmath>

using namespace kernelarium;
using namespace kernelarium::tensorview;
using kernelarium::test::RunQuestions;
using tensor::Shape;
using verify::WriterInfo;
using Place = std::array<std::uint32_t, 3>;

namespace {

/// 64 elements: of threads (0..31) of 2 blocks; block 1's thread 5 is overwritten by `spoil`, in the second launch.
constexpr const char* kernels = R"(
__global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2.0f * x[i]; // right
}
__global__ void spoil(float* y) {
    if (threadIdx.y == 1 && threadIdx.x == 2) y[37 + blockIdx.y] += 7.0f; // wrong
}
__global__ void quads(float4* y) {
    y[threadIdx.x] = make_float4(1, 2, 3, 4); // wide
}
__global__ void sums(float* y) {
    for (int k = 0; k < 3; ++k) atomicAdd(y + threadIdx.x % 4, 1.0f); // sum
}
)";

constexpr const char* halves = R"(
#include <cuda_fp16.h>
__global__ void number(__half* y) { y[threadIdx.x] = __float2half(float(threadIdx.x)); }
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty({32}, x.options().dtype(torch::kHalf));
    number<<<1, 32>>>((__half*)y.data_ptr<at::Half>());
    return y;
})";

std::string forwardOf(const std::string& rest, const std::string& result = "y") {
    return std::string(kernels) + R"(
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    twice<<<2, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
)" + rest + "\n    return " +
           result + ";\n}";
}

Query writerOf(const Shape& index) {
    Query q;
    q.writerOf = index;
    return q;
}
Query writtenBy(const verify::WriterFilter& filter) {
    Query q;
    q.writtenBy = filter;
    return q;
}

} // namespace

#define ASKED(variable, ...)                                                                                           \
    RunQuestions variable(__VA_ARGS__);                                                                                \
    if (!variable.unavailable().empty()) QSKIP(variable.unavailable().c_str())

class TestWriters : public QObject {
    Q_OBJECT
private slots:
    void theThreadAndTheLine();
    void everyStoreInItsOrder();
    void longHistoriesAreCut();
    void lineBackToElements();
    void wideStoresAreOfEveryElement();
    void viewsAreFollowed();
    void callsAreFollowed();
    void whatIsNeverWritten();
    void halvesAreToldApart();
    void reusedMemoryIsFresh();
    void whatCannotBeTold();
};

void TestWriters::theThreadAndTheLine() {
    ASKED(asked, forwardOf("    spoil<<<dim3(1, 2), dim3(4, 2)>>>(y.data_ptr<float>());"), {"float32[8,8]"});
    const Answer right = asked.answered(writerOf({4, 4}));
    QCOMPARE(right.story->writer.kernel, std::string("twice"));
    QCOMPARE(right.story->writer.block, (Place{1, 0, 0}));
    QCOMPARE(right.story->writer.thread, (Place{4, 0, 0}));
    QCOMPARE(right.story->writer.line, asked.lineOf("// right"));
    QCOMPARE(*right.story->writer.launch, 0u);
    const Answer wrong = asked.answered(writerOf({4, 6}));
    QCOMPARE(wrong.story->writer.kernel, std::string("spoil"));
    QCOMPARE(wrong.story->writer.block, (Place{0, 1, 0}));
    QCOMPARE(wrong.story->writer.thread, (Place{2, 1, 0}));
    QCOMPARE(wrong.story->writer.line, asked.lineOf("// wrong"));
    QCOMPARE(*wrong.story->writer.launch, 1u);
    QCOMPARE(wrong.story->writer.blockSize, (Place{4, 2, 1}));
    QCOMPARE(wrong.story->writer.threadNumber(), 6u);
}

void TestWriters::everyStoreInItsOrder() {
    ASKED(asked, forwardOf("    spoil<<<1, dim3(4, 2)>>>(y.data_ptr<float>());"), {"float32[64]~constant(3)"});
    const Story story = *asked.answered(writerOf({37})).story;
    QCOMPARE(story.value, 13.0);
    QCOMPARE(story.history.stores, 2u);
    QCOMPARE(story.history.list.size(), 2u);
    QCOMPARE(story.history.list[0].writer.kernel, std::string("twice"));
    QVERIFY(std::isnan(story.history.list[0].before)); // the poison of fresh memory
    QCOMPARE(story.history.list[1].writer.kernel, std::string("spoil"));
    QCOMPARE(story.history.list[1].before, 6.0);
}

void TestWriters::longHistoriesAreCut() {
    ASKED(asked, forwardOf("    y.zero_();\n    sums<<<8, 32>>>(y.data_ptr<float>());"), {"float32[64]"});
    const Story story = *asked.answered(writerOf({1})).story;
    QCOMPARE(story.value, 8.0 * 8 * 3);
    QCOMPARE(story.writer.line, asked.lineOf("// sum"));
    QVERIFY(story.history.list.size() <= 64);
    QVERIFY(story.history.stores >= 8 * 3); // the lanes of a warp go together
}

void TestWriters::lineBackToElements() {
    ASKED(asked, forwardOf("    spoil<<<dim3(1, 2), dim3(4, 2)>>>(y.data_ptr<float>());"), {"float32[8,8]"});
    const auto elements = [&](const verify::WriterFilter& filter) {
        return asked.answered(writtenBy(filter)).written->found;
    };
    using List = std::vector<std::int64_t>;
    QCOMPARE(elements({.line = asked.lineOf("// wrong")}).elements, (List{37, 38}));
    QCOMPARE(elements({.line = asked.lineOf("// right")}).count, 62);
    QCOMPARE(elements({.launch = 0, .block = Place{1, 0, 0}}).count, 30);
    QCOMPARE(elements({.block = Place{0, 0, 0}, .thread = Place{9, 0, 0}}).elements, (List{9}));
    QCOMPARE(elements({.block = Place{0, 1, 0}}).elements, (List{38}));
    QCOMPARE(elements({.line = 9999}).count, 0);
    QCOMPARE(asked.runs(), 2); // all of these ask one map
    Query few = writtenBy({.launch = 0});
    few.written = 5;
    const Written cut = *asked.answered(few).written;
    QCOMPARE(cut.found.elements.size(), 5u);
    QCOMPARE(cut.found.count, 62);
    QCOMPARE(*cut.found.last, 63);
    QCOMPARE(cut.count, 64);
}

void TestWriters::wideStoresAreOfEveryElement() {
    ASKED(asked, forwardOf("    quads<<<1, 4>>>((float4*)y.data_ptr<float>());"), {"float32[64]"});
    const Written written =
        *asked.answered(writtenBy({.line = asked.lineOf("// wide"), .thread = Place{2, 0, 0}})).written;
    QCOMPARE(written.found.elements, (std::vector<std::int64_t>{8, 9, 10, 11}));
}

void TestWriters::viewsAreFollowed() {
    ASKED(asked, forwardOf("", "y.view({8, 8}).t()"), {"float32[64]"});
    const WriterInfo writer = asked.answered(writerOf({3, 5})).story->writer; // y[43]
    QCOMPARE(writer.block, (Place{1, 0, 0}));
    QCOMPARE(writer.thread, (Place{11, 0, 0}));
    const Written written = *asked.answered(writtenBy({.block = Place{1, 0, 0}, .thread = Place{11, 0, 0}})).written;
    QCOMPARE(written.found.elements, (std::vector<std::int64_t>{3 * 8 + 5}));
    ASKED(flipped, forwardOf("", "y.flip(0)"), {"float32[64]"});
    QCOMPARE(flipped.answered(writerOf({0})).story->writer.kind, WriterInfo::Kind::call); // flip copies
    ASKED(strided, forwardOf("", "y.as_strided({16}, {4}, 2)"), {"float32[64]"});
    QCOMPARE(strided.answered(writerOf({8})).story->writer.thread, (Place{2, 0, 0})); // y[34]
    QCOMPARE(strided.answered(writtenBy({.block = Place{1, 0, 0}})).written->found.count, 8);
}

void TestWriters::callsAreFollowed() {
    ASKED(asked, forwardOf("    cudaMemset(y.data_ptr<float>(), 0, 12); // cleared"), {"float32[64]"});
    const WriterInfo writer = asked.answered(writerOf({2})).story->writer;
    QCOMPARE(writer.kind, WriterInfo::Kind::call);
    QVERIFY2(writer.call.starts_with("cudaMemset"), writer.call.c_str());
    QCOMPARE(asked.answered(writtenBy({.line = asked.lineOf("// cleared")})).written->found.elements,
             (std::vector<std::int64_t>{0, 1, 2}));
}

void TestWriters::whatIsNeverWritten() {
    ASKED(asked,
          kernels + std::string("torch::Tensor forward(torch::Tensor x) { auto y = torch::empty_like(x); "
                                "twice<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 20); return y; }"),
          {"float32[64]"});
    QCOMPARE(asked.answered(writerOf({40})).story->writer.kind, WriterInfo::Kind::never);
    QCOMPARE(asked.answered(writerOf({40})).story->history.stores, 0u);
    QCOMPARE(asked.answered(writtenBy({})).written->found.count, 20);
}

void TestWriters::halvesAreToldApart() {
    ASKED(asked, halves, {"float32[1]"});
    QCOMPARE(asked.answered(writerOf({7})).story->writer.thread, (Place{7, 0, 0}));
    QCOMPARE(asked.answered(writtenBy({.thread = Place{9, 0, 0}})).written->found.elements,
             (std::vector<std::int64_t>{9}));
}

void TestWriters::reusedMemoryIsFresh() {
    // The first y is gone; what it was written by is nobody who wrote the second, wherever that lies.
    ASKED(asked, kernels + std::string(R"(
torch::Tensor forward(torch::Tensor x) {
    { auto t = torch::empty_like(x); twice<<<2, 32>>>(x.data_ptr<float>(), t.data_ptr<float>(), 64); }
    auto y = torch::empty_like(x);
    quads<<<1, 4>>>((float4*)y.data_ptr<float>());
    return y;
})"),
          {"float32[64]"});
    QCOMPARE(asked.answered(writerOf({63})).story->writer.kind, WriterInfo::Kind::never);
    QCOMPARE(asked.answered(writtenBy({})).written->found.count, 16);
}

void TestWriters::whatCannotBeTold() {
    ASKED(asked, forwardOf(""), {"float32[8,8]"});
    const auto refused = [&](const Query& q) {
        const Result<Answer> answer = asked.ask(q);
        return answer ? std::string("answered") : answer.error().code + ": " + answer.error().text();
    };
    for (const Shape& index : {Shape{}, Shape{8, 0}, Shape{0, -1}, Shape{0, 0, 0}, Shape{3}})
        QVERIFY2(refused(writerOf(index)).starts_with("bad_input"), refused(writerOf(index)).c_str());
    Query input = writerOf({0, 0});
    input.subject = {Role::input, 0};
    QVERIFY(refused(input).starts_with("bad_input"));
    Query second = writerOf({0, 0});
    second.subject = {Role::output, 1};
    QVERIFY(refused(second).starts_with("no_such_tensor"));
    asked.parameters().checks = false;
    QVERIFY2(refused(writerOf({0, 0})).starts_with("unsupported"), refused(writerOf({0, 0})).c_str());
    QVERIFY(!asked.answered({}).namesWriters);
}

KERNELARIUM_TEST(TestWriters);
#include "TestWriters.moc"
