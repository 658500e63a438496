// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/Nvrtc.h"
#include "gpu/compile/Ptxas.h"
#include "tests/TestRegistry.h"
#include "tests/compile/CompilerFixture.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <stop_token>
#include <thread>

using namespace kernelarium::compile;

namespace {

constexpr const char* extension = "#include <torch/extension.h>\n"
                                  "__global__ void twice(float* x, int n) {\n"
                                  "    int unused;\n"
                                  "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                  "    if (i < n) x[i] *= 2;\n"
                                  "}\n"
                                  "torch::Tensor run(torch::Tensor x) {\n"
                                  "    twice<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), x.numel());\n"
                                  "    return x;\n"
                                  "}\n"
                                  "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"run\", &run); }\n";

/// Another kernel each time, which no cubin of the last one serves.
std::string edited(int number) {
    std::string text = extension;
    return text.replace(text.find("*= 2"), 4, "*= " + std::to_string(10 + number));
}

const std::vector<std::string> forHopper{"-arch=sm_90", "-lineinfo", "-v", "-O3"};

/// PTX of one kernel behind comments of so many bytes; in lines, since ptxas takes half a minute for one of 40 MB.
std::string ptxWith(std::size_t bytes, const std::string& body) {
    std::string comments;
    while (comments.size() < bytes)
        comments += "//" + std::string(61, '-') + "\n";
    return ".version 8.0\n.target sm_90\n.address_size 64\n" + comments + ".visible .entry k() {\n" + body +
           "ret;\n}\n";
}

} // namespace

/// A compiler that somebody follows: it tells what its front end says, and has its assembler started ahead.
class FollowedTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theUnitIsTheSame();
    void everyWayHearsTheSame();
    void itStopsOnTheWayAndCompilesOn();
    void onlyTheRunWithoutErrorsIsTold();
    void anAssemblerStartedAheadGivesTheSame_data();
    void anAssemblerStartedAheadGivesTheSame();
    void anAssemblerThatWasEndedIsReplaced();
    void anAssemblerThatGetsNothingLeavesNothing();
};

void FollowedTest::theUnitIsTheSame() {
    COMPILER_OR_SKIP(compiler);
    const auto made = Compiler::create(Toolkit::find());
    QVERIFY(made.ok());
    Compiler* other = made->get();
    CompileOptions options;
    int calls = 0;
    std::size_t heard = 0;
    options.diagnosed = [&](const std::vector<Diagnostic>& diagnostics, bool ok) {
        QVERIFY(ok);
        heard = diagnostics.size();
        ++calls;
    };
    for (const int times : {1, 2, 3}) { // with a precompiled header from the second on
        const auto plain = other->compile(edited(times), {});
        QVERIFY2(plain.ok() && plain->ok, plain ? describe(*plain).c_str() : "");
        compiler->prepareNext();
        const auto followed = compiler->compile(edited(times), options);
        QCOMPARE(heard, plain->diagnostics.size());
        QVERIFY(followed.ok());
        QCOMPARE(calls, times);
        QCOMPARE(describe(*followed), describe(*plain));
        QCOMPARE(followed->ptx, plain->ptx);
        QCOMPARE(followed->assembler, plain->assembler);
        QVERIFY(followed->cubin == plain->cubin);
        QCOMPARE(followed->kernels.size(), std::size_t(1));
        QCOMPARE(followed->kernels[0].registers, plain->kernels[0].registers);
    }
}

/// From a copy in which NVRTC ends, from a copy that reads the log, and from the log.
void FollowedTest::everyWayHearsTheSame() {
    using Way = FrontEndMessages::Way;
    const Toolkit toolkit = Toolkit::find();
    if (!toolkit.check()) QSKIP("there is no CUDA toolkit");
    auto nvrtc = Nvrtc::load(toolkit.nvrtc);
    QVERIFY2(nvrtc.ok(), nvrtc ? "" : nvrtc.error().text().c_str());
    if (!(*nvrtc)->givesEarly()) QSKIP("This NVRTC cannot be followed.");
    const auto heard = [&](Way way) {
        std::string all;
        const Nvrtc::Following following{{}, [&](const std::string& log) { all += log; }, way};
        const Nvrtc::Output out = (*nvrtc)->compile("#warning early\n__global__ void k(float* x) { x[0] = 1; }\n",
                                                    {"-arch=compute_90"}, {}, following);
        return out.ok && out.log.find("early") != std::string::npos ? all : "it does not compile";
    };
    const std::string ended = heard(Way::ended);
    QVERIFY2(ended.find("early") != std::string::npos, ended.c_str());
    QCOMPARE(heard(Way::none), std::string());
    const std::string found = heard(Way::finding);
    if (found.empty()) QSKIP("This NVRTC gives its log when it has ended.");
    QCOMPARE(found, ended);
    QCOMPARE(heard(Way::asked), ended);
}

