// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/emit/Dispatch.h"

#include "tests/TestRegistry.h"

#include <QDirIterator>
#include <QtTest>

namespace kernelarium::test {

using tuning::DispatchShape;
using tuning::DispatchVersion;

namespace {

const char* const plainModule = "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward, \"doc\"); }\n";

std::vector<DispatchShape> twoShapes() {
    return {{"N=1", 0, {{4, 8}}}, {"N=2", 1, {{4, 16}}}};
}

/// Two versions of a file, with T as 1 and as 2.
Result<std::string> merged(const std::string& text, const std::vector<DispatchShape>& shapes = twoShapes()) {
    const auto at = [&](const char* value) {
        std::string made = text;
        for (std::size_t found = made.find("$T"); found != std::string::npos; found = made.find("$T"))
            made.replace(found, 2, value);
        return made;
    };
    return tuning::dispatchingText({{at("1"), "T=1"}, {at("2"), "T=2"}}, shapes);
}

std::string plain(const std::string& before, const std::string& module = plainModule,
                  const std::string& head = "torch::Tensor forward(torch::Tensor x)") {
    return "#include <torch/extension.h>\n" + before + "\n" + head + " { return x + T; }\n" + module;
}

} // namespace

class TestDispatch : public QObject {
    Q_OBJECT

private slots:
    void putsVersionsBesideEachOther();
    void oneVersionStaysAsItIs();
    void otherShapes();
    void usingsServeTheSignature();
    void refuses_data();
    void refuses();
    void shapesHaveToDiffer();
    void starterKernelsGoTogether();
    void brokenTexts();
};

void TestDispatch::putsVersionsBesideEachOther() {
    const Result<std::string> made =
        merged("#define BEFORE 7\n#define T $T // tune: 1, 2\n#include <torch/extension.h>\n"
               "#include \"cuda.h\" // remark\n#define LATER(x) (x + \\\n  $T)\n"
               "__device__ int max(int a) { return a; } /* tune\n T: 1, 2 */\n"
               "extern \"C\" __global__ void k() {}\n"
               "extern \"C\" int elsewhere();\n"
               "static inline torch::Tensor forward(const torch::Tensor& x,\n"
               "    double y = 1.0) { return x; }\n" +
               std::string(plainModule));
    QVERIFY2(made.ok(), made ? "" : made.error().message.c_str());
    const QByteArray text = QByteArray::fromStdString(*made);
    for (const char* once :
         {"#define BEFORE 7\n", "#include <torch/extension.h>\n", "PYBIND11_MODULE", "#define T 1\n", "#define T 2\n",
          "namespace tuned_1 {", "namespace tuned_2 {", "  1)\n", "  2)\n", "case 2: return tuned_2::forward(x, y);",
          "default: return tuned_1::forward(x, y);", "{8}, // N=1\n        {16}, // N=2",
          "torch::Tensor forward(const torch::Tensor& x, double y = 1.0) {\n    const"})
        QVERIFY2(text.count(once) == 1, text + "\nfor: " + once);
    for (const char* twice : {"#undef T\n", "#undef LATER\n", "using ::max;", "\n __global__ void k() {}",
                              "extern \"C\" int elsewhere();", "inline torch::Tensor forward("})
        QVERIFY2(text.count(twice) == 2, text + "\nfor: " + twice);
    QVERIFY2(!text.contains("#undef BEFORE") && !text.contains("tune:") && !text.contains("tune\n"), text);
    QVERIFY(text.indexOf("#define BEFORE") < text.indexOf("#include <torch"));
    QVERIFY(text.indexOf("#include \"cuda.h\"") < text.indexOf("namespace tuned_1"));
}

void TestDispatch::oneVersionStaysAsItIs() {
    QCOMPARE(*tuning::dispatchingText({{"anything", "T=1"}}, twoShapes()), std::string("anything"));
}

void TestDispatch::otherShapes() {
    const std::vector<DispatchVersion> versions{{plain("constexpr int T = 1;"), "T=1", "x.size(1) % 8 == 0"},
                                                {plain("constexpr int T = 2;"), "T=2"}};
    // Every extent is looked at: another first one is another shape.
    const std::vector<DispatchShape> one{{"N=1", 0, {{4, 8}}}};
    const Result<std::string> made = tuning::dispatchingText(versions, one, {}, {1, false});
    QVERIFY2(made.ok(), made ? "" : made.error().message.c_str());
    const QByteArray text = QByteArray::fromStdString(*made);
    for (const char* there :
         {"{4, 8}, // N=1", "int tuned_chosen = 2;", "if (distance == 1 && (", "x.size(1) % 8 == 0,", "        true,",
          "if (!tuned_takes[", "T=2  for all others", "go to tuned_2."})
        QVERIFY2(text.contains(there), text + "\nfor: " + there);
    // Also where two extents are the same in all that are known.
    const std::vector<DispatchShape> squares{{"N=1", 0, {{8, 8}}}, {"N=2", 0, {{16, 16}}}};
    const Result<std::string> square = tuning::dispatchingText(versions, squares, {}, {1, false});
    QVERIFY(square.ok());
    QVERIFY2(square->find("{8, 8}, // N=1\n        {16, 16}, // N=2") != std::string::npos, square->c_str());
    const Result<std::string> nearest = tuning::dispatchingText(versions, one, {}, {1, true});
    QVERIFY(nearest.ok() && nearest->find("distance == 1") == std::string::npos);
}

void TestDispatch::usingsServeTheSignature() {
    const Result<std::string> made = merged(
        plain("constexpr int T = $T;\nusing torch::Tensor;\nnamespace py = pybind11;\nusing Mine = Tensor;\n"
              "using Deep = float[T];",
              "PYBIND11_MODULE(n, m) { m.def(\"forward\", &forward, py::arg(\"x\")); }", "Mine forward(Tensor x)"));
    QVERIFY2(made.ok(), made ? "" : made.error().message.c_str());
    const std::size_t behind = made->rfind("// namespace tuned_2");
    for (const char* there : {"using torch::Tensor;", "namespace py=pybind11;", "using Mine=Tensor;"})
        QVERIFY2(made->find(there, behind) != std::string::npos, made->c_str());
    QVERIFY(made->find("Deep", behind) == std::string::npos);
}

void TestDispatch::refuses_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& text, const char* says) {
        QTest::newRow(name) << QString::fromStdString(text) << says;
    };
    const std::string t = "constexpr int T = $T;\n";
    row("no module", plain(t, ""), "not one PYBIND11_MODULE");
    row("conditional module", plain(t, "#ifdef A\n" + std::string(plainModule) + "#endif\n"), "a module in a form");
    row("lambda", plain(t, "PYBIND11_MODULE(n, m) { m.def(\"forward\", [](int x) { return x; }); }"),
        "does not define one plain function");
    row("two functions", plain(t, "PYBIND11_MODULE(n, m) { m.def(\"forward\", &forward); m.def(\"b\", &b); }"),
        "does not define one plain function");
    row("overloads", plain(t + "int forward(int x) { return x; }"), "several definitions of `forward`");
    row("not there", plain(t, "PYBIND11_MODULE(n, m) { m.def(\"forward\", &other); }"), "no definitions of `other`");
    row("template", plain(t, plainModule, "template <class A> torch::Tensor forward(A x)"), "`forward` is a template");
    row("unnamed", plain(t, plainModule, "torch::Tensor forward(torch::Tensor)"), "without a plain name");
    row("unnamed number", plain(t, plainModule, "torch::Tensor forward(torch::Tensor x, const int)"),
        "without a plain name");
    row("rvalue", plain(t, plainModule, "torch::Tensor forward(torch::Tensor&& x)"), "takes an rvalue");
    row("own type", plain(t + "struct Mine {};", plainModule, "torch::Tensor forward(torch::Tensor x, Mine y)"),
        "uses `Mine`, which the file declares");
    row("own default", plain(t, plainModule, "torch::Tensor forward(torch::Tensor x, int y = T)"),
        "uses `T`, which the file declares");
    row("own name in the module",
        plain(t, "PYBIND11_MODULE(n, m) { m.def(\"forward\", &forward); m.attr(\"T\") = T; }"),
        "uses `T`, which the file declares");
    row("different signatures", plain(t, plainModule, "torch::Tensor forward(torch::Tensor x, int y = $T)"),
        "different signatures");
    row("block of C", plain(t + "extern \"C\" {\n__global__ void k() {}\n}"), "line 3: a block of extern \"C\"");
    row("foreign namespace", plain(t + "namespace std {\ntemplate <> struct hash<A> {};\n}"),
        "line 3: an addition to namespace std");
    row("global name", plain(t + "int f();\nint g() { return ::f(); }"), "line 4: ::f, a global name of the file");
    row("operators", plain(t + "TORCH_LIBRARY(a, m) {}"), "line 3: TORCH_LIBRARY");
    row("main", plain(t + "int main() { return 0; }"), "a main function");
    row("open #if", plain(t) + "#if 1\n", "an #if without #endif");
    row("conditional include", plain(t + "#if A\n#include <a>\n#endif"), "line 4: an #include that depends on #if");
    row("names of ours", plain(t + "int tuned_1 = 3;"), "names that begin with tuned_");
}

