// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/HostGroups.h"
#include "tests/TestRegistry.h"
#include "tests/compile/CompilerFixture.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

using namespace kernelarium::compile;

/// Host code of headers that is kept from NVRTC, and headers of CUTLASS that lie outside its include folder.
class HostGroupsTest : public QObject {
    Q_OBJECT
private slots:
    void groups_data();
    void groups();
    void whatGroupsDeclareIsFollowed();
    void guardedHostCodeCompiles();
    void standInsOfCutlass();
};

namespace {

const std::string guarded = "#if !defined(__CUDACC_RTC__)\n";

bool isStream(std::string_view name) {
    return name == "iostream";
}

/// Whether the text's only guard is gone. Its length never changes.
bool isThrough(const std::string& text) {
    std::map<std::string, std::string> texts{{"a.h", text}};
    letHostGroupsThrough(texts, &isStream);
    if (texts.at("a.h").size() != text.size()) qFatal("columns have moved");
    return texts.at("a.h") != text;
}

/// A folder of headers, and the compiler's settings with it.
struct Headers {
    QTemporaryDir folder;

    void write(const char* name, const std::string& text) {
        QVERIFY(QDir(folder.path()).mkpath(QFileInfo(folder.filePath(name)).path()));
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.data(), qint64(text.size()));
    }
    kernelarium::Result<CompiledUnit> compile(Compiler& compiler, const std::string& source) const {
        CompileOptions options;
        options.settings.folders = {folder.path().toStdString()};
        return compiler.compile(source, options);
    }
};

} // namespace

void HostGroupsTest::groups_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("through");
    const auto add = [](const char* name, const std::string& text, bool through) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << through;
    };
    const std::string call = "void f(cudaStream_t s) { g(s); }\n";
    add("the runtime's type", guarded + call + "#endif\n", true);
    add("the driver's type", guarded + "using Map = CUtensorMap;\n#else\nstruct Map {};\n#endif\n", true);
    add("the driver's function", guarded + "auto x = cuTensorMapEncodeTiled(0);\n#endif\n", true);
    add("a stream of text", guarded + "std::ostream& operator<<(std::ostream&, int);\n#endif\n", true);
    add("#ifndef", "#ifndef __CUDACC_RTC__\n" + call + "#endif\n", true);
    add("one condition of two", "#if (A >= 12) && ! defined( __CUDACC_RTC__)\n" + call + "#endif\n", true);
    add("on two lines", "#if (A >= 12) \\\n    && !defined(__CUDACC_RTC__)\n" + call + "#endif\n", true);
    add("within another condition", guarded + "#if A\nint x;\n#else\n" + call + "#endif\n#endif\n", true);
    add("only in the other branch", guarded + "int x;\n#else\n" + call + "#endif\n", false);
    add("for NVRTC", "#if defined(__CUDACC_RTC__)\n" + call + "#endif\n", false);
    add("of the C++ library", guarded + "using std::min;\n#endif\n", false);
    add("CUTLASS's own names", guarded + "CUTLASS_HOST int x; cute::C<1> y; cuda::std::tuple<> z;\n#endif\n", false);
    add("in a comment", guarded + "int x; // of a cudaStream_t\n#endif\n", false);
    add("a known header", guarded + "#include <iostream>\n#endif\n", true);
    add("an unknown header", guarded + "#include \"sm100.hpp\"\n#endif\n", false);
    add("without end", guarded + call, false);
    add("an end in a comment", guarded + "int x;\n/*\n#endif\n*/\n" + call + "#endif\n", true);
    add("an end in a raw string", guarded + "auto x = R\"(\n#endif\n)\";\n" + call + "#endif\n", true);
    add("itself in a comment", "/*\n" + guarded + call + "#endif\n*/\n", false);
    add("behind a comment", "#if A // !defined(__CUDACC_RTC__)\n" + call + "#endif\n", false);
    add("lines that end as on Windows", "#if A && \\\r\n    !defined(__CUDACC_RTC__)\r\n" + call + "#endif\r\n", true);
    add("a condition of a longer name", "#ifndef __CUDACC_RTC__X\n" + call + "#endif\n", false);
    add("a condition of another name", "#ifndef A__CUDACC_RTC__\n" + call + "#endif\n", false);
}

void HostGroupsTest::groups() {
    QFETCH(QByteArray, text);
    QFETCH(bool, through);
    QCOMPARE(isThrough(text.toStdString()), through);
}

