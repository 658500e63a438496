// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/compile/CompilerTest.h"

#include "core/files/ScratchFolder.h"
#include "tests/TestRegistry.h"
#include "tests/compile/CompilerFixture.h"

#include <QFile>
#include <QTemporaryDir>
#include <filesystem>
#include <fstream>
#include <stop_token>

using namespace kernelarium;
using namespace kernelarium::compile;

void CompilerTest::missingToolkitIsNamed() {
    const Toolkit kit = Toolkit::find("/nowhere/cuda");
    const auto compiler = Compiler::create(kit);
    QVERIFY(!compiler.ok());
    QCOMPARE(compiler.error().code, std::string("missing_component"));
    QVERIFY(compiler.error().message.find("NVRTC") != std::string::npos);
    QVERIFY(compiler.error().message.find("nvJitLink") != std::string::npos);
    QVERIFY(compiler.error().detail.find("/nowhere/cuda/lib64") != std::string::npos);
    QVERIFY(!compiler.error().action.empty());
}

void CompilerTest::abandonedPrecompiledHeadersGo() {
    namespace fs = std::filesystem;
    const fs::path abandoned = fs::temp_directory_path() / "kernelarium-pch-left01.scratch";
    fs::create_directories(abandoned);
    fs::permissions(abandoned, fs::perms::owner_all);
    std::ofstream(abandoned / "prelude0.pch") << "left behind";
    const auto inUse = kernelarium::files::ScratchFolder::make("kernelarium-pch-");
    QVERIFY(inUse.ok());
    auto compiler = Compiler::create(Toolkit::find());
    if (!compiler) QSKIP(compiler.error().text().c_str());
    QVERIFY(!fs::exists(abandoned));
    QVERIFY(fs::exists(inUse->path()));
}

void CompilerTest::errorsAreOnTheUsersLines() {
    COMPILER_OR_SKIP(compiler);
    const auto unit = compiler->compile(
        "#include <torch/extension.h>\n\n__global__ void k(float* x) {\n    x[0] = missing + 1;\n}\n", {});
    QVERIFY(unit.ok());
    QVERIFY(!unit->ok);
    QCOMPARE(unit->failedStage, std::string("nvrtc"));
    const Diagnostic* error = firstError(*unit);
    QVERIFY(error);
    QCOMPARE(error->file, std::string("kernel.cu"));
    QCOMPARE(error->line, 4);
    QCOMPARE(error->column, 12);
    QCOMPARE(error->text, std::string("identifier \"missing\" is undefined"));
}

void CompilerTest::tabsAndTemplatesKeepTheirPlace() {
    COMPILER_OR_SKIP(compiler);
    const auto unit = compiler->compile("#include <vector>\nstruct Plain {};\nvoid f() {\n\tstd::vector<Plain> v;\n"
                                        "\tbool same = v == v;\n}\n",
                                        {});
    QVERIFY(unit.ok());
    const Diagnostic* error = firstError(*unit);
    QVERIFY(error);
    QVERIFY2(error->file == "kernel.cu" && error->line == 5, describe(*unit).c_str());
    const auto tabbed = compiler->compile("void f() {\n\t\tundefinedName();\n}\n", {});
    QVERIFY(firstError(*tabbed));
    QCOMPARE(firstError(*tabbed)->line, 2);
    QCOMPARE(firstError(*tabbed)->column, 3);
}

void CompilerTest::earlyDiagnosticsAreThoseOfTheEnd_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<bool>("good");
    QTest::newRow("wrong name") << "__global__ void k(float* x) {\n    x[0] = nowhere;\n}\n" << false;
    QTest::newRow("warning") << "__global__ void k(float* x) {\n    int unused;\n    x[0] = 1;\n}\n" << true;
    QTest::newRow("refused") << "int f() try {\n    return 1;\n} catch (int e) {\n    return e;\n}\n" << false;
    QTest::newRow("variables kept over a block") << "#include <torch/extension.h>\nint f() {\n    int n = 1;\n    try "
                                                    "{ n = 2; throw n; } catch (int e) { n += e; }\n"
                                                    "    return n;\n}\n"
                                                 << true;
}

