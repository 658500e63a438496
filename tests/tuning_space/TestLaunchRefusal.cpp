// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/launch/LaunchRefusal.h"

#include "tests/TestRegistry.h"

#include <QDirIterator>
#include <QtTest>

namespace kernelarium::test {

namespace {

/// A whole file: what stands before the host function, its body, and what stands behind.
std::string launchFile(const std::string& before, const std::string& body) {
    return "#include <torch/extension.h>\n" + before +
           "\n__global__ void k(float* y, int n) { y[threadIdx.x] = n; }\n"
           "torch::Tensor forward(torch::Tensor x, int given) {\n auto y = torch::empty_like(x);\n " +
           body +
           "\n return y;\n}\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward, \"f\"); }\n";
}

std::string refusalOf(const std::string& text, const text::CompilerSettings& settings = {}) {
    perf::MultiprocessorLimits limits;
    limits.sharedBytesPerBlock = 227 * 1024;
    return tuning::launchRefusal(text, settings, limits).value_or("");
}

} // namespace

class TestLaunchRefusal : public QObject {
    Q_OBJECT

private slots:
    void tells_data();
    void tells();
    void macrosOfTheCommandLine();
    void returnsOfEmptyInputs_data();
    void returnsOfEmptyInputs();
    void launchBounds();
    void noKernelThatRunsIsRefused();
    void brokenTexts();
};

void TestLaunchRefusal::tells_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("says"); ///< empty: it may launch
    const auto row = [](const char* name, const char* before, const char* body, const char* says) {
        QTest::newRow(name) << before << body << says;
    };
    const char* const wide = "a block of 2,048 threads; the device allows 1,024";
    row("number", "", "k<<<1, 2048>>>(y.p, 1);", wide);
    row("it fits", "", "k<<<1, 1024>>>(y.p, 1);", "");
    row("constant", "constexpr int T = 2048;", "k<<<(x.numel() + T - 1) / T, T>>>(y.p, 1);", wide);
    row("define", "#define T 2048", "k<<<1, T>>>(y.p, 1);", wide);
    row("guarded define", "#ifndef T\n#define T 2048\n#endif", "k<<<1, T>>>(y.p, 1);", wide);
    row("conditional define", "#ifdef W\n#define T 2048\n#endif", "k<<<1, T>>>(y.p, 1);", "");
    row("two defines", "#ifdef W\n#define T 2048\n#else\n#define T 64\n#endif", "k<<<1, T>>>(y.p, 1);", "");
    row("undefined", "#define T 2048\n#undef T\n", "k<<<1, T>>>(y.p, 1);", "");
    row("product", "#define T (32 * 8)\nstatic const int R{T / 4 << 1};", "k<<<1, dim3(T, R)>>>(y.p, 1);",
        "a block of 32,768 threads; the device allows 1,024");
    row("unparenthesised define", "#define T 1 + 1", "k<<<1, T * 1024>>>(y.p, 1);", "");
    row("dim3", "constexpr int T = 64;", "const dim3 grid(1), block(8);\n dim3 b{T, T};\n k<<<grid, b>>>(y.p, 1);",
        "a block of 4,096 threads; the device allows 1,024");
    row("assigned dim3", "constexpr int T = 64;", "auto g = 1; dim3 b = dim3(T, T); k<<<g, b>>>(y.p, 1);",
        "a block of 4,096 threads; the device allows 1,024");
    row("one extent known", "", "dim3 b(given, 2048); k<<<1, b>>>(y.p, 1);",
        "a block of at least 2,048 threads; the device allows 1,024");
    row("changed dim3", "", "dim3 b(64, 64); b.y = 1; k<<<1, b>>>(y.p, 1);", "");
    row("changed variable", "", "int t = 2048; t /= 4; k<<<1, t>>>(y.p, 1);", "");
    row("variable by reference", "", "int t = 2048; choose(n, t); k<<<1, t>>>(y.p, 1);", "");
    row("variable by address", "", "int t = 2048; cudaOccupancyMaxPotentialBlockSize(&g, &t, k); k<<<1, t>>>(y.p, 1);",
        "");
    row("variable of a lambda", "", "int t = 2048; auto f = [&] { t = 32; }; f(); k<<<1, t>>>(y.p, 1);", "");
    for (const char* const bound :
         {"int& r = t;", "auto& r = t;", "int& r{t};", "int& r(t);", "int* p = &t;", "auto&& [a, r] = std::tie(n, t);",
          "struct S { int& v; } s{t};", "auto f = [&r = t] { r = 32; };", "(given ? t : given) = 32;", "(t) = 32;",
          "int o = 0; (o, t) = 32;", "std::swap(o, t);", "in >> t;", "t >>= 4;", "for (; t > 64; --t) {}",
          "std::reference_wrapper r = t;", "static_cast<int&>(t) = 32;"}) {
        QTest::newRow(bound) << "" << QString("int t = 2048; %1 k<<<1, t>>>(y.p, 1);").arg(bound) << "";
        QTest::newRow(qPrintable(QString("dim3: ") + bound))
            << "" << QString("dim3 t(64, 64); %1 k<<<1, t>>>(y.p, 1);").arg(bound) << "";
    }
    row("extent by reference", "", "dim3 b(64, 64), o(1); std::swap(b.x, o.x); k<<<1, b>>>(y.p, 1);", "");
    for (const char* const read :
         {"int g = (n + t - 1) / t;", "const int u = t;", "int u; u = t;", "if (t > 64) y.zero_();",
          "k<<<1, 32, 0, s>>>(y.p, t);", "dim3 g(t, 1);", "auto u = static_cast<unsigned>(t);",
          "bool is = n == t || t != 4;", "for (int i = t; i > 0; i -= t) y.zero_();"})
        QTest::newRow(read) << "" << QString("int t = 2048; %1 k<<<1, t>>>(y.p, 1);").arg(read) << wide;
    row("written to by a macro", "#define HALVE if (t > 1024) t = 512;", "int t = 2048; HALVE k<<<1, t>>>(y.p, 1);",
        "");
    row("written to by its argument", "#define HALF(v) v /= 4", "int t = 2048; HALF(t); k<<<1, t>>>(y.p, 1);", "");
    row("returned by a macro", "#define EARLY if (given) return x;", "EARLY k<<<1, 2048>>>(y.p, 1);", "");
    row("returned by a macro's macro", "#define EARLY if (given) LEAVE\n#define LEAVE return x;",
        "EARLY k<<<1, 2048>>>(y.p, 1);", "");
    row("branch of a macro", "#define SMALL if (given)", "SMALL k<<<1, 2048>>>(y.p, 1);", "");
    row("block of macros", "#define BEGIN {\n#define END }", "if (given) BEGIN y.zero_(); k<<<1, 2048>>>(y.p, 1); END",
        "");
    row("harmless macros", "#define T 2048\n#define CHECK(x) TORCH_CHECK(x.is_cuda())\n#define QUIT(c) if (c) exit(1)",
        "CHECK(x); k<<<1, T>>>(y.p, 1);", wide);
    row("variable", "", "const int t = 2048; k<<<1, t, 0, stream>>>(y.p, 1);", wide);
    row("plain variable", "", "int t = 2048; int g = (n + t - 1) / t; k<<<g, t, 0, s>>>(y.p, 1);", wide);
    row("inner name", "constexpr int T = 2048;", "int T = given; k<<<1, T>>>(y.p, 1);", "");
    row("parameter's name", "constexpr int given = 2048;", "k<<<1, given>>>(y.p, 1);", "");
    row("template's name", "constexpr int T = 2048;\ntemplate <int T> __device__ int f() { return T; }",
        "k<<<1, T>>>(y.p, 1);", "");
    row("second name", "constexpr int A = (1, 7), T = 2048;", "k<<<1, T>>>(y.p, 1);", wide);
    row("narrow type", "constexpr unsigned char T = 2048;", "k<<<1, T>>>(y.p, 1);", "");
    row("wraps", "constexpr unsigned T = 1u - 2u + 65u;", "k<<<1, T * 64>>>(y.p, 1);", "");
    row("mutable global", "int T = 2048;", "k<<<1, T>>>(y.p, 1);", "");
    row("called", "constexpr int f(int x) { return x / 8; }", "k<<<1, f(2048)>>>(y.p, 1);", "");
    row("no thread", "constexpr int T = 16;", "k<<<1, T / 32>>>(y.p, 1);", "a block without threads");
    row("no block", "", "k<<<0, 32>>>(y.p, 1);", "a grid without blocks");
    row("deep", "", "k<<<1, dim3(1, 1, 128)>>>(y.p, 1);", "a block of 128 threads along z; CUDA allows 64");
    row("rows", "", "k<<<dim3(1, 65536), 32>>>(y.p, 1);", "a grid of 65,536 blocks along y; CUDA allows 65,535");
    row("shared", "constexpr int N = 64 * 1024;", "k<<<1, 32, N * sizeof(float)>>>(y.p, 1);",
        "262,144 bytes of dynamic shared memory; the device allows a block 232,448");
    row("shared without asking", "", "k<<<1, 32, 64 * 1024>>>(y.p, 1);",
        "65,536 bytes of dynamic shared memory; without cudaFuncSetAttribute a block has 49,152");
    row("shared with asking", "", "cudaFuncSetAttribute(k, a, 65536); k<<<1, 32, 64 * 1024>>>(y.p, 1);", "");
    row("in a branch", "", "if (given > 4) k<<<1, 2048>>>(y.p, 1); else k<<<1, 32>>>(y.p, 1);", "");
    row("in a block of a branch", "", "if (given > 4) { k<<<1, 2048>>>(y.p, 1); }", "");
    row("in a loop", "", "for (int i = 0; i < given; ++i) k<<<1, 2048>>>(y.p, 1);", "");
    row("in a lambda", "", "auto f = [&] { k<<<1, 2048>>>(y.p, 1); };", "");
    row("behind a return", "", "if (x.numel() < 64) return x;\n k<<<1, 2048>>>(y.p, 1);", "");
    row("behind a hidden return", "#define QUICK(c) if (c) return x", "QUICK(given); k<<<1, 2048>>>(y.p, 1);", "");
    row("behind a branch", "", "if (given > 4) y.zero_(); else { y.fill_(1); }\n k<<<1, 2048>>>(y.p, 1);", wide);
    row("short circuit", "", "given && launched(k<<<1, 2048>>>(y.p, 1));", "");
    row("under #if", "", "\n#ifdef W\n k<<<1, 2048>>>(y.p, 1);\n#endif\n", "");
    row("second launch", "", "k<<<1, 32>>>(y.p, 1); k<<<1, 2048>>>(y.p, 1);", wide);
    row("checked", "", "k<<<1, 2048>>>(y.p, 1); TORCH_CHECK(cudaGetLastError() == cudaSuccess);", wide);
    row("checked by name", "",
        "k<<<1, 2048>>>(y.p, 1); cudaError_t e = cudaGetLastError(); if (e != cudaSuccess) { throw E(e); }", wide);
    row("checked by macro", "#define CHECK() TORCH_CHECK(cudaGetLastError() == 0)", "k<<<1, 2048>>>(y.p, 1); CHECK();",
        wide);
    row("mended", "", "k<<<1, 2048>>>(y.p, 1); if (cudaGetLastError() != cudaSuccess) k<<<1, 32>>>(y.p, 1);", "");
    row("mended by name", "",
        "k<<<1, 2048>>>(y.p, 1); auto e = cudaGetLastError(); if (e != cudaSuccess) return torch::relu(x);", "");
    row("mended by exception", "void f() { try { g(); } catch (...) {} }", "k<<<1, 2048>>>(y.p, 1);", "");
    row("comment", "", "// k<<<1, 2048>>>(y.p, 1);\n k<<<1, 32>>>(y.p, 1);", "");
    row("own name", "#define T T", "k<<<1, T>>>(y.p, 1);", "");
    row("doubling names",
        "#define A (1 + 1)\n#define B (A * A)\n#define C (B * B)\n#define D (C * C)\n#define E (D * D)\n"
        "#define F (E * E)\n#define G (F * F)\n#define H (G * G)\n#define I (H * H)\n#define J (I * I)\n"
        "#define K (J * J)\n#define L (K * K)\n#define M (L * L)\n#define N (M * M)\n#define O (N * N)\n",
        "k<<<1, O>>>(y.p, 1);", "");
}

