// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/Compiler.h"
#include "gpu/host/run/EmulatorRunner.h"
#include "gpu/protocol/RunMessages.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace kernelarium::test {

namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// "// prints: text" gives text, for each line of that word.
std::vector<std::string> marks(const std::string& source, const std::string& word) {
    std::vector<std::string> found;
    std::istringstream lines(source);
    const std::string start = "// " + word + ": ";
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(start)) found.push_back(line.substr(start.size()));
    return found;
}

std::string mark(const std::string& source, const std::string& word, const std::string& otherwise) {
    const std::vector<std::string> found = marks(source, word);
    return found.empty() ? otherwise : found.front();
}

} // namespace

/// Programs with a main of their own: ours say in their first lines what becomes of them.
class TestPrograms : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<compile::Compiler> m_compiler;

    static fs::path folder() { return fs::path(KERNELARIUM_SOURCE_DIR) / "tests/host/programs"; }
    static fs::path samples() { return fs::path(KERNELARIUM_SHARED_DIR) / "foreign_sample/cuda_samples"; }

    Result<compile::CompiledUnit> compiled(const std::string& source, const std::vector<std::string>& folders) {
        compile::CompileOptions options;
        options.cubin = false;
        options.settings.folders = folders;
        return m_compiler->compile(source, options);
    }

    verify::RunResult run(const std::string& source, const std::vector<std::string>& folders,
                          std::vector<std::string> arguments = {}) {
        verify::RunResult failed;
        failed.end = verify::RunEnd::crashed;
        auto unit = compiled(source, folders);
        if (!unit || !unit->ok) {
            failed.reason = unit ? "does not compile" : unit.error().text();
            for (const auto& d : unit ? unit->diagnostics : std::vector<compile::Diagnostic>())
                failed.reason += "\n" + d.file + ":" + std::to_string(d.line) + ": " + d.text;
            return failed;
        }
        host::HostProgram program;
        program.ptx = unit->ptx;
        program.definesModule = unit->usesTensorExtension;
        program.isProgram = unit->isProgram;
        verify::RunRequest request;
        request.timeLimit = std::chrono::minutes(10);
        request.programArguments = {"./program"};
        request.programArguments.insert(request.programArguments.end(), arguments.begin(), arguments.end());
        auto result = host::EmulatorRunner(std::move(program), {}).run(request);
        if (result) return std::move(*result);
        failed.reason = result.error().code + ": " + result.error().text();
        return failed;
    }

    static std::string told(const verify::RunResult& r) {
        std::string text = std::string(protocol::name(r.end)) + ": " + r.reason + "\n" + r.printed;
        for (const verify::Fault& f : r.faults)
            text += f.kind + ": " + f.message + "\n";
        return text;
    }

