// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestForeign.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <array>

using nlohmann::json;

namespace {

const QString samples = QStringLiteral(KERNELARIUM_SHARED_DIR "/foreign_sample/");

/// What PyTorch's build defines and these collections take away.
const QStringList undefining{"-U__CUDA_NO_HALF_OPERATORS__", "-U__CUDA_NO_HALF_CONVERSIONS__",
                             "-U__CUDA_NO_HALF2_OPERATORS__", "-U__CUDA_NO_BFLOAT16_CONVERSIONS__"};

/// The element type that a function of LeetCUDA is for, by its name.
QString typeIn(const QString& function) {
    static const std::pair<const char*, const char*> types[] = {
        {"_i8", "int8"},        {"fp8_e4m3", "float8_e4m3fn"}, {"fp8_e5m2", "float8_e5m2"}, {"sum_bf16", "bfloat16"},
        {"sum_f16", "float16"}, {"sum_f32", "float32"},        {"_f16", "float16"}};
    for (const auto& [part, type] : types)
        if (function.contains(QLatin1String(part))) return QString::fromLatin1(type);
    return QStringLiteral("float32");
}

struct Call {
    QString reference;
    QStringList arguments; ///< T stands for the function's element type
};

/// How a function is called, by its file; sizes are some that its kernel is made for.
Call callOf(const QString& file, const QString& function) {
    // Beyond 3.4 its exponential overflows in float16, as the real one does.
    if (file == "gelu.cu") return {"gelu_tanh", {"T[8,1024]~uniform(-2,2)", "T[8,1024]~out"}};
    if (file == "elu.cu") return {"elu", {"T[8,1024]", "T[8,1024]~out"}};
    if (file == "embedding.cu") return {"rows", {"int32[37]~integer(0,29)", "T[30,256]", "T[37,256]~out"}};
    if (file == "histogram.cu") return {"counts", {"int32[4096]~integer(0,49)"}};
    if (file == "rope.cu") return {"rotated", {"T[16,512]", "T[16,512]~out"}};
    if (file == "rms_norm.cu") return {"rms_norm", {"T[12,512]", "T[12,512]~out", "1.5"}};
    if (file == "block_all_reduce.cu")
        return function.contains("_i8") ? Call{"total_of_integers", {"T[16,1024]"}}
                                        : Call{"total", {"T[16,1024]~uniform(0,1)"}};
    if (file == "sgemv.cu") {
        const QString k = QRegularExpression("_k(\\d+)_").match(function).captured(1);
        return {"product", {"T[48," + k + "]", "T[" + k + ",1]", "T[48,1]~out"}};
    }
    // The online ones read what only 32 warps have written.
    const QString columns = !function.startsWith("online") ? "512" : function.contains("x4") ? "4096" : "1024";
    return {"softmax", {"T[12," + columns + "]", "T[12," + columns + "]~out"}};
}

json verified(const QString& file, const QStringList& options) {
    return callCli(QStringList{"verify", file, "--json"} + undefining + options).json();
}

} // namespace

void TestForeign::leetcuda_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("function");
    QFile builds(samples + "leetcuda/torch_builds.jsonl");
    if (!builds.open(QIODevice::ReadOnly)) QSKIP("No sample of LeetCUDA lies beside the repository.");
    for (const QByteArray& line : builds.readAll().split('\n')) {
        if (line.isEmpty()) continue;
        const json built = json::parse(line.toStdString());
        const QString file = QString::fromStdString(built["file"].get<std::string>());
        for (const json& name : built["functions"]) {
            const QString function = QString::fromStdString(name.get<std::string>());
            QTest::newRow(qPrintable(function)) << file << function;
        }
    }
}

void TestForeign::leetcuda() {
    QFETCH(QString, file);
    QFETCH(QString, function);
    const Call call = callOf(file, function);
    QStringList options{"--function", function, "--reference", fixture("torch_references.cu"),
                        "-DREFERENCE=" + call.reference};
    for (QString argument : call.arguments)
        options << "--arg" << argument.replace("T[", typeIn(function) + "[");
    const json verdict = verified(samples + "leetcuda/" + file, options);
    QVERIFY2(verdict.value("verdict", "") == "verified", verdict.dump(1).c_str());
}

void TestForeign::cudaL2_data() {
    QTest::addColumn<int>("m");
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("k");
    if (!QDir(samples + "cuda_l2").exists()) QSKIP("No sample of CUDA-L2 lies beside the repository.");
    for (const auto& [m, n, k] : {std::array{64, 64, 64}, std::array{128, 512, 128}, std::array{256, 64, 256}})
        QTest::addRow("%d x %d x %d", m, n, k) << m << n << k;
}

