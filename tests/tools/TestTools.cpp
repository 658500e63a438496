// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tools/TestTools.h"

#include "gpu/tools/Disassembly.h"
#include "gpu/tools/LiveRegisters.h"
#include "gpu/tools/Ncu.h"
#include "gpu/tools/Tidy.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"

#include <QDir>
#include <QDirIterator>
#include <QtTest>
#include <fstream>
#include <thread>

using namespace kernelarium;
using namespace kernelarium::protocol;
using namespace kernelarium::tools;

namespace {

/// A program that the test wrote.
std::string scriptIn(const QTemporaryDir& folder, const QString& name, const QByteArray& body) {
    const QString path = folder.filePath(name);
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write("#!/bin/sh\n" + body);
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path.toStdString();
}

const std::vector<std::byte> cubinBytes{std::byte{0x7f}, std::byte{'E'}, std::byte{'L'}, std::byte{'F'}};

std::string textOfFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

bool hasTidy() {
    const TidyTool tool = findTidyTool();
    return !tool.program.empty() && !tool.include.empty();
}

const char* const ncuTable =
    "==PROF== Connected to process 1\n"
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid "
    "Size\",\"Device\",\"CC\","
    "\"gpu__time_duration.sum\"\n\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"ns\"\n"
    "\"0\",\"1\",\"kernelarium-cli\",\"host\",\"add\",\"1\",\"7\",\"(128, 1, 1)\",\"(8, 1, "
    "1)\",\"0\",\"9.0\",\"2,048\"\n";

/// Stands in for ncu: what it is to log, what it is to end with; keeps the words that it was called with.
NcuTool fakeNcu(const QTemporaryDir& folder, const QByteArray& log, int code) {
    NcuTool tool;
    std::ofstream(folder.filePath(QStringLiteral("log")).toStdString()) << log.toStdString();
    const QByteArray here = folder.path().toUtf8();
    tool.program = scriptIn(folder, QStringLiteral("ncu"),
                            "for word in \"$@\"; do echo \"$word\" >> '" + here +
                                "/words'; done\n"
                                "while [ $# -gt 0 ]; do [ \"$1\" = --log-file ] && cp '" +
                                here +
                                "/log' \"$2\"; "
                                "case \"$1\" in */kernel.cu) cp \"$1\" '" +
                                here + "/source';; */card.json) cp \"$1\" '" + here +
                                "/card';; esac; shift; done\n"
                                "echo '{\"end\": \"finished\"}'\nexit " +
                                QByteArray::number(code) + "\n");
    return tool;
}

NcuRequest addRequest() {
    NcuRequest request;
    request.commandLine = "kernelarium-cli";
    request.source = "// a kernel\n";
    request.card = std::make_shared<const task::Card>(*task::loadCard(1, 1));
    request.fastMath = true;
    return request;
}

} // namespace

void TestTools::nvdisasmIsAskedForItsNotes() {
    QTemporaryDir folder;
    compile::Toolkit toolkit;
    // It shows what it was asked for, and that the cubin is there; as the real one, it prints source lines or live
    // registers.
    toolkit.nvdisasm = scriptIn(folder, QStringLiteral("nvdisasm"), R"(
printf '\t.section\t.text.add,"ax",@progbits\n'
case "$*" in
*--print-life-ranges*)
    [ "$*" = "${*%--print-line-info*}" ] || echo 'Options --print-line-info and its variants are ignored'
    printf '        /*0000*/                   LDC R1, c[0x0][0x28] ;            // | 12  |      |\n' ;;
*)
    printf '        /*0000*/                   LDC R1, c[0x0][0x28] ;            /* 0x00000a00ff017b82 */\n' ;;
esac
echo "asked $@"
while [ $# -gt 1 ]; do shift; done
read -r first < "$1"
printf '%s\n' "$first"
)");
    const auto annotated = disassemble(toolkit, cubinBytes, SassForm::annotated);
    QVERIFY2(annotated.ok(), annotated.ok() ? "" : annotated.error().text().c_str());
    for (const char* part : {"--print-code", "--print-line-info-inline", "--print-instruction-encoding",
                             "/* 0x00000a00ff017b82 */  // |  12  |", "ELF"})
        QVERIFY2(annotated->find(part) != std::string::npos, annotated->c_str());
    QVERIFY2(annotated->find("are ignored") == std::string::npos, annotated->c_str());
    const auto plain = disassemble(toolkit, cubinBytes, SassForm::plain);
    QVERIFY(plain.ok() && plain->find("--print-line-info") == std::string::npos);
}