void HostGroupsTest::whatGroupsDeclareIsFollowed() {
    const std::string sizes = guarded + "int count() { return processors(); }\n#endif\n";
    const std::string used = "int n() {\n" + guarded + "return count();\n#endif\nreturn 0; }\n";
    const std::string own = guarded + "int other() { return elsewhere(); }\n#endif\nint elsewhere();\n";
    std::map<std::string, std::string> texts{
        {"a.h", used},
        {"b.h", sizes},
        {"c.h", guarded + "#include \"launch.h\"\n#endif\nint m = processors();\n" + guarded +
                    "int processors() { int n; cudaGetDevice(&n); return n; }\nint elsewhere();\n#endif\n"},
        {"d.h", own},
        {"e.h", guarded + "#define CHECK(call) if (call != cudaSuccess) fail(#call)\n#endif\n"},
        {"f.h", guarded + "void g() { CHECK(0); }\n#endif\n"}};
    const auto before = texts;
    letHostGroupsThrough(texts, &isStream);
    QVERIFY(texts.at("a.h") != before.at("a.h"));
    QVERIFY(texts.at("b.h") != before.at("b.h"));
    QCOMPARE(texts.at("c.h").find("__CUDACC_RTC__"), std::string::npos); // the #include of its file, too
    QCOMPARE(texts.at("d.h"), before.at("d.h"));                         // what it uses is declared for all
    QVERIFY(texts.at("f.h") != before.at("f.h"));                        // a macro
}

/// As CUTLASS has it: the map's type and the call of the driver are for hosts, and so is what prints when that fails.
void HostGroupsTest::guardedHostCodeCompiles() {
    COMPILER_OR_SKIP(compiler);
    Headers headers;
    headers.write("maps/describe.h",
                  "#pragma once\n" + guarded + "#include <cuda.h>\n#include <iostream>\n#endif\n" + guarded +
                      "using Map = CUtensorMap;\n#else\nstruct Map { char bytes[128]; int none[0]; };\n#endif\n"
                      "template <class T> Map describe(T* data, unsigned long* extents) {\n    Map map{};\n" +
                      guarded +
                      "    unsigned box[2] = {8, 8}, steps[2] = {1, 1};\n"
                      "    void* found = nullptr;\n    cudaDriverEntryPointQueryResult status;\n"
                      "    cudaGetDriverEntryPointByVersion(\"cuTensorMapEncodeTiled\", &found, 12000,\n"
                      "                                     cudaEnableDefault, &status);\n"
                      "    CUresult result = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(found)(\n"
                      "        &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, data, extents, extents + 1, box, steps,\n"
                      "        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,\n"
                      "        CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);\n"
                      "    if (result != CUDA_SUCCESS) std::cerr << \"no map: \" << result << std::endl;\n#endif\n"
                      "    return map;\n}\n");
    const auto unit = headers.compile(*compiler, "#include <torch/extension.h>\n#include \"maps/describe.h\"\n"
                                                 "static_assert(sizeof(Map::opaque) == 128);\n"
                                                 "void forward(torch::Tensor x) {\n"
                                                 "    unsigned long extents[4] = {64, 64, 256, 0};\n"
                                                 "    describe(x.data_ptr<float>(), extents);\n}\n"
                                                 "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", "
                                                 "&forward); }\n");
    QVERIFY2(unit && unit->ok, unit ? describe(*unit).c_str() : unit.error().text().c_str());
    QVERIFY(unit->ptx.find("cuTensorMapEncodeTiled") != std::string::npos);
}

void HostGroupsTest::standInsOfCutlass() {
    COMPILER_OR_SKIP(compiler);
    Headers headers;
    headers.write("cutlass/cutlass.h", "#pragma once\n");
    headers.write("tiles.h", "#include \"cutlass/util/device_memory.h\"\n#include <cutlass/util/print_error.hpp>\n"
                             "inline void scratch(size_t n) {\n"
                             "    cutlass::device_memory::allocation<char> a(n), b;\n"
                             "    b = cutlass::device_memory::allocation<char>(2 * n);\n"
                             "    a.reset(a.size() + b.bytes());\n    cudaMemset(a.get(), 0, a.bytes());\n}\n");
    const std::string source = "#include \"tiles.h\"\n#include <torch/extension.h>\n"
                               "void forward(int n) { scratch(n); }\n"
                               "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward); }\n";
    auto unit = headers.compile(*compiler, source);
    QVERIFY2(unit && unit->ok, unit ? describe(*unit).c_str() : unit.error().text().c_str());
    // The user's own file goes before what stands for it.
    headers.write("cutlass/util/device_memory.h", "#error \"the user's own\"\n");
    unit = headers.compile(*compiler, source);
    QVERIFY(unit && !unit->ok);
    QVERIFY2(describe(*unit).find("the user's own") != std::string::npos, describe(*unit).c_str());
    // What there is no stand-in of is named.
    headers.write("tiles.h", "#include \"cutlass/util/host_tensor.h\"\n");
    unit = headers.compile(*compiler, source);
    QVERIFY(unit && !unit->ok);
    QVERIFY2(describe(*unit).find("cutlass/util/host_tensor.h") != std::string::npos, describe(*unit).c_str());
}

namespace {
KERNELARIUM_TEST(HostGroupsTest);
}
#include "HostGroupsTest.moc"
