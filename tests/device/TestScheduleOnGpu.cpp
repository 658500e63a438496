// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/TestScheduleOnGpu.h"

#include "tests/TestRegistry.h"
#include "tests/device/Gpu.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <nlohmann/json.hpp>

using namespace kernelarium::test;
using nlohmann::json;

namespace {

const QString tiledProduct = QStringLiteral(KERNELARIUM_SOURCE_DIR "/archive_data/kernels/level_1/001/shared_tiles.cu");

QByteArray cliOutputOf(const QStringList& arguments) {
    QProcess program;
    program.start(cliProgram(), arguments);
    if (!program.waitForFinished(600000)) program.kill();
    return program.readAllStandardOutput();
}

json cliAnswerOf(const QStringList& arguments) {
    return json::parse(cliOutputOf(arguments).toStdString(), nullptr, false);
}

bool write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

} // namespace

/// From a start made worse: cold and hot, each with an interval, and alternatives that run.
void TestScheduleOnGpu::aSearchEndsWithFinalFigures() {
    if (!Gpu::instance().missing().isEmpty()) QSKIP(Gpu::instance().missing().constData());
    const QTemporaryDir folder;
    const QString store = folder.filePath(QStringLiteral("a.schedule"));
    const QStringList search{"schedule", "search", tiledProduct, "--task", "1/1",           "--size", "small",
                             "--steps",  "30",     "--worsen",   "40",     "--seed",        "2",      "--store",
                             store,      "--json", "--timing",   "hot",    "--alternatives"};
    const json found = cliAnswerOf(search);
    QVERIFY2(found.is_object() && found.contains("finals"), found.dump().c_str());
    QCOMPARE(found.at("mode"), json("measured"));
    QCOMPARE(found.at("call").at("timing"), json("hot"));
    QVERIFY(found.at("expectation").at("warps_a_scheduler").get<int>() > 0);
    QVERIFY2(found.at("finals").size() == 2 || found.at("moves").empty(), found.dump().c_str());
    for (const json& figure : found.at("finals")) {
        QCOMPARE(figure.at("fault"), json(false));
        QCOMPARE(figure.at("pairs"), json(200));
        QVERIFY(figure.at("low") <= figure.at("ratio") && figure.at("ratio") <= figure.at("high"));
    }
    int timed = 0;
    for (const json& one : found.at("alternatives"))
        timed += one.at("figures").size() == 2 && one.at("refusal") == "";
    QVERIFY2(timed > 0, found.at("alternatives").dump().c_str());
    // Again: nothing is left to measure but the alternatives.
    QCOMPARE(cliAnswerOf(search).at("finals"), found.at("finals"));
}

/// The cubin of a variant, run as Nsight Compute has it run: the same outputs.
void TestScheduleOnGpu::nativeCodeRunsInTheTextsPlace() {
    if (!Gpu::instance().missing().isEmpty()) QSKIP(Gpu::instance().missing().constData());
    const QTemporaryDir folder;
    const QString arch = QString::fromStdString(Gpu::instance().context()->info().arch());
    cliAnswerOf({"schedule", "vary", tiledProduct, "--arch", arch, "--count", "1", "--moves", "40", "--output",
                 folder.path(), "--json"});
    const QStringList run{"run", tiledProduct, "--task", "1/1", "--backend", "cuda", "--json"};
    const json before = cliAnswerOf(run);
    const json after = cliAnswerOf(run + QStringList{"--native-code", folder.filePath("variant.0.cubin")});
    QVERIFY2(after.is_object() && after.contains("outputs"), after.dump().c_str());
    QCOMPARE(after.at("end"), json("finished"));
    const auto digest = [](const json& ran) { return ran.at("outputs").at(0).at("digest"); };
    QCOMPARE(digest(after), digest(before));
    // That of another text, whose sums have the other sign: its results, and not this text's.
    QFile source(tiledProduct);
    QVERIFY(source.open(QIODevice::ReadOnly));
    QByteArray text = source.readAll();
    QCOMPARE(text.count("sum += "), 1);
    text.replace("sum += ", "sum -= ");
    const QString negative = folder.filePath("negative.cu"), cubin = folder.filePath("negative.cubin");
    QVERIFY(write(negative, text));
    QVERIFY(write(cubin, cliOutputOf({"compile", negative, "--arch", arch, "--emit", "cubin"})));
    const json exchanged = cliAnswerOf(run + QStringList{"--native-code", cubin});
    QVERIFY2(exchanged.is_object() && exchanged.contains("outputs"), exchanged.dump().c_str());
    QVERIFY(digest(exchanged) != digest(before));
    const json own = cliAnswerOf({"run", negative, "--task", "1/1", "--backend", "cuda", "--json"});
    QCOMPARE(digest(exchanged), digest(own));
}

KERNELARIUM_TEST(TestScheduleOnGpu);