void TestTools::nvdisasmMayNotTellLifeRanges() {
    QTemporaryDir folder;
    compile::Toolkit toolkit;
    toolkit.nvdisasm =
        scriptIn(folder, QStringLiteral("nvdisasm"),
                 "case \"$*\" in *--print-life-ranges*) echo too much; exit 3;; esac\necho the listing\n");
    const auto annotated = disassemble(toolkit, cubinBytes, SassForm::annotated);
    QVERIFY2(annotated.ok(), annotated.ok() ? "" : annotated.error().text().c_str());
    QVERIFY2(annotated->starts_with("// Live registers are not shown: nvdisasm ") &&
                 annotated->ends_with("the listing\n"),
             annotated->c_str());
}

void TestTools::liveRegistersComeToTheirInstruction() {
    const std::string listing = "\t.section\t.text.a,\"ax\",@progbits\n"
                                "\t//## File \"/k.cu\", line 3\n"
                                "        /*0000*/                   MOV R1, R2 ;     /* 0x0000000200017202 */\n"
                                "                                                    /* 0x000fe20000000f00 */\n"
                                "        /*0010*/                   EXIT ;           /* 0x000000000000794d */\n"
                                "\t.section\t.text.b,\"ax\",@progbits\n"
                                "        /*0000*/                   RET ;\n";
    // In the wide mode, with its head; one section only, and an offset that the other has not.
    const std::string lives = "nvdisasm info    : Options are ignored\n"
                              "\t.section\t.text.b,\"ax\",@progbits\n"
                              "                                             // +----------+------+\n"
                              "                                             // |  # 0 1 2 | PRED |\n"
                              "        /*0000*/                   RET ;     // |          |      |\n"
                              "\t.section\t.text.a,\"ax\",@progbits\n"
                              ".text.a:                                     // |          |      |\n"
                              "        /*0000*/          MOV R1, R2 ;       // | 23   ^ v | 1  : |\n"
                              "        /*0040*/          NOP ;              // |  9       |      |\n";
    const std::string merged = withLiveRegisters(listing, lives);
    std::string wanted = listing;
    wanted.insert(wanted.find("/* 0x0000000200017202 */") + 24, "  // |  23  |");
    QCOMPARE(merged, wanted);
    QCOMPARE(withLiveRegisters(listing, ""), listing);
    QCOMPARE(withLiveRegisters("", lives), std::string());
}

void TestTools::nvdisasmIsKeptInBounds() {
    QTemporaryDir folder;
    compile::Toolkit toolkit;
    toolkit.nvdisasm = scriptIn(folder, QStringLiteral("refuses"), "echo not a cubin\nexit 255\n");
    const auto refused = disassemble(toolkit, cubinBytes, SassForm::plain);
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().code, std::string("internal"));
    QVERIFY(refused.error().detail.find("not a cubin") != std::string::npos);
    toolkit.nvdisasm =
        scriptIn(folder, QStringLiteral("writes"), "echo x > '" + folder.path().toUtf8() + "/stolen'\necho done\n");
    (void)disassemble(toolkit, cubinBytes, SassForm::plain);
    const bool landlock = QFile::exists(QStringLiteral("/sys/kernel/security/lsm")) &&
                          textOfFile(QStringLiteral("/sys/kernel/security/lsm")).find("landlock") != std::string::npos;
    if (landlock) QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("stolen"))));
    toolkit.nvdisasm = scriptIn(folder, QStringLiteral("never"), "while :; do :; done\n");
    std::stop_source stop;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        stop.request_stop();
    });
    const auto stopped = disassemble(toolkit, cubinBytes, SassForm::plain, stop.get_token());
    QVERIFY(!stopped.ok());
    QCOMPARE(stopped.error().code, std::string("cancelled"));
}

void TestTools::nvdisasmMayBeAbsent() {
    const auto sass = disassemble({}, cubinBytes, SassForm::annotated);
    QVERIFY(!sass.ok());
    QCOMPARE(sass.error().code, std::string("missing_component"));
    QVERIFY(sass.error().text().find("nvdisasm") != std::string::npos);
}

void TestTools::tidyReadsTheStarterKernels_data() {
    QTest::addColumn<QString>("path");
    int count = 0;
    for (QDirIterator it(QStringLiteral(KERNELARIUM_SOURCE_DIR "/archive_data/kernels"), {QStringLiteral("*.cu")},
                         QDir::Files, QDirIterator::Subdirectories);
         it.hasNext();) {
        const QString path = it.next();
        if (count++ % 12 == 0) QTest::newRow(qPrintable(path.section(QLatin1Char('/'), -3))) << path;
    }
}

void TestTools::tidyReadsTheStarterKernels() {
    if (!hasTidy()) QSKIP("clang-tidy or CUDA's headers are not here");
    QFETCH(const QString, path);
    const auto answer = tidy(findTidyTool(), textOfFile(path));
    QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().text().c_str());
    for (const auto& place : answer->unread)
        QFAIL(qPrintable(QStringLiteral("%1: %2").arg(place.line).arg(QString::fromStdString(place.message))));
}

