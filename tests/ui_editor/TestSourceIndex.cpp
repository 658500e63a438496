// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "ui/names/SourceIndex.h"

#include <QElapsedTimer>
#include <QtTest>

using namespace kernelarium::ui;

namespace {

constexpr const char* wholeKernel = R"(#include <torch/extension.h>
#define TILE 16
#define SQUARE(x) ((x) * (x))
constexpr int ROWS = 4, COLUMNS = 8;
__constant__ float weights[64];
struct Pair { float value; int index; __device__ void swap(Pair& other) { value = other.value; } };
enum class Mode { fast, exact };
using Vector = float4;
namespace detail {
template <typename T, int N = 3>
__device__ __forceinline__ T sum(const T* __restrict__ data, int count) {
    T total = 0;
    for (int i = 0; i < count && i < N; ++i) total += data[i];
    for (int i = 0; i < 2; ++i) { int total = i; (void)total; }
    return total; // total of all
}
} // namespace detail
static void report(int count);
extern "C" __global__ void __launch_bounds__(256, 2) scale(float* out, const float* in, int n) {
    __shared__ float tile[TILE][TILE + 1];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = i & 31;
    if (i < n && lane < 32) out[i] = SQUARE(in[i]) * weights[lane] + detail::sum<float>(in, n) + ROWS;
    Pair best{in[i], i};
    best.value = tile[0][0];
    auto [first, second] = std::make_pair(1, 2);
    auto each = [&](int n) { int inner = n + first; return inner + second; };
    each(n);
}
static void report(int count) { printf("count %d", count); }
torch::Tensor forward(torch::Tensor x) {
    const int n = x.numel();
    dim3 grid((n + 255) / 256);
    auto out = torch::empty_like(x);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "scale", ([&] {
        const int inner = 3;
        scale<<<grid, 256>>>(out.data_ptr<float>(), x.data_ptr<float>(), inner);
    }));
    report(n);
    return out;
}
)";

/// The line, from 1, of what the name at the `nth` occurrence of `context` stands for; 0: it is not known.
int definedAt(const SourceIndex& index, const std::string& text, const std::string& context, const std::string& name) {
    const std::size_t at = text.find(context);
    if (at == std::string::npos) return -1;
    const auto found = index.nameAt(text.find(name, at));
    if (!found) return -2;
    const auto definitions = index.definitionsOf(*found);
    if (definitions.empty()) return 0;
    return 1 + int(std::count(text.begin(), text.begin() + std::ptrdiff_t(definitions.front().name.begin), '\n'));
}

} // namespace

