// SPDX-License-Identifier: GPL-3.0-or-later
// Library operators of host code by kernels of ours in the run's memory: what they give, where it lies, and that all of
// it can be queued again. The emulator stands for the GPU.
#include "core/verify/Comparison.h"
#include "gpu/compile/Compiler.h"
#include "gpu/device/vendor/VendorLibraries.h"
#include "gpu/host/run/EmulatorRunner.h"
#include "tests/TestRegistry.h"
#include "tests/device/TracedRun.h"

#include <QTemporaryDir>
#include <QtTest>

namespace kernelarium::test {

using tensor::DType;
using tensor::Tensor;
using tensor::Value;

namespace {

#define NEEDS_COMPILER()                                                                                               \
    if (!compiler() || !operatorLibrary()) QSKIP(missingCompiler().c_str())

std::string boundForward(const std::string& body) {
    return body + "\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward, \"test\"); }\n";
}

compile::CompiledUnit compiled(const std::string& body) {
    compile::CompileOptions options;
    options.cubin = false;
    auto unit = compiler()->compile(
        "#include <torch/extension.h>\n#include <cublasLt.h>\n#include <ATen/cuda/CUDAContext.h>\n" + body, options);
    if (unit) return *std::move(unit);
    compile::CompiledUnit none;
    none.log = unit.error().text();
    return none;
}

Tensor numbers(tensor::Shape shape, unsigned seed) {
    Tensor t(DType::Float32, std::move(shape));
    for (std::int64_t i = 0; i < t.count(); ++i)
        t.set(i, double((i * 37 + seed * 11) % 101) / 50.0 - 1.0);
    return t;
}

/// The CPU's answer, by the emulator's own runner.
verify::RunResult onCpu(const compile::CompiledUnit& unit, const std::vector<Value>& arguments) {
    host::HostProgram program;
    program.ptx = unit.ptx;
    host::EmulatorSettings settings;
    settings.capacity = 1ull << 30;
    verify::RunRequest request;
    request.arguments = arguments;
    auto result = host::EmulatorRunner(std::move(program), settings).run(request);
    if (result) return *std::move(result);
    verify::RunResult failed;
    failed.end = verify::RunEnd::crashed;
    failed.reason = result.error().text();
    return failed;
}

const std::string scaleKernel = R"(
__global__ void scale(const float* x, float* y, float a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i]; }
)";

} // namespace