void CompilerTest::earlyDiagnosticsAreThoseOfTheEnd() {
    COMPILER_OR_SKIP(compiler);
    QFETCH(QString, source);
    QFETCH(bool, good);
    CompiledUnit early;
    int calls = 0;
    CompileOptions options;
    options.diagnosed = [&](const std::vector<Diagnostic>& diagnostics, bool ok) {
        early.diagnostics = diagnostics;
        early.ok = ok;
        ++calls;
    };
    const auto looked = compiler->compile(source.toStdString(), options);
    const auto plain = compiler->compile(source.toStdString(), {});
    QVERIFY(looked.ok() && plain.ok());
    QCOMPARE(calls, 1);
    QCOMPARE(early.ok, good);
    QCOMPARE(looked->ok, good);
    QCOMPARE(describe(*looked), describe(*plain));
    QCOMPARE(looked->ptx, plain->ptx);
    early.failedStage = plain->failedStage;
    QCOMPARE(describe(early), describe(*plain));
}

void CompilerTest::resourcesOfAKernel() {
    COMPILER_OR_SKIP(compiler);
    const auto unit = compiler->compile("template <int n> __global__ void __launch_bounds__(128) k(float* x) {\n"
                                        "    __shared__ float tile[n];\n    tile[threadIdx.x] = x[threadIdx.x];\n"
                                        "    __syncthreads();\n    x[threadIdx.x] = tile[n - 1 - threadIdx.x];\n}\n"
                                        "void run(float* x) { k<256><<<1, 128>>>(x); }\n",
                                        {});
    QVERIFY(unit.ok());
    QVERIFY2(unit->ok, describe(*unit).c_str());
    QCOMPARE(unit->kernels.size(), std::size_t(1));
    const KernelResources& k = unit->kernels[0];
    QCOMPARE(k.name, std::string("k<256>"));
    QCOMPARE(k.staticSharedBytes, 1024);
    QCOMPARE(k.maxThreads, 128);
    QCOMPARE(k.barriers, 1);
    QVERIFY(k.registers > 0 && k.registers < 64);
    QCOMPARE(k.spillStoreBytes, 0);
    QVERIFY(unit->cubin.size() > 1000);
    QCOMPARE(static_cast<unsigned char>(unit->cubin[0]), static_cast<unsigned char>(0x7f));
}

namespace {
const char* const tiled = R"(__constant__ float factor[8];
__global__ void k(const float* x, float* y, int n) {
    __shared__ float tile[256];
    tile[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x] * factor[n & 7];
    __syncthreads();
    y[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}
)";

/// The same text through a toolkit whose ptxas is another.
CompiledUnit through(const std::string& ptxas, std::string_view source) {
    Toolkit kit = Toolkit::find();
    kit.ptxas = ptxas;
    const auto compiler = Compiler::create(kit);
    return compiler.ok() ? compiler.value()->compile(source, {}).value() : CompiledUnit();
}
} // namespace

void CompilerTest::bothAssemblersTellTheSame() {
    COMPILER_OR_SKIP(compiler);
    if (Toolkit::find().ptxas.empty()) QSKIP("The toolkit has no ptxas.");
    const auto whole = compiler->compile(tiled, {});
    QVERIFY2(whole.ok() && whole->ok, describe(*whole).c_str());
    QCOMPARE(whole->assembler, std::string("ptxas"));
    const CompiledUnit linked = through("", tiled);
    QVERIFY2(linked.ok, describe(linked).c_str());
    QCOMPARE(linked.assembler, std::string("nvJitLink"));
    QCOMPARE(whole->kernels.size(), std::size_t(1));
    QCOMPARE(linked.kernels.size(), std::size_t(1));
    for (const CompiledUnit* unit : {&*whole, &linked}) {
        const KernelResources& k = unit->kernels[0];
        QVERIFY(k.registers > 0);
        QCOMPARE(k.staticSharedBytes, 1024);
        QCOMPARE(k.barriers, 1);
        // Two pointers and an int behind the 528 bytes (0x210) of sm_90's own, and eight floats.
        QCOMPARE(k.constantBytes, 528 + 20 + 32);
        QCOMPARE(k.globalLoads, 1); // that of constant memory is another instruction
        QVERIFY(!unit->cubin.empty());
    }
}