class TestSourceIndex : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void namesLeadToTheirDefinitions_data() {
        QTest::addColumn<QByteArray>("context");
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("line");
        const auto row = [](const char* context, const char* name, int line) {
            QTest::addRow("%s in %s", name, context) << QByteArray(context) << QByteArray(name) << line;
        };
        row("[TILE + 1]", "TILE", 2);
        row("= SQUARE(in", "SQUARE", 3);
        row("((x) * (x))", "x", 3);
        row(" + ROWS;", "ROWS", 4);
        row("* weights[lane]", "weights", 5);
        row("* weights[lane]", "lane", 21);
        row("Pair best", "Pair", 6);
        row("best.value", "value", 6);
        row("other.value", "other", 6);
        row("detail::sum<", "sum", 11);
        row("i < N;", "N", 10);
        row("data[i]", "data", 11);
        row("i < count", "count", 11);
        row("return total", "total", 12);
        row("(void)total", "total", 14);
        row("i < 2;", "i", 14);
        row("i < count", "i", 13);
        row("(i < n", "i", 21);
        row("(i < n", "n", 19);
        row("out[i] =", "out", 19);
        row("tile[0][0]", "tile", 20);
        row("+ second;", "second", 25);
        row("n + first", "first", 25);
        row("n + first", "n", 26);
        row("return inner", "inner", 26);
        row("each(n)", "each", 26);
        row("report(n)", "report", 29); // the definition, not the prototype
        row("scale<<<", "scale", 19);
        row("x.numel", "x", 30);
        row("<<<grid", "grid", 32);
        row("float>(), inner", "inner", 35);
        row("return out;", "out", 33);
        row("best.value", "best", 23);
        row("threadIdx.x", "threadIdx", 0);
        row("x.numel", "numel", 0);
    }
    void namesLeadToTheirDefinitions() {
        QFETCH(QByteArray, context);
        QFETCH(QByteArray, name);
        const std::string text = wholeKernel;
        const SourceIndex index(text);
        QTEST(definedAt(index, text, context.toStdString(), name.toStdString()), "line");
    }
    void whatIsNoName() {
        const std::string text = wholeKernel;
        const SourceIndex index(text);
        for (const char* none :
             {"torch/extension", "total of all", "count %d", "__shared__ float", "return out", "256, 2"})
            QVERIFY2(!index.nameAt(text.find(none)), none);
        QVERIFY(index.nameAt(text.find("TILE 16") + 4)); // at its end
        for (const char* word : {"x", "_a1", "TILE"})
            QVERIFY2(SourceIndex::isName(word), word);
        for (const char* word : {"", "1a", "a b", "a-b", "float", "return", "__global__", "\xc3\xa4"})
            QVERIFY2(!SourceIndex::isName(word), word);
    }
    void placesStandForTheSame() {
        const std::string text = wholeKernel;
        const SourceIndex index(text);
        const auto places = [&](const char* context, const char* name) {
            return index.placesOf(*index.nameAt(text.find(name, text.find(context)))).size();
        };
        QCOMPARE(places("* weights[lane]", "weights"), std::size_t(2));
        QCOMPARE(places("T total", "total"), std::size_t(3)); // neither the inner one nor the comment
        QCOMPARE(places("int total", "total"), std::size_t(2));
        QCOMPARE(places("best.value", "value"), std::size_t(4)); // of any object: types are not read
        QCOMPARE(places("report(n)", "report"), std::size_t(3));
        QCOMPARE(places("scale<<<", "scale"), std::size_t(2)); // not the text "scale"
        QCOMPARE(places("#define TILE", "TILE"), std::size_t(3));
        QCOMPARE(places("[&](int n)", "n)"), std::size_t(2)); // the lambda's own
        QCOMPARE(places(" n = x", "n"), std::size_t(3));
    }
    void marksAreCode() {
        const std::string text = "constexpr int SIDE = 8; // tune: 4, 8\n// tune where: SIDE * SIDE <= 64\n"
                                 "// SIDE is no mark\nint a = SIDE;\n";
        const SourceIndex index(text);
        QCOMPARE(index.placesOf(*index.nameAt(text.find("SIDE"))).size(), std::size_t(4));
    }
    void anyTextWillDo() {
        const std::string whole = wholeKernel;
        for (std::size_t length = 0; length <= whole.size(); ++length) { // cut anywhere
            const SourceIndex index(whole.substr(0, length));
            if (const auto name = index.nameAt(length)) QVERIFY(!index.placesOf(*name).empty());
        }
        for (const char* piece : {"{", "}", "(", ")", "<", ">", "[&](int a){", "template <", "#define f(", "struct A {",
                                  "for (int i; ", "enum {", "\"", "'", "/*", "R\"x(", "a<b,", "\\\n", "operator()("}) {
            std::string many;
            for (int i = 0; i < 20000; ++i)
                many += piece;
            const SourceIndex index(many); // neither too deep nor for ever
            QVERIFY(index.count("nothing") == 0);
        }
    }
    void largeTextsAreReadQuickly() {
        std::string text;
        while (text.size() < (4u << 20))
            text += wholeKernel;
        QElapsedTimer clock;
        clock.start();
        const SourceIndex index(text);
        QVERIFY(index.nameAt(text.rfind("report")));
        qInfo("%lld ms for 4 MB", static_cast<long long>(clock.elapsed()));
    }
};

KERNELARIUM_TEST(TestSourceIndex);
#include "TestSourceIndex.moc"
