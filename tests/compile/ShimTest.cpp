// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/compile/ShimTest.h"

#include "tests/TestRegistry.h"
#include "tests/compile/CompilerFixture.h"

#include <QFile>

#include <array>

using namespace kernelarium::compile;

static std::string fixture(const QString& name) {
    QFile file(QStringLiteral(KERNELARIUM_SOURCE_DIR "/tests/compile/fixtures/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

void ShimTest::fixturesCompile_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("wanted");
    QTest::newRow("half") << "half.cu" << QStringList{"wmma.mma", "cvt.rn.bf16.f32", "aten.to.dtype"};
    QTest::newRow("exceptions") << "exceptions.cu" << QStringList{"kl_try",     "kl_try_end",   "kl_throw",
                                                                  "kl_rethrow", "kl_catch_end", "kl_caught_type"};
    QTest::newRow("groups") << "groups.cu" << QStringList{"shfl.sync.down", "bar"};
    QTest::newRow("names") << "names.cu"
                           << QStringList{"aten.conv2d.default",
                                          "aten.max.dim",
                                          "aten.index_put_",
                                          "aten.masked_fill.Scalar",
                                          "aten.batch_norm.default",
                                          "aten.dropout.default",
                                          "aten.rsub.Scalar",
                                          "cublasSgemm_v2",
                                          "cudaMemcpyToSymbol",
                                          "cudaEventRecord",
                                          "torch.current_stream",
                                          "py.getattr",
                                          "py.hasattr",
                                          "py.getitem",
                                          "py.keys",
                                          "stride",
                                          "kl_define"};
}

/// The text of a string constant as the PTX holds it: bytes in decimal.
static bool holds(const std::string& ptx, const std::string& text) {
    if (ptx.find(text) != std::string::npos) return true;
    std::string bytes;
    for (const char c : text)
        bytes += (bytes.empty() ? "" : ", ") + std::to_string(int(c));
    return ptx.find(bytes) != std::string::npos;
}

void ShimTest::fixturesCompile() {
    COMPILER_OR_SKIP(compiler);
    QFETCH(QString, file);
    QFETCH(QStringList, wanted);
    const std::string source = fixture(file);
    QVERIFY(!source.empty());
    const auto unit = compiler->compile(source, {});
    QVERIFY(unit.ok());
    QVERIFY2(unit->ok, describe(*unit).c_str());
    for (const QString& text : wanted)
        QVERIFY2(holds(unit->ptx, text.toStdString()), qPrintable(text));
}

void ShimTest::snippetsCompile_data() {
    QTest::addColumn<QString>("includes");
    QTest::addColumn<QString>("body");
    const QString torch = "#include <torch/extension.h>\n";
    QTest::newRow("runtime without includes")
        << ""
        << "int* p; cudaMalloc(&p, 4); cudaMemset(p, 0, 4); cudaFree(p); cudaDeviceSynchronize();";
    QTest::newRow("math") << "#include <cmath>\n"
                          << "float a = std::sqrt(2.0f) + std::max(1, 2) + sqrt(3) + pow(2, 3) + INFINITY;";
    QTest::newRow("limits") << "#include <limits>\n#include <cfloat>\n"
                            << "static_assert(std::numeric_limits<int>::max() == 2147483647); float a = -FLT_MAX; "
                               "static_assert(std::numeric_limits<float>::infinity() > FLT_MAX);";
    QTest::newRow("algorithm")
        << "#include <algorithm>\n#include <vector>\n"
        << "std::vector<int> v{3, 1}; std::sort(v.begin(), v.end()); std::fill(v.begin(), v.end(), 2);";
    QTest::newRow("chrono")
        << "#include <chrono>\n"
        << "auto t = std::chrono::high_resolution_clock::now(); double ms = std::chrono::duration<double, "
           "std::milli>(std::chrono::high_resolution_clock::now() - t).count();";
    QTest::newRow("string") << "#include <string>\n"
                            << "std::string s = \"a\"; s += std::to_string(3) + 'c';";
    QTest::newRow("checks")
        << torch
        << "torch::Tensor x; TORCH_CHECK(x.is_cuda()); TORCH_CHECK(x.dim() == 2, \"dim \", x.dim(), ' ', x.sizes()); "
           "AT_ASSERTM(x.defined(), \"m\"); TORCH_CHECK_EQ(x.size(0), 3); TORCH_WARN(\"w\");";
    QTest::newRow("options") << torch
                             << "auto o = torch::TensorOptions().dtype(torch::kFloat32).device(torch::kCUDA, "
                                "0).requires_grad(false); auto x = torch::zeros({2, 3}, o); auto y = torch::full({2}, "
                                "1.5, torch::dtype(torch::kInt64).device(torch::kCUDA)); x = x.to(y.device());";
    QTest::newRow("accessor") << torch
                              << "torch::Tensor x; auto a = x.accessor<float, 2>(); float v = a[0][1]; a[1][0] = v;";
    for (const char* header :
         {"cuda_pipeline.h", "cuda_pipeline_primitives.h", "cuda_awbarrier.h", "cuda_awbarrier_primitives.h"})
        QTest::newRow(header)
            << QStringLiteral("#include <%1>\n#include <cuda_pipeline.h>\n#include <cstdint>\n"
                              "__global__ void k(const float* x, float* y) { __shared__ float s[32]; "
                              "__pipeline_memcpy_async(&s[threadIdx.x], x + threadIdx.x, 4); __pipeline_commit(); "
                              "__pipeline_wait_prior(0); y[threadIdx.x] = s[threadIdx.x]; }\n")
                   .arg(QLatin1String(header))
            << "static_assert(sizeof(std::uint64_t) == 8); uint64_t n = 3; unsigned long* p = &n; (void)p;";
    for (const char* header : {"barrier", "pipeline", "ptx", "atomic"}) // these declare the driver's types, too
        QTest::newRow(qPrintable(QString("libcu++'s %1").arg(header)))
            << QString(
                   "#include <cuda.h>\n#include <cuda/%1>\n"
                   "__global__ void k(const __grid_constant__ CUtensorMap map, float* y) { y[0] = float(map.opaque[0]); }\n")
                   .arg(header)
            << "CUtensorMap m; CUtensorMap_st* same = &m; (void)same;";
    QTest::newRow("launch kernel") << "__global__ void k(int);\n"
                                   << "int a = 1; void* args[] = {&a}; cudaLaunchKernel(k, dim3(1), dim3(32), args, 0, "
                                      "0); cudaLaunchKernel((void*)k, dim3(1), dim3(32), args, 0, 0);";
}

void ShimTest::snippetsCompile() {
    COMPILER_OR_SKIP(compiler);
    QFETCH(QString, includes);
    QFETCH(QString, body);
    const auto unit = compiler->compile((includes + "void f() { " + body + " }\n").toStdString(), {});
    QVERIFY(unit.ok());
    QVERIFY2(unit->ok, describe(*unit).c_str());
}

void ShimTest::absentNamesStayAbsent_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("name");
    const QString torch = "#include <torch/extension.h>\n";
    QTest::newRow("stream") << torch + "auto s() { return c10::cuda::getCurrentCUDAStream(); }"
                            << "cuda";
    QTest::newRow("guard")
        << torch +
               "#include <c10/cuda/CUDAStream.h>\nvoid f(at::cuda::CUDAStream s) { at::cuda::CUDAStreamGuard g(s); }"
        << "CUDAStreamGuard";
    QTest::newRow("check") << torch + "void f() { C10_CUDA_CHECK(cudaGetLastError()); }"
                           << "C10_CUDA_CHECK";
    QTest::newRow("cublas") << torch + "cublasHandle_t h;"
                            << "cublasHandle_t";
    QTest::newRow("map") << torch + "void f(torch::Tensor x) { x.map(1); }"
                         << "map";
    QTest::newRow("extended lambda") << torch + "void f() { auto g = [] __device__ (float v) { return v; }; }"
                                     << "extended-lambda";
    QTest::newRow("torch without include") << "torch::Tensor x;"
                                           << "torch";
}

void ShimTest::absentNamesStayAbsent() {
    COMPILER_OR_SKIP(compiler);
    QFETCH(QString, source);
    QFETCH(QString, name);
    const auto unit = compiler->compile(source.toStdString(), {});
    QVERIFY(unit.ok());
    QVERIFY(!unit->ok);
    QVERIFY2(firstError(*unit)->text.find(name.toStdString()) != std::string::npos, describe(*unit).c_str());
}

void ShimTest::tryIsCalledInTheFunctionItself() {
    COMPILER_OR_SKIP(compiler);
    const auto unit = compiler->compile("#include <stdexcept>\nextern \"C\" int guarded(int n) {\n    try { if (n) "
                                        "throw std::runtime_error(\"x\"); return 1; }\n"
                                        "    catch (const std::exception&) { return 2; }\n}\n",
                                        {});
    QVERIFY2(unit->ok, describe(*unit).c_str());
    QVERIFY2(unit->diagnostics.empty(), describe(*unit).c_str());
    const std::size_t start = unit->ptx.rfind("guarded(");
    const std::string body = unit->ptx.substr(start, unit->ptx.find("\n}", start) - start);
    QVERIFY(body.find("kl_try,") != std::string::npos);
    QVERIFY(body.find("kl_try_end,") != std::string::npos);
    QVERIFY(body.find("kl_catch_end,") != std::string::npos);
    QVERIFY(body.find("kl_rethrow,") != std::string::npos);
}

void ShimTest::namesBeforeTryLeaveNoTrace() {
    COMPILER_OR_SKIP(compiler);
    // Names that stand for something else in front of the block, or for nothing: none of them is reported.
    const std::string head =
        "#include <stdexcept>\nstruct Item { int v; }; typedef int Number; int twice(int); int twice(float);\n"
        "void go(Number n, int i); void other() { for (int i = 0; i < 2; ++i) { Item item{i}; go(item.v, i); } }\n";
    const auto good = compiler->compile(
        head +
            "int f(int n) { int c;\n  try { for (int i = 0; i < n; ++i) { Item item{i}; c = twice(Number(item.v)); } "
            "throw 1; } catch (int) { return c; } return 0; }\n",
        {});
    QVERIFY2(good->ok && good->diagnostics.empty(), describe(*good).c_str());
    QVERIFY(good->ptx.find("kl_touch,") != std::string::npos);
    const auto bad = compiler->compile(head + "int f(int n) { int c = 0;\n  try { for (int i = 0; i < n; ++i) c = "
                                              "absent; } catch (...) { }\n return c; }\n",
                                       {});
    QVERIFY(!bad->ok);
    QVERIFY2(bad->diagnostics.size() == 1, describe(*bad).c_str());
    QCOMPARE(bad->diagnostics[0].line, 5);
    QCOMPARE(bad->diagnostics[0].column, 41);
}

void ShimTest::shimNeverWarns() {
    COMPILER_OR_SKIP(compiler);
    for (const char* name : {"half.cu", "exceptions.cu", "groups.cu", "names.cu"}) {
        const auto unit = compiler->compile(fixture(name), {});
        for (const Diagnostic& d : unit->diagnostics)
            QVERIFY2(d.file == "kernel.cu" && d.line > 0, describe(*unit).c_str());
    }
    const auto clean = compiler->compile(
        "#include <torch/extension.h>\n#include <ATen/cuda/CUDAContext.h>\n#include <iostream>\n", {});
    QVERIFY2(clean->ok && clean->diagnostics.empty(), describe(*clean).c_str());
}

KERNELARIUM_TEST(ShimTest);
