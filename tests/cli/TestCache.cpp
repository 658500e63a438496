// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestCache.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <memory>

namespace {

std::unique_ptr<QTemporaryDir> kept;
QByteArray before;

nlohmann::json compiled(const QStringList& more = {}, const char* file = "relu_right.cu") {
    const CliAnswer answer = callCli(QStringList{"compile", fixture(file), "--json"} + more);
    nlohmann::json unit = answer.json();
    if (!unit.is_object()) qWarning("%s", answer.messages.constData());
    return unit;
}

bool isKept(const nlohmann::json& unit) {
    return unit.value("kept", false);
}

std::uint64_t kernelsKept() {
    return callCli({"cache", "show", "--json"}).json().at("kernels").get<std::uint64_t>();
}

} // namespace

void TestCache::init() {
    kept = std::make_unique<QTemporaryDir>();
    before = qgetenv("KERNELARIUM_COMPILED");
    qputenv("KERNELARIUM_COMPILED", kept->filePath(QStringLiteral("compiled")).toUtf8());
}

void TestCache::cleanup() {
    qputenv("KERNELARIUM_COMPILED", before);
    kept.reset();
}

void TestCache::theSameTextIsNotCompiledAgain() {
    const nlohmann::json first = compiled({"--emit", "ptx"});
    QVERIFY(first.at("ok").get<bool>() && !isKept(first));
    nlohmann::json second = compiled({"--emit", "ptx"});
    QVERIFY(isKept(second));
    second.erase("kept");
    QCOMPARE(second.dump(), first.dump());
    QCOMPARE(kernelsKept(), std::uint64_t(1));
    // What else compiles takes it from there, too, and judges alike.
    const QStringList words{"verify", fixture("relu_right.cu"), "--task", "1/19", "--json"};
    const CliAnswer anew = callCli(words), again = callCli(words);
    QCOMPARE(anew.exitCode, 0);
    QCOMPARE(again.exitCode, 0);
    QCOMPARE(again.json().at("seconds").at("compile"), anew.json().at("seconds").at("compile")); // what it took then
    QCOMPARE(again.json().at("verdict"), anew.json().at("verdict"));
}

void TestCache::whatDiffersIsCompiled() {
    QVERIFY(!isKept(compiled()));
    for (const QStringList& options :
         {QStringList{"--fast-math"}, {"--arch", "sm_80"}, {"-DUNUSED=2"}, {"-DUNUSED=3"}, {"--max-registers", "64"}}) {
        QVERIFY2(!isKept(compiled(options)), qPrintable(options.join(' ')));
        QVERIFY2(isKept(compiled(options)), qPrintable(options.join(' ')));
    }
    // Headers of a folder may change, and what is wrong is told each time.
    const QTemporaryDir headers;
    for (int i = 0; i < 2; ++i)
        QVERIFY(!isKept(compiled({"-I", headers.path()})));
    for (int i = 0; i < 2; ++i)
        QVERIFY(!isKept(compiled({}, "add_syntax_error.cu")));
    // The toolkit's own headers may change in place, and what has the time in it does each time.
    const QTemporaryDir sources;
    for (const char* text : {"#include <cuda_fp16.h>\n", "__device__ const char* now = __TIME__;\n"}) {
        QFile right(fixture("relu_right.cu"));
        QVERIFY(right.open(QIODevice::ReadOnly));
        QFile other(sources.filePath(QStringLiteral("other.cu")));
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write(text + right.readAll());
        other.close();
        for (int i = 0; i < 2; ++i) {
            const nlohmann::json unit = callCli({"compile", other.fileName(), "--json"}).json();
            QVERIFY(unit.at("ok").get<bool>() && !isKept(unit));
        }
    }
    // Without a place to keep it.
    qputenv("KERNELARIUM_COMPILED", "none");
    QVERIFY(!isKept(compiled()));
    const CliAnswer nowhere = callCli({"cache", "show"});
    QVERIFY(nowhere.output.startsWith("Compiled kernels are not kept"));
    const CliAnswer refused = callCli({"cache", "limit", "5"});
    QCOMPARE(refused.exitCode, 2);
    QVERIFY2(refused.messages.contains("There is no folder"), refused.messages.constData());
}

void TestCache::damageCostsACompilation() {
    const nlohmann::json first = compiled();
    const QDir folder(kept->filePath(QStringLiteral("compiled")));
    const QStringList files = folder.entryList({QStringLiteral("*.kept")});
    QCOMPARE(files.size(), qsizetype(1));
    QFile file(folder.filePath(files.front()));
    QVERIFY(file.open(QIODevice::ReadWrite));
    file.seek(file.size() / 2);
    file.write("damage");
    file.close();
    const nlohmann::json second = compiled();
    QVERIFY(!isKept(second));
    QCOMPARE(second.at("kernels").dump(), first.at("kernels").dump());
    QVERIFY(isKept(compiled()));
}

void TestCache::limitAndClear() {
    QVERIFY(!isKept(compiled()));
    QVERIFY(callCli({"cache", "show"}).output.startsWith("1 compiled kernel is kept in "));
    CliAnswer answer = callCli({"cache", "limit", "7", "--json"});
    QCOMPARE(answer.exitCode, 0);
    QCOMPARE(answer.json().at("limit_bytes").get<std::uint64_t>(), std::uint64_t(7000000));
    QCOMPARE(answer.json().at("kernels").get<int>(), 1);
    answer = callCli({"cache", "clear", "--json"});
    QCOMPARE(answer.exitCode, 0);
    QCOMPARE(answer.json().at("kernels").get<int>(), 0);
    QVERIFY(!isKept(compiled()));
    QCOMPARE(callCli({"cache", "limit", "0"}).exitCode, 0);
    QCOMPARE(kernelsKept(), std::uint64_t(0));
    for (int i = 0; i < 2; ++i)
        QVERIFY(!isKept(compiled()));
    for (const char* wrong : {"-1", "many", "1e9", ""})
        QCOMPARE(callCli({"cache", "limit", wrong}).exitCode, 2);
}

KERNELARIUM_TEST(TestCache);
