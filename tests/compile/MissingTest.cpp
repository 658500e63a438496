// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/compile/MissingTest.h"

#include "tests/TestRegistry.h"
#include "tests/compile/CompilerFixture.h"

#include "core/verify/Verifier.h"

using namespace kernelarium;

static std::string hostProgram(const QString& includes, const QString& body) {
    return includes.toStdString() + "\nint host(int n) {\n" + body.toStdString() + "\nreturn n;\n}\n";
}

void MissingTest::whatIsMissingIsNamed_data() {
    QTest::addColumn<QString>("includes");
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("name");
    QTest::newRow("a class of the standard library") << "#include <regex>"
                                                     << "std::regex pattern(\"a+\");"
                                                     << "std::regex";
    QTest::newRow("a namespace of it") << "#include <filesystem>"
                                       << "namespace fs = std::filesystem;"
                                       << "std::filesystem";
    QTest::newRow("a member of a class") << "#include <memory>\n#include <torch/extension.h>"
                                         << "std::shared_ptr<int> p; n += p.use_count();"
                                         << "use_count";
    QTest::newRow("a function of POSIX") << "#include <sys/mman.h>"
                                         << "n += mmap(0, 0, 0, 0, 0, 0) != nullptr;"
                                         << "mmap";
    QTest::newRow("intrinsics") << "#include <immintrin.h>"
                                << "__m128 v = _mm_set1_ps(1.f);"
                                << "_mm_set1_ps";
    QTest::newRow("the CUDA runtime") << "#include <cuda_runtime.h>"
                                      << "cudaGraphicsUnregisterResource(nullptr);"
                                      << "cudaGraphicsUnregisterResource";
    QTest::newRow("thrust") << "#include <thrust/sort.h>\n#include <thrust/device_ptr.h>"
                            << "thrust::device_ptr<int> p(nullptr); thrust::sort(p, p + n);"
                            << "thrust";
    QTest::newRow("a module of PyTorch") << "#include <torch/extension.h>"
                                         << "torch::nn::Sequential s(torch::nn::Linear(2, 2));"
                                         << "torch::nn::Sequential";
    QTest::newRow("a base class of PyTorch") << "#include <torch/extension.h>\nstruct Net : torch::nn::Module {};"
                                             << ""
                                             << "torch::nn::Module";
    QTest::newRow("a class of pybind11") << "#include <torch/extension.h>"
                                         << "py::array_t<float> a;"
                                         << "pybind11::array_t";
    QTest::newRow("CPython") << "#include <torch/extension.h>"
                             << "n += PyList_Size(PyList_New(0));"
                             << "PyList_New";
    QTest::newRow("typeid") << "#include <typeinfo>"
                            << "n += typeid(int).name()[0];"
                            << "typeid";
    QTest::newRow("static objects in one declaration")
        << "struct Counted { Counted() { ++count(); } static int& count() { static int c = 0; return c; } };\n"
           "static Counted one, two;"
        << ""
        << "static storage";
}

void MissingTest::whatIsMissingIsNamed() {
    COMPILER_OR_SKIP(compiler);
    QFETCH(QString, includes);
    QFETCH(QString, body);
    QFETCH(QString, name);
    const auto unit = compiler->compile(hostProgram(includes, body), {});
    QVERIFY(unit.ok());
    QVERIFY2(unit->failedStage == "unsupported", describe(*unit).c_str());
    const QString said = QString::fromStdString(unit->diagnostics.at(0).text);
    QVERIFY2(said.startsWith("not supported here: ") && said.contains(name), qPrintable(said));
    const verify::Verdict verdict = verify::compileErrorVerdict(unit->failedStage, said.toStdString());
    QVERIFY(verdict.kind == verify::VerdictKind::unsupported);
    QVERIFY(verdict.message.find(name.toStdString()) != std::string::npos);
}

void MissingTest::errorsOfTheAuthorStay_data() {
    QTest::addColumn<QString>("includes");
    QTest::addColumn<QString>("body");
    QTest::newRow("no such name") << ""
                                  << "n += undefined_thing;";
    QTest::newRow("misspelt in std") << "#include <vector>"
                                     << "std::vectr<int> v;";
    QTest::newRow("misspelt member") << "#include <vector>"
                                     << "std::vector<int> v; v.pushback(1);";
    QTest::newRow("misspelt call of CUDA") << ""
                                           << "cudaMalocc(nullptr, 4);";
    QTest::newRow("misspelt header") << "#include <torch/extnsion.h>"
                                     << "";
    QTest::newRow("misspelt header of pybind11") << "#include <pybind11/numppy.h>"
                                                 << "";
    QTest::newRow("header of nobody") << "#include <no/such/header.h>"
                                      << "";
    QTest::newRow("a header left out") << "#include <torch/extension.h>"
                                       << "at::cuda::CUDAStreamGuard* g = nullptr;";
    QTest::newRow("syntax") << ""
                            << "n += ;";
    QTest::newRow("type") << "#include <torch/extension.h>"
                          << "torch::Tensor t = \"text\";";
}