class TestRunOperators : public QObject {
    Q_OBJECT

private slots:
    void theDeviceGivesWhatTheCpuGives_data() {
        QTest::addColumn<QString>("body");
        const auto row = [](const char* name, const char* body) {
            QTest::newRow(name) << QString::fromLatin1("torch::Tensor forward(torch::Tensor x, torch::Tensor w) { %1 }")
                                       .arg(QLatin1String(body));
        };
        row("elementwise", "return torch::relu(x) * 2.0 + torch::sigmoid(x);");
        row("in place", "auto y = x.clone(); y.add_(x, 0.5).mul_(3.0); y.relu_(); return y;");
        row("in place over itself", "auto y = x.clone(); y.mul_(y); y.sub_(y.mean()); return y;");
        row("in place from a transposed view of itself",
            "auto y = torch::mm(x, w).slice(1, 0, 10).contiguous(); y.copy_(y.t()); y.add_(y.t()); return y;");
        row("product", "return torch::mm(x, w);");
        row("linear with bias", "return torch::linear(x, w.t().contiguous(), w.sum(0));");
        row("addmm", "return torch::addmm(torch::ones({w.size(1)}, x.options()), x, w, 0.5, 2.0);");
        row("batched product", "return torch::bmm(x.unsqueeze(0).expand({3, -1, -1}).contiguous(), "
                               "w.unsqueeze(0).expand({3, -1, -1}).contiguous());");
        row("product of halves", "return torch::mm(x.to(torch::kHalf), w.to(torch::kHalf)).to(torch::kFloat);");
        row("convolution", "return torch::conv2d(x.view({1, 2, 6, 10}), w.slice(0, 0, 9).slice(1, 0, "
                           "8).contiguous().view({4, 2, 3, 3}), {}, {1, 1}, {1, 1});");
        row("convolution of halves",
            "return torch::conv2d(x.view({1, 2, 6, 10}).to(torch::kHalf), w.slice(0, 0, 9).slice(1, 0, 8).contiguous()"
            ".view({4, 2, 3, 3}).to(torch::kHalf)).to(torch::kFloat);");
        row("softmax and sums", "return torch::softmax(x, 1).sum(0) + x.amax(0) - x.var(0);");
        row("views between",
            "auto y = x.t().contiguous().view({-1, 4}).transpose(0, 1); return torch::exp(y).contiguous();");
        row("a strided copy",
            "auto z = torch::zeros({x.size(0), 2 * x.size(1)}, x.options()); z.slice(1, 0, z.size(1), 2).copy_(x); "
            "z.slice(1, 1, z.size(1), 2).fill_(7); return z;");
        row("conversions",
            "return (x * 10).to(torch::kInt).to(torch::kDouble).to(torch::kFloat) + (x > 0).to(torch::kFloat);");
        row("a CPU number among the arguments", "auto s = torch::tensor(3.0); return x * s;");
        row("clamp and where", "return torch::where(x > 0.1, torch::clamp(x, -0.5, 0.5), torch::zeros_like(x));");
        row("cat and split", "auto p = torch::chunk(x, 2, 1); return torch::cat({p[1], p[0] * 2}, 1);");
        row("batch norm in training",
            "auto m = torch::zeros({w.size(0)}, x.options()), v = torch::ones({w.size(0)}, x.options()); "
            "auto y = torch::batch_norm(x, {}, {}, m, v, true, 0.1, 1e-5, false); return y + m * 100 + v;");
        row("batch norm in training with a weight",
            "auto m = torch::zeros({w.size(0)}, x.options()), v = torch::ones({w.size(0)}, x.options()), k = w.sum(1); "
            "auto y = torch::batch_norm(x, k, k + 1, m, v, true, 0.1, 1e-5, true); return y + m * 100 + v;");
        row("layer norm", "return torch::layer_norm(x, {x.size(1)});");
        row("max pooling", "return torch::max_pool2d(x.view({1, 2, 6, 10}), {2, 2});");
        row("index select", "auto i = torch::tensor({2, 0, 1}, torch::dtype(torch::kLong).device(x.device())); return "
                            "torch::index_select(x, 0, i);");
        row("item", "return x + x.sum().item<float>();");
        row("sgemm", "auto y = torch::ones({x.size(0), w.size(1)}, x.options()); cublasHandle_t h; cublasCreate(&h); "
                     "float a = 2, b = 0.5; int m = w.size(1), n = x.size(0), k = x.size(1); cublasSgemm(h, "
                     "CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &a, w.data_ptr<float>(), m, x.data_ptr<float>(), k, &b, "
                     "y.data_ptr<float>(), m); cublasDestroy(h); return y;");
        row("sgemm of batches",
            "auto y = torch::empty({2, 5, 5}, x.options()); cublasHandle_t h; cublasCreate(&h); float a = 1, b = 0; "
            "cublasSgemmStridedBatched(h, CUBLAS_OP_T, CUBLAS_OP_N, 5, 5, 4, &a, w.data_ptr<float>(), 4, 20, "
            "x.data_ptr<float>(), 4, 20, &b, y.data_ptr<float>(), 5, 25, 2); cublasDestroy(h); return y;");
        row("matmul of cuBLASLt, of batches",
            "auto y = torch::ones({2, 3, 5}, x.options()); cublasLtHandle_t h; cublasLtCreate(&h); "
            "cublasLtMatmulDesc_t d; cublasLtMatmulDescCreate(&d, CUBLAS_COMPUTE_32F, CUDA_R_32F); "
            "auto turned = CUBLAS_OP_T; cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_TRANSA, &turned, 4); "
            "cublasLtMatrixLayout_t l[3]; cublasLtMatrixLayoutCreate(&l[0], CUDA_R_32F, 4, 5, 4); "
            "cublasLtMatrixLayoutCreate(&l[1], CUDA_R_32F, 4, 3, 4); cublasLtMatrixLayoutCreate(&l[2], CUDA_R_32F, 5, 3, "
            "5); int count = 2; long long steps[3] = {20, 12, 15}; for (int i = 0; i < 3; ++i) { "
            "cublasLtMatrixLayoutSetAttribute(l[i], CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, 4); "
            "cublasLtMatrixLayoutSetAttribute(l[i], CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &steps[i], 8); } float a "
            "= 2, b = 0.5; cublasLtMatmul(h, d, &a, w.data_ptr(), l[0], x.data_ptr(), l[1], &b, y.data_ptr(), l[2], "
            "y.data_ptr(), l[2], nullptr, nullptr, 0, 0); cublasLtDestroy(h); return y;");
        QTest::newRow("kernels between operators") << QString::fromStdString(
            scaleKernel + "torch::Tensor forward(torch::Tensor x, torch::Tensor w) { auto t = torch::mm(x, w); auto y "
                          "= torch::empty_like(t); int n = t.numel(); scale<<<(n + 63) / 64, "
                          "64>>>(t.data_ptr<float>(), y.data_ptr<float>(), 3.f, n); return torch::tanh(y) + t; }");
    }