/// A plain sum over a row is unrolled, a loop that is told to stay is not.
void CompilerTest::loadsOfTheMachineCode() {
    COMPILER_OR_SKIP(compiler);
    if (Toolkit::find().ptxas.empty()) QSKIP("The toolkit has no ptxas.");
    const auto loads = [&](const char* pragma, const char* arch) {
        CompileOptions options;
        options.arch = arch;
        const auto unit = compiler->compile(
            std::string("__global__ void k(const float* x, float* y, int n) {\n    float sum = 0;\n") + pragma +
                "\n    for (int i = 0; i < n; ++i) sum += x[i * 1024 + threadIdx.x];\n    y[threadIdx.x] = sum;\n}\n",
            options);
        return unit && unit->ok && unit->kernels.size() == 1 ? unit->kernels[0].globalLoads : -1;
    };
    for (const char* arch : {"sm_80", "sm_90"}) {
        QCOMPARE(loads("#pragma unroll 1", arch), 1);
        QVERIFY(loads("", arch) > 1);
    }
}

void CompilerTest::kernelsThatLaunchKernelsAreLinked() {
    COMPILER_OR_SKIP(compiler);
    if (Toolkit::find().deviceRuntime.empty()) QSKIP("The toolkit has no libcudadevrt.a.");
    const auto unit = compiler->compile("__global__ void inner(int* x) { x[threadIdx.x] = 1; }\n"
                                        "__global__ void outer(int* x) { inner<<<1, 32>>>(x); }\n",
                                        {});
    QVERIFY2(unit.ok() && unit->ok, describe(*unit).c_str());
    QCOMPARE(unit->assembler, std::string("nvJitLink"));
    QCOMPARE(unit->kernels.size(), std::size_t(2));
}

void CompilerTest::aBrokenAssemblerIsNotBelieved() {
    COMPILER_OR_SKIP(compiler);
    for (const char* program : {"/bin/false", "/no/such/ptxas", "/dev/null"}) {
        const CompiledUnit unit = through(program, tiled);
        QVERIFY2(unit.ok, program);
        QCOMPARE(unit.assembler, std::string("nvJitLink"));
    }
}

void CompilerTest::launchBecomesTheRuntimesCalls() {
    COMPILER_OR_SKIP(compiler);
    const auto unit =
        compiler->compile("__global__ void k(int* x) { *x = 1; }\nvoid run(int* x) { k<<<1, 32>>>(x); }\n", {});
    QVERIFY(unit->ok);
    QVERIFY(unit->ptx.find("__cudaCDP2GetParameterBufferV2") != std::string::npos);
    QVERIFY(unit->ptx.find("__cudaCDP2LaunchDeviceV2") != std::string::npos);
    QVERIFY(unit->kernelPtx.find("__cudaCDP2") == std::string::npos);
    QVERIFY(unit->kernelPtx.find(".entry") != std::string::npos);
    QVERIFY(!unit->usesTensorExtension);
}

void CompilerTest::constantsOverTheLimitFailInPtxas() {
    COMPILER_OR_SKIP(compiler);
    const auto unit =
        compiler->compile("__constant__ float c[20000];\n__global__ void k(float* x) { *x = c[threadIdx.x]; }\n", {});
    QVERIFY(!unit->ok);
    QCOMPARE(unit->failedStage, std::string("ptxas"));
    QVERIFY2(firstError(*unit)->text.find("too much global constant data") != std::string::npos,
             describe(*unit).c_str());
    QVERIFY(!unit->ptx.empty());
}

void CompilerTest::sharedMemoryOverTheLimitNamesTheKernelsLine() {
    COMPILER_OR_SKIP(compiler);
    const auto unit =
        compiler->compile("\n\n__global__ void k(float* x) {\n    __shared__ float s[20480];\n"
                          "    s[threadIdx.x] = x[0];\n    __syncthreads();\n    x[1] = s[x[2] > 0 ? 1 : 2];\n}\n",
                          {});
    QCOMPARE(unit->failedStage, std::string("ptxas"));
    const Diagnostic* error = firstError(*unit);
    QVERIFY2(error->text.find("too much shared data") != std::string::npos, describe(*unit).c_str());
    QCOMPARE(error->line, 3);
}

void CompilerTest::badAssemblyIsOnTheUsersLine() {
    COMPILER_OR_SKIP(compiler);
    const auto unit = compiler->compile(
        "__global__ void k(float* x) {\n    x[0] = 1;\n    asm volatile(\"no.such.thing;\");\n}\n", {});
    QCOMPARE(unit->failedStage, std::string("ptxas"));
    QVERIFY2(firstError(*unit)->line == 3, describe(*unit).c_str());
}