void TestDispatch::refuses() {
    QFETCH(const QString, text);
    QFETCH(const QString, says);
    const Result<std::string> made = merged(text.toStdString());
    QVERIFY2(!made, made ? made->c_str() : "");
    QCOMPARE(made.error().code, std::string("not_mergeable"));
    QVERIFY2(made.error().message.find(says.toStdString()) != std::string::npos, made.error().message.c_str());
}

void TestDispatch::shapesHaveToDiffer() {
    const std::string text = plain("constexpr int T = $T;");
    QVERIFY(merged(text).ok());
    const Result<std::string> same = merged(text, {{"A", 0, {{4, 8}}}, {"B", 1, {{4, 8}}}});
    QVERIFY(!same && same.error().message.find("A and B cannot be told apart") != std::string::npos);
    QVERIFY(merged(text, {{"A", 0, {{4, 8}}}, {"B", 1, {{4, 16}}}, {"C", 1, {{4, 16}}}}).ok());
    const Result<std::string> rank = merged(text, {{"A", 0, {{4, 8}}}, {"B", 1, {{4}}}});
    QVERIFY(!rank && rank.error().message.find("another rank at B") != std::string::npos);
    QVERIFY(
        !merged(plain("constexpr int T = $T;", plainModule, "torch::Tensor forward(std::vector<torch::Tensor> x)")));
}