    /// The same elements as on the CPU, by the device alone; and what was queued gives them for other inputs when it is
    /// queued once more.
    void theDeviceGivesWhatTheCpuGives() {
        NEEDS_COMPILER();
        QFETCH(QString, body);
        const compile::CompiledUnit unit = compiled(boundForward(body.toStdString()));
        QVERIFY2(unit.ok, unit.log.c_str());
        const auto inputs = [](unsigned seed) {
            return std::vector<Value>{numbers({10, 12}, seed), numbers({12, 16}, seed + 5)};
        };
        TracedRun run(unit, inputs(1));
        QVERIFY2(run.result.end == verify::RunEnd::finished, run.result.reason.c_str());
        const std::vector<host::ComputedHere> here = run.session->computedHere();
        QVERIFY2(here.empty(), here.empty() ? "" : (here[0].name + ": " + here[0].why).c_str());
        QVERIFY(run.libraryActions() > 0);
        const auto& faults = run.machine->faults();
        QVERIFY2(faults.empty() && run.result.faults.empty(), faults.empty() ? "" : faults[0].message.c_str());
        QVERIFY(run.result.guardViolations.empty());
        compare(run.result.output, onCpu(unit, inputs(1)));

        if (run.tracing->trace().readBack > 0) return; // what host code does with it is not queued
        const std::vector<Value> others = inputs(2);
        for (std::size_t i = 0; i < others.size(); ++i)
            QVERIFY(
                run.backend->write(run.tracing->trace().before.at(i).address, others[i].as<Tensor>()->bytes()).ok());
        const Result<void> queued = run.again();
        QVERIFY2(queued.ok(), queued ? "" : queued.error().text().c_str());
        tensor::List now;
        for (const Tensor& t : run.outputsNow())
            now.emplace_back(t);
        compare(now.size() == 1 ? now[0] : Value(now), onCpu(unit, others));
    }