void TestTools::tidyFindsWhatItShould() {
    if (!hasTidy()) QSKIP("clang-tidy or CUDA's headers are not here");
    const auto answer = tidy(findTidyTool(), R"(#include <torch/extension.h>
#include <cuda_fp16.h>
__global__ void scale(float* x, __half* h, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2.0f; h[i] = __float2half(x[i]);
}
torch::Tensor forward(torch::Tensor x) {
    scale<<<1, 128>>>(x.data_ptr<float>(), nullptr, x.numel());
    return x;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
)");
    QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().text().c_str());
    QVERIFY(answer->unread.empty());
    std::map<std::string, int> lines;
    for (const auto& finding : answer->findings) {
        lines.emplace(finding.check, finding.line);
        QCOMPARE(finding.file, std::string("kernel.cu"));
    }
    QCOMPARE(lines["bugprone-narrowing-conversions"], 8); // numel() to int; line 4 is what every CUDA index is
}

void TestTools::tidyNamesWhatItCannotRead() {
    if (!hasTidy()) QSKIP("clang-tidy or CUDA's headers are not here");
    const auto answer =
        tidy(findTidyTool(),
             "__global__ void k(float* x) {\n    x[0] = nobodyKnows(x[1]);\n    int i = x[1];\n    x[i] = 0;\n}\n");
    QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().text().c_str());
    QCOMPARE(answer->unread.size(), std::size_t(1));
    QCOMPARE(answer->unread[0].line, 2);
    QVERIFY(!answer->findings.empty()); // the rest was looked at
    for (const char* text : {"", "}}}}", "#include \"/etc/passwd\"\n", "\xff\xfe not a text"})
        QVERIFY(tidy(findTidyTool(), text).ok());
}

void TestTools::tidyMayBeAbsent() {
    const auto noTool = tidy({}, "int x;");
    QVERIFY(!noTool.ok());
    QCOMPARE(noTool.error().code, std::string("missing_component"));
    QVERIFY(noTool.error().text().find("clang-tidy") != std::string::npos);
    const auto noHeaders = tidy({"/bin/true", {}}, "int x;");
    QCOMPARE(noHeaders.error().code, std::string("missing_component"));
    QVERIFY(noHeaders.error().text().find("CUDA_PATH") != std::string::npos);
    const auto broken = tidy({"/bin/sh", "/"}, "int x;"); // no such words for a shell
    QVERIFY(!broken.ok());
    QCOMPARE(broken.error().code, std::string("tool_failed"));
}

void TestTools::ncuIsFoundNewestFirst() {
    QTemporaryDir folder;
    const QByteArray pathBefore = qgetenv("PATH"), cudaBefore = qgetenv("CUDA_PATH");
    qputenv("PATH", "/nowhere");
    qunsetenv("CUDA_PATH");
    const std::string root = folder.path().toStdString();
    const NcuTool none = findNcu(root);
    QVERIFY(none.program.empty());
    const auto older = scriptIn(folder, QStringLiteral("opt/nvidia/nsight-compute/2024.1.1/ncu"), "");
    const auto newer = scriptIn(folder, QStringLiteral("opt/nvidia/nsight-compute/2025.10.0/ncu"), "");
    QCOMPARE(findNcu(root).program, newer); // 10 is more than 3, and 2025 than 2024
    const auto ofToolkit = scriptIn(folder, QStringLiteral("usr/local/cuda-13.0/bin/ncu"), "");
    QCOMPARE(findNcu(root).program, ofToolkit);
    const auto chosen = scriptIn(folder, QStringLiteral("mine/bin/ncu"), "");
    qputenv("CUDA_PATH", folder.filePath(QStringLiteral("mine")).toUtf8());
    QCOMPARE(findNcu(root).program, chosen);
    QFile(QString::fromStdString(chosen)).setPermissions(QFile::ReadOwner); // not a program
    QCOMPARE(findNcu(root).program, ofToolkit);
    qputenv("PATH", pathBefore);
    cudaBefore.isEmpty() ? void(qunsetenv("CUDA_PATH")) : void(qputenv("CUDA_PATH", cudaBefore));
    const auto absent = measureWithNcu(none, addRequest());
    QVERIFY(!absent.ok());
    QCOMPARE(absent.error().code, std::string("missing_component"));
    QVERIFY(absent.error().detail.find("/opt/nvidia/nsight-compute") == std::string::npos || !none.searched.empty());
    QVERIFY(absent.error().detail.find("/usr/local/cuda/bin") != std::string::npos);
}