void CompilerTest::hostOnlyCodeIsWarnedAbout() {
    COMPILER_OR_SKIP(compiler);
    const auto unit =
        compiler->compile("int f() {\n#ifdef __CUDA_ARCH__\n    return 1;\n#else\n    return 2;\n#endif\n}\n", {});
    QVERIFY(unit->ok);
    QCOMPARE(unit->diagnostics.size(), std::size_t(1));
    QCOMPARE(unit->diagnostics[0].severity, Severity::warning);
    QCOMPARE(unit->diagnostics[0].line, 4);
    QVERIFY(unit->diagnostics[0].text.find("__CUDA_ARCH__") != std::string::npos);
}

static const char* dispatching = R"(#include <torch/extension.h>
template <class T> __global__ void k(T* x) { x[0] = x[1] + x[2]; }
torch::Tensor forward(torch::Tensor x) {
    AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "forward", ([&] { k<scalar_t><<<1, 1>>>(x.data_ptr<scalar_t>()); }));
    return x;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
)";

void CompilerTest::dispatchTypesCanBeChosen() {
    COMPILER_OR_SKIP(compiler);
    const auto all = compiler->compile(dispatching, {});
    QVERIFY2(all->ok, describe(*all).c_str());
    QCOMPARE(all->kernels.size(), std::size_t(3));
    QVERIFY(all->usesTensorExtension);
    QVERIFY(all->ptx.find(moduleEntry) != std::string::npos);
    CompileOptions only;
    only.allDispatchTypes = false;
    only.dispatchTypes = {tensor::DType::Float32};
    const auto one = compiler->compile(dispatching, only);
    QVERIFY2(one->ok, describe(*one).c_str());
    QCOMPARE(one->kernels.size(), std::size_t(1));
    QCOMPARE(one->kernels[0].name, std::string("k<float>"));
}

void CompilerTest::fastMathChangesTheCode() {
    COMPILER_OR_SKIP(compiler);
    const char* source = "__global__ void k(float* x) { x[0] = expf(x[1]) / x[2]; }";
    const auto exact = compiler->compile(source, {});
    CompileOptions fast;
    fast.fastMath = true;
    const auto quick = compiler->compile(source, fast);
    QVERIFY(exact->ptx.find("div.rn.f32") != std::string::npos);
    QVERIFY(quick->ptx.find("div.approx.ftz.f32") != std::string::npos);
}

void CompilerTest::settingsOfAKernel() {
    COMPILER_OR_SKIP(compiler);
    QTemporaryDir folder;
    QFile header(folder.filePath("half_sum.h"));
    QVERIFY(header.open(QIODevice::WriteOnly));
    header.write("#include <cuda_fp16.h>\nstatic __device__ half half_sum(half a, half b) { return a + b; }\n");
    header.close();
    const std::string source = "#include \"half_sum.h\"\n"
                               "__global__ void k(half* x, float* y) {\n"
                               "    float v[40];\n"
                               "    for (int i = 0; i < 40; ++i) v[i] = y[i * 32 + threadIdx.x];\n"
                               "    for (int i = 0; i < 40; ++i) y[(i * 7 % 40) * 32 + threadIdx.x] = SCALE * v[i];\n"
                               "    x[0] = half_sum(x[0], x[1]);\n}\n";
    const auto compiled = [&](const std::string& line) {
        CompileOptions options;
        auto settings = kernelarium::text::settingsFromLine(line);
        options.settings = std::move(*settings);
        auto unit = compiler->compile(source, options);
        return unit ? std::move(*unit) : CompiledUnit();
    };
    const std::string inside = "-I\"" + folder.path().toStdString() + "\"";
    CompiledUnit unit = compiled("-DSCALE=2 -U__CUDA_NO_HALF_OPERATORS__");
    QVERIFY(!unit.ok && firstError(unit)->text.find("half_sum.h") != std::string::npos);
    unit = compiled(inside + " -DSCALE=2");
    QVERIFY(!unit.ok);
    QCOMPARE(firstError(unit)->file, std::string("half_sum.h"));
    QCOMPARE(firstError(unit)->line, 2);
    const CompiledUnit free = compiled(inside + " -DSCALE=2 -U__CUDA_NO_HALF_OPERATORS__");
    QVERIFY2(free.ok, describe(free).c_str());
    const CompiledUnit capped = compiled(inside + " -DSCALE=2 -U__CUDA_NO_HALF_OPERATORS__ --max-registers=24");
    QVERIFY2(capped.ok, describe(capped).c_str());
    QVERIFY(free.kernels.at(0).registers > 24);
    QVERIFY(capped.kernels.at(0).registers <= 24);
    QCOMPARE(capped.settings.maxRegisters, 24);
}

