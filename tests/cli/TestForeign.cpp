// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestForeign.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>
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

/// A wrapper adds `forward` to a file without a module.
void TestForeign::cudaL2() {
    QFETCH(int, m);
    QFETCH(int, n);
    QFETCH(int, k);
    QTemporaryDir folder;
    QFile wrapper(folder.filePath("wrapper.cu"));
    QVERIFY(wrapper.open(QIODevice::WriteOnly));
    wrapper.write("#include <torch/extension.h>\n#include KERNEL_FILE\n"
                  "torch::Tensor forward(torch::Tensor a, torch::Tensor b) {\n"
                  "    auto c = torch::empty({a.size(0), b.size(1)}, a.options());\n"
                  "    cuda_l2_h100_fp32(a, b, b.t().contiguous(), c);\n    return c;\n}\n"
                  "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward); }\n");
    wrapper.close();
    const json verdict =
        verified(wrapper.fileName(),
                 {"-I", samples + "cuda_l2", QString("-DKERNEL_FILE=\"%1_%2_%3.cu\"").arg(m).arg(n).arg(k),
                  "-DREFERENCE=product", "--reference", fixture("torch_references.cu"), "--arg",
                  QString("float16[%1,%2]").arg(m).arg(k), "--arg", QString("float16[%1,%2]").arg(k).arg(n)});
    QVERIFY2(verdict.value("verdict", "") == "verified", verdict.dump(1).c_str());
}

KERNELARIUM_TEST(TestForeign);