void FollowedTest::itStopsOnTheWayAndCompilesOn() {
    COMPILER_OR_SKIP(compiler);
    const auto made = Compiler::create(Toolkit::find());
    QVERIFY(made.ok());
    Compiler* other = made->get();
    for (int times = 0; times < 3; ++times) {
        const auto plain = other->compile(edited(times), {});
        QVERIFY(plain.ok() && plain->ok);
        std::stop_source stop;
        CompileOptions options;
        options.stop = stop.get_token();
        options.diagnosed = [&](const std::vector<Diagnostic>&, bool) { stop.request_stop(); };
        compiler->prepareNext();
        const auto stopped = compiler->compile(edited(times), options);
        QVERIFY(!stopped.ok());
        QCOMPARE(stopped.error().code, std::string("cancelled"));
        const auto again = compiler->compile(edited(times), {});
        QVERIFY(again.ok() && again->ok);
        QCOMPARE(again->ptx, plain->ptx);
        QVERIFY(again->cubin == plain->cubin);
    }
}

/// A static object with a constructor is refused first, and taken in by a second run.
void FollowedTest::onlyTheRunWithoutErrorsIsTold() {
    COMPILER_OR_SKIP(compiler);
    const std::string source = "#include <torch/extension.h>\n#include <vector>\n"
                               "int f() {\n    static std::vector<int> kept{1, 2};\n    return kept[0];\n}\n";
    CompileOptions options;
    int calls = 0;
    options.diagnosed = [&](const std::vector<Diagnostic>& diagnostics, bool ok) {
        QVERIFY(ok && std::none_of(diagnostics.begin(), diagnostics.end(),
                                   [](const Diagnostic& d) { return d.severity == Severity::error; }));
        ++calls;
    };
    const auto unit = compiler->compile(source, options);
    QVERIFY2(unit.ok() && unit->ok, unit ? describe(*unit).c_str() : "");
    QCOMPARE(calls, 1);
}

void FollowedTest::anAssemblerStartedAheadGivesTheSame_data() {
    QTest::addColumn<int>("comment");
    QTest::addColumn<QString>("body");
    QTest::newRow("short") << 1 << QString();
    QTest::newRow("longer than a pipe") << (200 << 10) << QString();
    QTest::newRow("longer than any pipe") << (40 << 20) << QString();
    QTest::newRow("wrong") << 1 << QStringLiteral("bogus.f32 %r1;\n");
    QTest::newRow("wrong and long") << (40 << 20) << QStringLiteral("bogus.f32 %r1;\n");
}

void FollowedTest::anAssemblerStartedAheadGivesTheSame() {
    const Toolkit toolkit = Toolkit::find();
    if (toolkit.ptxas.empty()) QSKIP("There is no ptxas here.");
    QFETCH(int, comment);
    QFETCH(QString, body);
    const std::string ptx = ptxWith(std::size_t(comment), body.toStdString());
    Ptxas ahead(toolkit.ptxas, forHopper);
    ahead.startAhead();
    const auto plain = Ptxas(toolkit.ptxas, forHopper).assemble(ptx, {});
    QVERIFY(plain.has_value());
    for (int times = 0; times < 2; ++times) { // the second text finds none that waits
        const auto out = ahead.assemble(ptx, {});
        QVERIFY(out.has_value());
        QCOMPARE(out->ok, body.isEmpty());
        QCOMPARE(out->ok, plain->ok);
        QVERIFY(out->cubin == plain->cubin);
        QCOMPARE(out->errors, plain->errors);
    }
}

/// One that waits is killed with the thread that started it.
void FollowedTest::anAssemblerThatWasEndedIsReplaced() {
    const Toolkit toolkit = Toolkit::find();
    if (toolkit.ptxas.empty()) QSKIP("There is no ptxas here.");
    Ptxas ahead(toolkit.ptxas, forHopper);
    std::thread([&] { ahead.startAhead(); }).join();
    QVERIFY(ahead.isAhead());
    const auto out = ahead.assemble(ptxWith(1, ""), {});
    QVERIFY(!ahead.isAhead());
    QVERIFY(out.has_value() && out->ok);
    QVERIFY(out->cubin == Ptxas(toolkit.ptxas, forHopper).assemble(ptxWith(1, ""), {})->cubin);
}

void FollowedTest::anAssemblerThatGetsNothingLeavesNothing() {
    const Toolkit toolkit = Toolkit::find();
    if (toolkit.ptxas.empty()) QSKIP("There is no ptxas here.");
    const QTemporaryDir folder;
    const QByteArray before = qgetenv("TMPDIR");
    qputenv("TMPDIR", folder.path().toUtf8());
    {
        Ptxas ahead(toolkit.ptxas, forHopper);
        ahead.startAhead();
        QCOMPARE(QDir(folder.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), qsizetype(1));
    }
    before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before);
    QVERIFY(QDir(folder.path()).isEmpty());
}

KERNELARIUM_TEST(FollowedTest);
#include "FollowedTest.moc"