    /// With poison in all that it allocates, what was queued gives the same once more: nothing that a race has to
    /// poison is missed, and nothing that it needs is spoilt.
    void whatForwardAllocatesIsKnown() {
        NEEDS_COMPILER();
        // What it keeps is not freed, since the emulator takes freed memory away.
        const compile::CompiledUnit unit = compiled(boundForward(
            scaleKernel +
            "torch::Tensor forward(torch::Tensor x) { static auto t = torch::empty_like(x); auto y = torch::empty_like(x); "
            "int n = x.numel(); float* raw; cudaMalloc(&raw, n * 4);\n"
            "scale<<<1, 64>>>(x.data_ptr<float>(), t.data_ptr<float>(), 3.f, n);\n"
            "scale<<<1, 64>>>(t.data_ptr<float>(), raw, 2.f, n);\n"
            "scale<<<1, 64>>>(raw, y.data_ptr<float>(), 5.f, n); return y; }"));
        QVERIFY2(unit.ok, unit.log.c_str());
        TracedRun run(unit, {numbers({5, 7}, 3)});
        QVERIFY2(run.result.end == verify::RunEnd::finished, run.result.reason.c_str());
        const device::TimedTrace& trace = run.tracing->trace();
        QCOMPARE(trace.allocated.size(), std::size_t(3));
        QVERIFY(!trace.gaveBack);
        const Tensor expected = run.outputsNow().at(0).clone();
        for (const device::TimedTrace::Place& place : trace.allocated)
            QVERIFY(run.backend->fill(place.address, place.bytes, 0xff).ok());
        QVERIFY(std::isnan(run.outputsNow().at(0).at(0)));
        const Result<void> queued = run.again();
        QVERIFY2(queued.ok(), queued ? "" : queued.error().text().c_str());
        const Tensor now = run.outputsNow().at(0);
        for (std::int64_t i = 0; i < now.count(); ++i)
            QCOMPARE(now.at(i), expected.at(i));
    }

    void largeMemoryThatIsGivenBackIsNoted() {
        NEEDS_COMPILER();
        const compile::CompiledUnit unit =
            compiled(boundForward("torch::Tensor forward(torch::Tensor x) { void* raw; cudaMalloc(&raw, 32 << 20); "
                                  "cudaMemset(raw, 0, 32 << 20); cudaFree(raw); return torch::zeros_like(x); }"));
        QVERIFY2(unit.ok, unit.log.c_str());
        TracedRun run(unit, {numbers({5, 7}, 3)});
        QVERIFY2(run.result.end == verify::RunEnd::finished, run.result.reason.c_str());
        QVERIFY(run.tracing->trace().gaveBack);
    }

    void anOperatorWithoutAKernelIsNamed() {
        NEEDS_COMPILER();
        const compile::CompiledUnit unit =
            compiled(boundForward("torch::Tensor forward(torch::Tensor x, torch::Tensor w) { return torch::relu(x) + 0 "
                                  "* torch::randn_like(w); }"));
        QVERIFY2(unit.ok, unit.log.c_str());
        TracedRun run(unit, {numbers({4, 4}, 1), numbers({4, 4}, 2)});
        QVERIFY2(run.result.end == verify::RunEnd::finished, run.result.reason.c_str());
        const auto here = run.session->computedHere();
        QCOMPARE(here.size(), std::size_t(1));
        QVERIFY2(here[0].name.find("randn_like") != std::string::npos, here[0].name.c_str());
        QVERIFY(!here[0].why.empty());
    }

    /// What PyTorch would raise is raised, and nothing is computed in this process instead.
    void wrongShapesAreRaised() {
        NEEDS_COMPILER();
        const compile::CompiledUnit unit = compiled(
            boundForward("torch::Tensor forward(torch::Tensor x, torch::Tensor w) { return torch::mm(x, w); }"));
        TracedRun run(unit, {numbers({4, 5}, 1), numbers({6, 4}, 2)});
        QCOMPARE(run.result.end, verify::RunEnd::host_exception);
        QVERIFY(run.session->computedHere().empty());
    }

    void aResultIsMadeWhereItIsWanted() {
        NEEDS_COMPILER();
        const compile::CompiledUnit unit =
            compiled(boundForward("torch::Tensor forward(torch::Tensor x, torch::Tensor w) { auto y = torch::mm(x, w); "
                                  "y.relu_(); y.add_(y, 2.0); return y; }"));
        QVERIFY2(unit.ok, unit.log.c_str());
        TracedRun run(unit, {numbers({4, 5}, 1), numbers({5, 6}, 2)});
        QVERIFY2(run.result.end == verify::RunEnd::finished, run.result.reason.c_str());
        QCOMPARE(run.libraryActions(), std::size_t(3)); // a product and two maps, no copies
        QCOMPARE(run.tracing->trace().actions.size(), std::size_t(3));
    }