void TestLaunchRefusal::tells() {
    QFETCH(const QString, before);
    QFETCH(const QString, body);
    QFETCH(const QString, says);
    QCOMPARE(QString::fromStdString(refusalOf(launchFile(before.toStdString(), body.toStdString()))), says);
}

void TestLaunchRefusal::macrosOfTheCommandLine() {
    const std::string text = launchFile("", "k<<<1, T>>>(y.p, 1);");
    text::CompilerSettings settings;
    QVERIFY(refusalOf(text, settings).empty());
    settings.macros = {"-DT=2048"};
    QVERIFY(!refusalOf(text, settings).empty());
    settings.macros = {"-DT=2048", "-DT=32"};
    QVERIFY(refusalOf(text, settings).empty());
    settings.macros = {"-DT=2048", "-DEARLY=if (given) return x;"};
    QVERIFY(!refusalOf(text, settings).empty());
    QVERIFY(refusalOf(launchFile("", "EARLY k<<<1, T>>>(y.p, 1);"), settings).empty());
    settings.folders = {"/headers"};
    QVERIFY(refusalOf(text, settings).empty());
    settings = {};
    settings.macros = {"-DT=32"};
    QVERIFY(refusalOf(launchFile("#ifndef T\n#define T 2048\n#endif", "k<<<1, T>>>(y.p, 1);"), settings).empty());
}