void TestDispatch::starterKernelsGoTogether() {
    int kernels = 0;
    for (QDirIterator it(QStringLiteral(KERNELARIUM_SOURCE_DIR "/archive_data/kernels"), {QStringLiteral("*.cu")},
                         QDir::Files, QDirIterator::Subdirectories);
         it.hasNext(); ++kernels) {
        QFile file(it.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::vector<std::vector<std::int64_t>> small(12, {4, 8, 8, 8, 8}), large(12, {4, 16, 8, 8, 8});
        const Result<std::string> made = merged(file.readAll().toStdString(), {{"A", 0, small}, {"B", 1, large}});
        QVERIFY2(made.ok(), made ? "" : qPrintable(file.fileName() + QString::fromStdString(made.error().message)));
    }
    QVERIFY(kernels > 50);
}

void TestDispatch::brokenTexts() {
    const std::string text = plain("#define T $T\nusing namespace torch;\nextern \"C\" int f() { return ::g(); }");
    QVERIFY(merged(text).ok());
    for (std::size_t length = 0; length < text.size(); ++length) {
        (void)merged(text.substr(0, length));
        (void)merged(text.substr(length));
        std::string without = text;
        (void)merged(without.erase(length, 1));
    }
}

} // namespace kernelarium::test

using kernelarium::test::TestDispatch;
KERNELARIUM_TEST(TestDispatch);
#include "TestDispatch.moc"