    void blasMatricesAreRowsOrColumnsSideBySide() {
        const auto plain = device::blasMatrix(4, 6, 6, 1);
        QVERIFY(plain && plain->leading == 6 && !plain->transposed);
        const auto wide = device::blasMatrix(4, 6, 100, 1);
        QVERIFY(wide && wide->leading == 100);
        const auto turned = device::blasMatrix(4, 6, 1, 4);
        QVERIFY(turned && turned->leading == 4 && turned->transposed);
        QVERIFY(device::blasMatrix(1, 6, 6, 1)->leading == 6 && device::blasMatrix(6, 1, 3, 1)->leading == 3);
        QVERIFY(!device::blasMatrix(4, 6, 12, 2)); // neither
        QVERIFY(!device::blasMatrix(4, 6, 0, 1));  // one row over and over
        operators::MatrixProduct p;
        p.m = 4, p.n = 6, p.k = 5, p.aRow = 5, p.aColumn = 1, p.bRow = 6, p.bColumn = 1, p.cRow = 6;
        QVERIFY(device::blasProduct(p).has_value());
        p.dtype = DType::Int64;
        QVERIFY(!device::blasProduct(p).has_value());
        p.dtype = DType::Float16;
        p.m = 1ll << 32;
        QVERIFY(!device::blasProduct(p).has_value());
    }

    void librariesAreLookedForInOrder() {
        QTemporaryDir folder;
        const auto put = [&](const QString& path) {
            QVERIFY(QDir().mkpath(folder.filePath(path).section('/', 0, -2)));
            QFile file(folder.filePath(path));
            QVERIFY(file.open(QIODevice::WriteOnly));
        };
        put("toolkit/lib64/libcublas.so.12");
        put("site/nvidia/cublas/lib/libcublas.so.12");
        put("site/nvidia/cu13/lib/libcublas.so.13");
        const auto at = [&](const char* path) { return folder.filePath(QString::fromLatin1(path)).toStdString(); };
        const std::vector<std::string> names{"libcublas.so.13", "libcublas.so.12"};
        const auto found =
            device::vendorLibrariesIn({at("nowhere"), at("toolkit/lib64")}, {at("site"), at("none")}, names);
        const std::vector<std::string> expected{at("toolkit/lib64/libcublas.so.12"),
                                                at("site/nvidia/cu13/lib/libcublas.so.13"),
                                                at("site/nvidia/cublas/lib/libcublas.so.12"), names[0], names[1]};
        QVERIFY(std::is_permutation(found.begin(), found.end(), expected.begin(), expected.end()));
        QCOMPARE(found.front(), expected.front());
        QCOMPARE(found.back(), names[1]);
    }

private:
    static void compare(const Value& got, const verify::RunResult& cpu) {
        QVERIFY2(cpu.end == verify::RunEnd::finished, cpu.reason.c_str());
        const std::vector<Tensor> ours = verify::flatten(got), theirs = verify::flatten(cpu.output);
        QCOMPARE(ours.size(), theirs.size());
        for (std::size_t t = 0; t < ours.size(); ++t) {
            QVERIFY(ours[t].shape() == theirs[t].shape() && ours[t].dtype() == theirs[t].dtype());
            for (std::int64_t i = 0; i < ours[t].count(); ++i) {
                const double g = ours[t].at(i), e = theirs[t].at(i);
                const QString what = QString("element %1: %2 instead of %3").arg(i).arg(g).arg(e);
                QVERIFY2(std::abs(g - e) <= 1e-5 + 1e-4 * std::abs(e), qPrintable(what));
            }
        }
    }
};

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestRunOperators);
#include "TestRunOperators.moc"