namespace {

/// The verdict on a file of CUDA-L2 at m x n x k. A wrapper adds `forward` to a file without a module.
json verifiedProduct(const QString& folder, const QString& file, std::array<int, 3> mnk, const QStringList& options) {
    QTemporaryDir own;
    QFile wrapper(own.filePath("wrapper.cu"));
    if (!wrapper.open(QIODevice::WriteOnly)) return {};
    wrapper.write("#include <torch/extension.h>\n#include KERNEL_FILE\n"
                  "torch::Tensor calledProduct(torch::Tensor a, torch::Tensor b) {\n"
                  "    auto c = torch::empty({a.size(0), b.size(1)}, a.options());\n"
                  "    cuda_l2_h100_fp32(a, b, b.t().contiguous(), c);\n    return c;\n}\n"
                  "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &calledProduct); }\n");
    wrapper.close();
    return verified(wrapper.fileName(),
                    QStringList{"-I", folder, QString("-DKERNEL_FILE=\"%1\"").arg(file), "-DREFERENCE=product",
                                "--reference", fixture("torch_references.cu"), "--arg",
                                QString("float16[%1,%2]").arg(mnk[0]).arg(mnk[2]), "--arg",
                                QString("float16[%1,%2]").arg(mnk[2]).arg(mnk[1])} +
                        options);
}

} // namespace

void TestForeign::cudaL2() {
    QFETCH(int, m);
    QFETCH(int, n);
    QFETCH(int, k);
    const json verdict =
        verifiedProduct(samples + "cuda_l2", QString("%1_%2_%3.cu").arg(m).arg(n).arg(k), {m, n, k}, {});
    QVERIFY2(verdict.value("verdict", "") == "verified", verdict.dump(1).c_str());
}

void TestForeign::theRaceOfCudaL2_data() {
    QTest::addColumn<bool>("repaired");
    QTest::newRow("as published") << false;
    QTest::newRow("repaired") << true;
}

/// 1024_512_16384.cu refills a stage that the product in flight reads: it waits for a phase that a fresh mbarrier
/// counts as over. Repaired it waits for the phase before, behind its own arrival there, and makes its mbarriers known
/// to the copies. Eight steps of k go through its three stages.
void TestForeign::theRaceOfCudaL2() {
    QFETCH(bool, repaired);
    const QString name = "1024_512_16384.cu", headers = samples + "cutlass-4.2.1-include.tar.xz";
    QFile published(samples + "cuda_l2/" + name);
    if (!published.open(QIODevice::ReadOnly) || !QFile::exists(headers))
        QSKIP("CUDA-L2's file or CUTLASS's headers do not lie beside the repository.");
    QTemporaryDir folder;
    if (QProcess::execute("tar", {"-xf", headers, "-C", folder.path()}) != 0) QSKIP("tar does not unpack the headers.");
    QString text = QString::fromUtf8(published.readAll());
    if (repaired) {
        const auto replaced = [&text](const QString& what, const QString& with) {
            QCOMPARE(text.count(what), 1);
            text.replace(what, with);
        };
        const qsizetype from = text.indexOf(
                            "    if (k_tile < k_tile_count) {\n      if (is_producer) {\n        int write"),
                        to = text.indexOf("    warpgroup_wait<0>();", from);
        QVERIFY(from > 0 && to > from);
        const QString refill = text.mid(from, to - from);
        text.remove(from, to - from);
        replaced("    ++read_stage;\n", refill + "    ++read_stage;\n");
        replaced("(write_stage / K_PIPE_MAX) & 1", "(write_stage / K_PIPE_MAX - 1) & 1");
        replaced("  __syncthreads();\n", "  cutlass::arch::fence_barrier_init();\n  __syncthreads();\n");
    }
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.toUtf8());
    file.close();
    const json verdict =
        verifiedProduct(folder.path(), name, {64, 64, 1024}, {"-I", folder.filePath("include"), "--time-limit", "900"});
    if (repaired) {
        QVERIFY2(verdict.value("verdict", "") == "verified", verdict.dump(1).c_str());
        return;
    }
    QVERIFY2(verdict.value("verdict", "") == "fault", verdict.dump(1).c_str());
    const auto overwrites = [](const json& fault) {
        const std::string words = fault.value("message", "");
        return fault.value("kind", "") == "async_overwrite" && words.find("A copy into bytes") != std::string::npos &&
               words.find("a product of thread (") != std::string::npos;
    };
    QVERIFY2(std::any_of(verdict["faults"].begin(), verdict["faults"].end(), overwrites), verdict.dump(1).c_str());
}

KERNELARIUM_TEST(TestForeign);