void MissingTest::errorsOfTheAuthorStay() {
    COMPILER_OR_SKIP(compiler);
    QFETCH(QString, includes);
    QFETCH(QString, body);
    const auto unit = compiler->compile(hostProgram(includes, body), {});
    QVERIFY(unit.ok());
    QVERIFY2(unit->failedStage == "nvrtc", describe(*unit).c_str());
}

void MissingTest::headersAreFound_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"ATen/native/cuda/Loops.cuh",
                             "ATen/ops/empty.h",
                             "ATen/cuda/CUDAGraph.h",
                             "c10/util/SmallVector.h",
                             "c10/core/MemoryFormat.h",
                             "torch/csrc/autograd/variable.h",
                             "torch/nn/modules/conv.h",
                             "torch/cuda.h",
                             "pybind11/complex.h",
                             "pybind11/detail/common.h",
                             "THC/THC.h",
                             "bit",
                             "fstream",
                             "signal.h",
                             "sys/types.h",
                             "omp.h",
                             "xmmintrin.h",
                             "bits/stdc++.h",
                             "cusparse.h",
                             "nvtx3/nvToolsExt.h",
                             "thrust/pair.h"})
        QTest::newRow(name) << name;
}

void MissingTest::headersAreFound() {
    COMPILER_OR_SKIP(compiler);
    QFETCH(QString, name);
    const auto unit = compiler->compile(hostProgram("#include <torch/extension.h>\n#include <" + name + ">", ""), {});
    QVERIFY(unit.ok());
    QVERIFY2(unit->ok, describe(*unit).c_str());
}

void MissingTest::rareNamesAreThere_data() {
    QTest::addColumn<QString>("includes");
    QTest::addColumn<QString>("body");
    QTest::newRow("complex") << "#include <complex>"
                             << "std::complex<float> a(1, 2); n += int((a * std::conj(a)).real());";
    QTest::newRow("numeric") << "#include <numeric>\n#include <vector>"
                             << "std::vector<int> v{1, 2}; n += std::reduce(v.begin(), v.end()) + std::midpoint(2, 4);";
    QTest::newRow("algorithm")
        << "#include <algorithm>\n#include <vector>"
        << "std::vector<int> v{3, 1, 2}; std::rotate(v.begin(), v.begin() + 1, v.end()); "
           "std::nth_element(v.begin(), v.begin() + 1, v.end()); n += *std::minmax_element(v.begin(), v.end()).first;";
    QTest::newRow("span and bit") << "#include <span>\n#include <bit>"
                                  << "int a[3]{1, 2, 3}; std::span<int> s(a); n += s.size() + std::bit_ceil(5u);";
    QTest::newRow("promise") << "#include <future>"
                             << "std::promise<int> p; auto f = p.get_future(); p.set_value(4); n += f.get();";
    QTest::newRow("charconv") << "#include <charconv>"
                              << "std::from_chars(\"12\", \"12\" + 2, n);";
    QTest::newRow("a pointer to the base") << "#include <memory>\nstruct A { virtual ~A() {} }; struct B : A {};"
                                           << "std::unique_ptr<A> p = std::make_unique<B>(); n += p ? 1 : 0;";
    QTest::newRow("views in constants")
        << "#include <string_view>\nconstexpr std::string_view names[] = {\"relu\", \"gelu\"};"
        << "n += names[1] == \"gelu\";";
    QTest::newRow("designated initialisers") << "struct S { int a, b; };"
                                             << "S s{.a = 1, .b = 2}; n += s.b;";
    QTest::newRow("classes in a module")
        << "#include <torch/extension.h>\nstruct S { int a = 1; int get() const { return a; } }; enum class E { one };\n"
           "std::complex<float> odd(std::complex<float> z) { return z; }\n"
           "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {\n"
           "    py::class_<S, std::shared_ptr<S>>(m, \"S\").def(py::init<>()).def(\"get\", &S::get, \"doc\")\n"
           "        .def_readwrite(\"a\", &S::a).def(py::self == py::self);\n"
           "    py::enum_<E>(m, \"E\").value(\"one\", E::one).export_values();\n"
           "    m.attr(\"version\") = \"1\";\n    m.def(\"odd\", &odd);\n}"
        << "";
    QTest::newRow("members of attention")
        << "#include <torch/extension.h>"
        << "torch::nn::MultiheadAttention a(torch::nn::MultiheadAttentionOptions(8, 2)); torch::nn::Linear none{nullptr};"
           "n += a->in_proj_weight.size(0) + a->in_proj_bias.size(0) + a->out_proj->weight.size(0);";
    QTest::newRow("128 bits") << ""
                              << "__int128 wide = n; wide <<= 70; n += int(wide >> 70);";
}

void MissingTest::rareNamesAreThere() {
    COMPILER_OR_SKIP(compiler);
    QFETCH(QString, includes);
    QFETCH(QString, body);
    const auto unit = compiler->compile(hostProgram(includes, body), {});
    QVERIFY(unit.ok());
    QVERIFY2(unit->ok, describe(*unit).c_str());
}

KERNELARIUM_TEST(MissingTest);