private slots:
    void initTestCase() {
        auto created = compile::Compiler::create(compile::Toolkit::find());
        if (!created) QSKIP(created.error().text().c_str());
        m_compiler = std::move(*created);
    }

    void ends_data() {
        QTest::addColumn<QString>("file");
        for (const fs::directory_entry& entry : fs::directory_iterator(folder()))
            if (entry.path().extension() == ".cu")
                QTest::newRow(entry.path().stem().c_str()) << QString::fromStdString(entry.path().string());
    }
    void ends() {
        QFETCH(QString, file);
        const std::string source = contentOf(file.toStdString());
        std::istringstream words(mark(source, "arguments", ""));
        std::vector<std::string> arguments;
        for (std::string word; words >> word;)
            arguments.push_back(word);
        const verify::RunResult r = run(source, {folder().string()}, arguments);
        const std::string all = told(r);
        QVERIFY2(protocol::name(r.end) == mark(source, "end", "finished"), all.c_str());
        const bool exits = r.end == verify::RunEnd::finished || !marks(source, "exit").empty();
        QVERIFY2(exits == r.exitCode.has_value(), all.c_str());
        if (exits) QCOMPARE(*r.exitCode, std::stoi(mark(source, "exit", "0")));
        QVERIFY2(r.reason.find(mark(source, "reason", "")) != std::string::npos, all.c_str());
        std::size_t at = 0;
        for (const std::string& line : marks(source, "prints")) {
            at = r.printed.find(line, at);
            QVERIFY2(at != std::string::npos, (line + "\nis not in\n" + all).c_str());
        }
        const std::vector<std::string> faults = marks(source, "fault");
        QVERIFY2(faults.empty() == r.faults.empty(), all.c_str());
        for (const std::string& kind : faults)
            QVERIFY2(std::any_of(r.faults.begin(), r.faults.end(), [&](const auto& f) { return f.kind == kind; }),
                     all.c_str());
        for (const std::string& remark : marks(source, "remark"))
            QVERIFY2(std::any_of(r.remarks.begin(), r.remarks.end(),
                                 [&](const std::string& text) { return text.find(remark) != std::string::npos; }),
                     all.c_str());
        QVERIFY(r.guardViolations.empty());
    }

    void mainReturnsWhatItSays_data() {
        QTest::addColumn<QString>("main");
        QTest::addColumn<int>("code");
        QTest::newRow("no return") << "int main() { }" << 0;
        QTest::newRow("void parameter") << "int main(void) { return 3; }" << 3;
        QTest::newRow("as a shell sees it") << "int main() { return 256 + 5; }" << 5;
        QTest::newRow("negative") << "int main() { return -1; }" << 255;
        QTest::newRow("in both branches") << "int main(int n, char**) { if (n) { return 1; } else { return 2; } }" << 1;
        QTest::newRow("environment") << "int main(int, char**, char** e) { return *e ? 1 : 4; }" << 4;
        QTest::newRow("trailing type") << "auto main() -> int { return 6; }" << 6;
        QTest::newRow("linkage") << "extern \"C\" { int main() { return 7; } }" << 7;
        QTest::newRow("declared before") << "int main(int, char**); int main(int, char**) { exit(8); }" << 8;
        QTest::newRow("unbalanced branches")
            << "#ifdef NO\nvoid f() {\n#else\nvoid f(int) {\n#endif\n}\nint main() { return 9; }" << 9;
        QTest::newRow("a name elsewhere") << "namespace app { int main() { return 1; } }\nstruct S { int main; };\n"
                                             "int main() { S s{2}; return app::main() + s.main; }"
                                          << 3;
        QTest::newRow("half operators")
            << "#include <cuda_fp16.h>\nint main() { __half a = 1.5f; return float(a + a) == 3 "
               "? 0 : 1; }"
            << 0;
    }
    void mainReturnsWhatItSays() {
        QFETCH(QString, main);
        QFETCH(int, code);
        const verify::RunResult r = run(main.toStdString(), {});
        QVERIFY2(r.end == verify::RunEnd::finished, told(r).c_str());
        QCOMPARE(*r.exitCode, code);
    }

    void whatHasAModuleIsNoProgram() {
        auto unit = compiled("#include <torch/extension.h>\n"
                             "torch::Tensor forward(torch::Tensor x) { return x; }\n"
                             "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward); }\n",
                             {});
        QVERIFY(unit && unit->ok && unit->usesTensorExtension);
        QVERIFY(!unit->isProgram);
    }

    void errorsKeepTheirPlace() {
        auto unit = compiled("#include <cstdio>\nint main() {\n    int n = 1;\n    return m; }\n", {});
        QVERIFY(unit && !unit->ok);
        QCOMPARE(unit->diagnostics.at(0).line, 4);
        QCOMPARE(unit->diagnostics.at(0).column, 12);
    }

    void addedReturnIsNotWarnedOf() {
        auto unit = compiled("int main(int n, char**) { if (n) { return 1; } else { return 2; } }", {});
        QVERIFY(unit && unit->ok);
        QVERIFY2(unit->diagnostics.empty(), unit->diagnostics.empty() ? "" : unit->diagnostics[0].text.c_str());
    }

    void nvidiasSamplesSucceed_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("printed");
        const auto row = [](const char* name, const char* printed, const char* arguments = "") {
            QTest::newRow(name) << name << arguments << printed;
        };
        row("vectorAdd", "Test PASSED");
        // 301 products: smaller ones than it makes by itself, by its own arguments.
        row("matrixMul", "Result = PASS", "-wA=64 -hA=64 -wB=64 -hB=64");
        row("asyncAPI", "time spent executing by the GPU");
        row("clock", "Average clocks/block");
        row("fp16ScalarProduct", "Result intrinsics");
        row("simpleAssert", "returned OK");
        row("simpleCooperativeGroups", "...Done.");
        row("simpleOccupancy", "Test PASSED");
        row("simplePrintf", "[3, 7]:\t\tValue is:10");
        row("simpleTemplates", "Test Results: 0 Failures");
        row("simpleVoteIntrinsics", "Shutting down...");
        row("simpleZeroCopy", "> Releasing CPU memory...");
    }
    void nvidiasSamplesSucceed() {
        QFETCH(QString, name);
        QFETCH(QString, arguments);
        QFETCH(QString, printed);
        const fs::path own = samples() / name.toStdString();
        if (!fs::exists(own)) QSKIP("shared/foreign_sample/cuda_samples is not here");
        std::vector<std::string> given;
        for (const QString& word : arguments.split(' ', Qt::SkipEmptyParts))
            given.push_back(word.toStdString());
        const verify::RunResult r =
            run(contentOf(own / (name.toStdString() + ".cu")), {own.string(), (samples() / "Common").string()}, given);
        QVERIFY2(r.end == verify::RunEnd::finished, told(r).c_str());
        QCOMPARE(*r.exitCode, 0);
        QVERIFY2(r.printed.find(printed.toStdString()) != std::string::npos, told(r).c_str());
        QVERIFY2(r.faults.empty(), told(r).c_str());
        QVERIFY(r.guardViolations.empty());
    }
};

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestPrograms);
#include "TestPrograms.moc"