void CompilerTest::notATextIsRefused_data() {
    QTest::addColumn<QByteArray>("source");
    QTest::newRow("null byte") << QByteArray("int x;\0int y;", 13);
    QTest::newRow("byte order mark of UTF-16") << QByteArray("\xff\xfei");
    QTest::newRow("binary") << QByteArray("\x7f"
                                          "ELF\x02\x01\0\0\0\0",
                                          10);
}

void CompilerTest::notATextIsRefused() {
    COMPILER_OR_SKIP(compiler);
    QFETCH(QByteArray, source);
    const auto unit = compiler->compile(std::string_view(source.data(), std::size_t(source.size())), {});
    QVERIFY(!unit.ok());
    QCOMPARE(unit.error().code, std::string("bad_input"));
}

void CompilerTest::brokenTextsEndInDiagnostics_data() {
    QTest::addColumn<QByteArray>("source");
    QTest::newRow("unbalanced quote") << QByteArray("const char* a = \"open;\nint x;\n");
    QTest::newRow("unbalanced brace") << QByteArray("void f() { if (1) {\n");
    QTest::newRow("open comment") << QByteArray("int x; /* never closed");
    QTest::newRow("open raw string") << QByteArray("const char* a = R\"(never closed");
    QTest::newRow("high bytes") << QByteArray("\x80\x81 garbage \xc3\x28");
    QTest::newRow("missing header") << QByteArray("#include <no/such/header.h>\n");
    QTest::newRow("endless template") << QByteArray("template <int n> struct A { A<n + 1> next; };\nA<0> a;\n");
}

void CompilerTest::brokenTextsEndInDiagnostics() {
    COMPILER_OR_SKIP(compiler);
    QFETCH(QByteArray, source);
    const auto unit = compiler->compile(std::string_view(source.data(), std::size_t(source.size())), {});
    QVERIFY(unit.ok());
    QVERIFY(!unit->ok);
    QVERIFY(firstError(*unit));
    QVERIFY(compiler->compile("__global__ void k() {}", {})->ok);
}

void CompilerTest::fiveMegabytes() {
    COMPILER_OR_SKIP(compiler);
    std::string source = "__global__ void k(float* x) { x[0] = 1; }\n";
    while (source.size() < 5u << 20)
        source += "// a comment line that only takes room, try { throw 1; } catch (...) {}\n";
    const auto unit = compiler->compile(source, {});
    QVERIFY(unit.ok());
    QVERIFY2(unit->ok, describe(*unit).c_str());
    QCOMPARE(unit->kernels.size(), std::size_t(1));
}

void CompilerTest::emptySourceCompiles() {
    COMPILER_OR_SKIP(compiler);
    const auto unit = compiler->compile("", {});
    QVERIFY(unit.ok());
    QVERIFY(unit->ok);
    QVERIFY(unit->kernels.empty());
    QVERIFY(!unit->usesTensorExtension);
}

void CompilerTest::cancelled() {
    COMPILER_OR_SKIP(compiler);
    std::stop_source stop;
    stop.request_stop();
    CompileOptions options;
    options.stop = stop.get_token();
    const auto unit = compiler->compile("__global__ void k() {}", options);
    QVERIFY(!unit.ok());
    QCOMPARE(unit.error().code, std::string("cancelled"));
}

void CompilerTest::unknownArchitecture() {
    COMPILER_OR_SKIP(compiler);
    for (const char* arch : {"compute_90", "sm_", "sm_9x", "--version", "sm_90 -I/"}) {
        CompileOptions options;
        options.arch = arch;
        const auto unit = compiler->compile("", options);
        QVERIFY(!unit.ok());
        QCOMPARE(unit.error().code, std::string("bad_input"));
    }
    CompileOptions old;
    old.arch = "sm_10";
    const auto unit = compiler->compile("__global__ void k() {}", old);
    QVERIFY(unit.ok() && !unit->ok && firstError(*unit));
}

KERNELARIUM_TEST(CompilerTest);