void TestLaunchRefusal::returnsOfEmptyInputs_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<bool>("refused");
    const auto row = [](const char* body, bool refused) { QTest::newRow(body) << body << refused; };
    row("if (x.numel() == 0) return y;", true);
    row("x = x.contiguous(); const int rows = x.size(0), n = 4; if (rows == 0 || x.size(1) <= 0) { return y; }", true);
    row("const auto n = static_cast<int>(x.numel()); if (n == 0) return y;", true);
    row("int64_t n = int64_t(x.numel()); if (n == 0) return y;", true);
    row("if (x.numel() == 10) return y;", false);
    row("if (x.numel() != 0) return y;", false);
    row("if (x.numel() == 0 || given) return y;", false);
    row("if (x.numel() == 0) { y.zero_(); } else return y;", false);
    row("if (given == 0) return y;", false);
    row("if (y.numel() == 0) return y;", false);
    row("int n = x.numel(); n -= 4; if (n == 0) return y;", false);
    row("const int n = x.numel() / 1000; if (n == 0) return y;", false);
    row("x = x.slice(0, 4); if (x.numel() == 0) return y;", false);
    row("if (x.numel() == 0 && given == 0) return y;", false);
    row("if (x.sum().numel() == 0) return y;", false);
}

void TestLaunchRefusal::returnsOfEmptyInputs() {
    QFETCH(const QString, body);
    QFETCH(const bool, refused);
    const std::string text = launchFile("", body.toStdString() + "\nk<<<1, 2048>>>(y.p, 1);");
    QCOMPARE(tuning::launchRefusal(text, {}, {}, {}, true).has_value(), refused);
    QVERIFY(!tuning::launchRefusal(text, {}, {}));
}