void TestTools::ncuRunsTheKernelAndIsRead() {
    QTemporaryDir folder;
    const auto launches = measureWithNcu(fakeNcu(folder, ncuTable, 0), addRequest());
    QVERIFY2(launches.ok(), launches.ok() ? "" : launches.error().text().c_str());
    QCOMPARE(launches->size(), std::size_t(1));
    QCOMPARE(launches->front().find("gpu__time_duration.sum")->value.value(), 2048.0);
    const QString words = QString::fromStdString(textOfFile(folder.filePath(QStringLiteral("words"))));
    for (const char* wanted :
         {"--clock-control\nnone\n", "--csv\n--page\nraw\n", "--target-processes\nall\n", "lts__t_sector_hit_rate.pct",
          "smsp__inst_executed.sum", "kernelarium-cli\nrun\n", "--backend\ncuda\n", "--fast-math\n", "--size\nfull\n"})
        QVERIFY2(words.contains(QString::fromUtf8(wanted)), wanted);
    QCOMPARE(textOfFile(folder.filePath(QStringLiteral("source"))), addRequest().source);
    QCOMPARE(textOfFile(folder.filePath(QStringLiteral("card"))), task::writeCard(*addRequest().card));
}

void TestTools::ncuMayNotKnowAMetric() {
    QTemporaryDir folder;
    NcuTool tool = fakeNcu(folder, ncuTable, 0);
    // Refuses until it is no longer asked for what it does not know.
    tool.program = scriptIn(folder, QStringLiteral("older"),
                            "case \"$*\" in *lts__t_sector_hit_rate.pct*)\n"
                            "while [ $# -gt 0 ]; do [ \"$1\" = --log-file ] && "
                            "printf '==ERROR== Failed to find metric lts__t_sector_hit_rate.pct\\n==WARNING== No "
                            "kernels were profiled.\\n' > \"$2\"; shift; done\n"
                            "exit 1;; esac\nexec '" +
                                QByteArray::fromStdString(tool.program) + "' \"$@\"\n");
    const auto launches = measureWithNcu(tool, addRequest());
    QVERIFY2(launches.ok(), launches.ok() ? "" : launches.error().text().c_str());
    QCOMPARE(launches->size(), std::size_t(1));
    const std::string words = textOfFile(folder.filePath(QStringLiteral("words")));
    QVERIFY(words.find("smsp__inst_executed.sum") != std::string::npos &&
            words.find("lts__t_sector_hit_rate.pct") == std::string::npos);
}

void TestTools::ncuRefusesByName_data() {
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<int>("exit");
    QTest::addColumn<QString>("code");
    QTest::newRow("permission") << QByteArray("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to "
                                              "access NVIDIA GPU Performance Counters")
                                << 1 << QStringLiteral("no_permission");
    QTest::newRow("kernel failed")
        << QByteArray("==ERROR== The application returned an error code (3).\n==WARNING== No kernels were profiled.")
        << 3 << QStringLiteral("run_failed");
    QTest::newRow("no kernel") << QByteArray("==WARNING== No kernels were profiled.") << 0
                               << QStringLiteral("nothing_profiled");
    QTest::newRow("silent") << QByteArray() << 0 << QStringLiteral("bad_profile");
}

void TestTools::ncuRefusesByName() {
    QFETCH(const QByteArray, log);
    QFETCH(const int, exit);
    QFETCH(const QString, code);
    QTemporaryDir folder;
    const auto launches = measureWithNcu(fakeNcu(folder, log, exit), addRequest());
    QVERIFY(!launches.ok());
    QCOMPARE(QString::fromStdString(launches.error().code), code);
    QVERIFY(launches.error().detail.find("finished") != std::string::npos ||
            !log.isEmpty()); // what was printed is there to be read
}

void TestTools::ncuIsEndedWhenCancelled() {
    QTemporaryDir folder;
    NcuTool tool;
    // With a child of its own, which is to end, too.
    tool.program =
        scriptIn(folder, QStringLiteral("ncu"),
                 "sh -c 'while :; do sleep 1; done' &\necho $! > '" + folder.path().toUtf8() + "/child'\nwait\n");
    std::stop_source stop;
    std::jthread stopper([&] {
        while (textOfFile(folder.filePath(QStringLiteral("child"))).empty())
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        stop.request_stop();
    });
    const auto launches = measureWithNcu(tool, addRequest(), stop.get_token());
    QVERIFY(!launches.ok());
    QCOMPARE(launches.error().code, std::string("cancelled"));
    const QString child = QString::fromStdString(textOfFile(folder.filePath(QStringLiteral("child")))).trimmed();
    const auto isGone = [&] {
        const std::string stat = textOfFile(QStringLiteral("/proc/%1/stat").arg(child));
        return stat.empty() || stat.find(") Z ") != std::string::npos;
    };
    WAIT_VERIFY(isGone());
}

KERNELARIUM_TEST(TestTools);