void TestLaunchRefusal::launchBounds() {
    const auto file = [](const std::string& head) {
        return "#include <torch/extension.h>\nconstexpr int T = 256, M = 128;\n" + head +
               " k(float* y) { y[threadIdx.x] = 1; }\nvoid forward(torch::Tensor y) { k<<<1, T>>>(y.p); }\n"
               "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward); }\n";
    };
    QCOMPARE(refusalOf(file("__global__ void __launch_bounds__(128, 2)")),
             std::string("a block of 256 threads; the launch bounds of `k` allow 128"));
    QVERIFY(!refusalOf(file("__global__ __launch_bounds__(M) void")).empty());
    QVERIFY(refusalOf(file("__global__ __launch_bounds__(256) void")).empty());
    QVERIFY(refusalOf(file("template <int M> __global__ __launch_bounds__(M) void")).empty());
    QVERIFY(refusalOf(file("__global__ void k(float*);\n__global__ __launch_bounds__(128) void")).empty());
}

/// All of the starter archive launch; of more than half of them a block of 1 thread at most would be known not to.
void TestLaunchRefusal::noKernelThatRunsIsRefused() {
    int kernels = 0, known = 0;
    for (QDirIterator it(QStringLiteral(KERNELARIUM_SOURCE_DIR "/archive_data/kernels"), {QStringLiteral("*.cu")},
                         QDir::Files, QDirIterator::Subdirectories);
         it.hasNext();) {
        QFile file(it.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string text = file.readAll().toStdString();
        perf::MultiprocessorLimits limits;
        limits.sharedBytesPerBlock = 227 * 1024;
        const auto refused = tuning::launchRefusal(text, {}, limits, {}, true);
        QVERIFY2(!refused, qPrintable(file.fileName() + ": " + QString::fromStdString(refused.value_or(""))));
        limits.threadsPerBlock = 1;
        known += tuning::launchRefusal(text, {}, limits, {}, true) ? 1 : 0;
        ++kernels;
    }
    QVERIFY2(kernels > 50 && 2 * known > kernels, qPrintable(QString("%1 of %2").arg(known).arg(kernels)));
}

/// Half a text, and texts of nothing but brackets.
void TestLaunchRefusal::brokenTexts() {
    const std::string text = launchFile("constexpr int T = 2048;", "dim3 b(T); k<<<1, b>>>(y.p, 1);");
    QVERIFY(!refusalOf(text).empty());
    for (std::size_t length = 0; length < text.size(); ++length) {
        (void)refusalOf(text.substr(0, length));
        (void)refusalOf(text.substr(length));
    }
    for (const char* piece : {"(", "{", "<<<", "[", "dim3 b(", "k<<<", "))", "}}", "if (", "do ", "else "})
        for (const char* where : {"k<<<1, ", "", "constexpr int T = "}) {
            std::string many = where;
            for (int i = 0; i < 3000; ++i)
                many += piece;
            (void)refusalOf(launchFile("", many + "k<<<1, 2048>>>(y);"));
            (void)refusalOf(launchFile(many + "k<<<1, 2048>>>(y);", ""));
        }
}

} // namespace kernelarium::test

using kernelarium::test::TestLaunchRefusal;
KERNELARIUM_TEST(TestLaunchRefusal);
#include "TestLaunchRefusal.moc"
