// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/LastWriter.h"
#include "core/verify/Verifier.h"
#include "tests/TestRegistry.h"
#include "tests/host/EndToEnd.h"

#include <QtTest>
#include <algorithm>

namespace kernelarium::test {

using verify::WriterInfo;

namespace {

constexpr std::int64_t width = 64;

/// y = 2 x.
class Doubling : public verify::Reference {
public:
    Result<tensor::Value> evaluate(const verify::CallInputs& inputs, std::stop_token) override {
        const auto& x = *inputs.arguments[0].as<tensor::Tensor>();
        tensor::Tensor y(tensor::DType::Float64, x.shape());
        for (std::int64_t i = 0; i < x.count(); ++i)
            y.set(i, 2 * x.at(i));
        return tensor::Value(y);
    }
    std::string describe() const override { return "doubling"; }
    std::vector<tensor::DType> outputTypes() const override { return {tensor::DType::Float32}; }
};

/// Counts the runs that watch.
class Observed : public verify::Runner {
public:
    explicit Observed(host::EmulatorRunner inner)
        : m_inner(std::move(inner)) {}
    std::string backend() const override { return m_inner.backend(); }
    verify::Capabilities capabilities() const override { return m_inner.capabilities(); }
    Result<verify::RunResult> run(const verify::RunRequest& request) override {
        watching += request.watch.has_value();
        return m_inner.run(request);
    }
    int watching = 0;

private:
    host::EmulatorRunner m_inner;
};

int lineOf(const std::string& text, const std::string& what) {
    const std::size_t at = text.find(what);
    return at == std::string::npos ? -1 : 1 + int(std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n'));
}

const verify::CheckReport* checkOf(const verify::Verdict& verdict, const std::string& name) {
    for (const auto& check : verdict.checks)
        if (check.name == name) return &check;
    return nullptr;
}

} // namespace

/// Verdicts of real files that are wrong at a known line.
class TestLastWriter : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<compile::Compiler> m_compiler;
    std::string m_source;
    int m_watching = 0;

    static constexpr const char* kernels = R"(
__global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2.0f * x[i]; // right
}
__global__ void spoil(float* y) {
    if (threadIdx.x == 3) y[8 * blockIdx.x + 5] += 7.0f; // wrong
}
__global__ void spoilTogether(float* y) { atomicAdd(y + 37, 1.0f); /* atomic */ }
)";

    verify::Verdict judge(const std::string& forward, verify::VerifyOptions options = {}) {
        m_source = "#include <torch/extension.h>\n" + bound(kernels + forward);
        compile::CompileOptions compileOptions;
        compileOptions.cubin = false;
        auto unit = m_compiler->compile(m_source, compileOptions);
        if (!unit || !unit->ok) {
            QTest::qFail(unit ? "does not compile" : unit.error().text().c_str(), __FILE__, __LINE__);
            return {};
        }
        host::HostProgram program;
        program.ptx = unit->ptx;
        Observed runner(host::EmulatorRunner(std::move(program), {}));
        verify::InputPlan plan;
        plan.tensors = {{"x", tensor::DType::Float32, {width}, {}}};
        plan.arguments = {{verify::ArgumentPlan::Tensor{0}}};
        Doubling reference;
        auto verdict = verify::verify(runner, &reference, plan, options);
        m_watching = runner.watching;
        if (!verdict) QTest::qFail(verdict.error().text().c_str(), __FILE__, __LINE__);
        return verdict ? std::move(*verdict) : verify::Verdict{};
    }
    static std::string forwardOf(const std::string& after, const std::string& result = "y") {
        return R"(
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    twice<<<2, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 64);
)" + after + "\n    return " +
               result + ";\n}";
    }

private slots:
    void initTestCase() {
        auto created = compile::Compiler::create(compile::Toolkit::find());
        if (!created) QSKIP(created.error().text().c_str());
        m_compiler = std::move(*created);
    }
    void theWrongStoreIsNamed() {
        const auto v = judge(forwardOf("    spoil<<<4, 32>>>(y.data_ptr<float>() + 16);"));
        QCOMPARE(v.kind, verify::VerdictKind::wrong);
        QCOMPARE(v.firstMismatch->index, tensor::Shape{21});
        QVERIFY(v.lastWriter);
        QCOMPARE(v.lastWriter->kind, WriterInfo::Kind::kernel);
        QCOMPARE(v.lastWriter->kernel, std::string("spoil"));
        QCOMPARE(v.lastWriter->block, (std::array<std::uint32_t, 3>{0, 0, 0}));
        QCOMPARE(v.lastWriter->thread, (std::array<std::uint32_t, 3>{3, 0, 0}));
        QCOMPARE(v.lastWriter->line, lineOf(m_source, "// wrong"));
        QCOMPARE(m_watching, 1);
        const std::string expected = "Element [21] of output 0 was last written by kernel spoil, block (0, 0, 0), "
                                     "thread (3, 0, 0), line " +
                                     std::to_string(lineOf(m_source, "// wrong")) + ".";
        QVERIFY2(checkOf(v, "values")->detail.ends_with(expected), checkOf(v, "values")->detail.c_str());
    }
    void viewsAreFollowedToTheirElement() {
        // Element 21 of the result is element 42 of its storage.
        const auto v = judge(R"(
torch::Tensor forward(torch::Tensor x) {
    auto storage = torch::zeros({128}, x.options());
    auto z = storage.as_strided({64}, {2});
    z.copy_(x + x);
    spoil<<<1, 32>>>(storage.data_ptr<float>() + 37);
    return z;
})");
        QCOMPARE(v.kind, verify::VerdictKind::wrong);
        QCOMPARE(v.firstMismatch->index, tensor::Shape{21});
        QVERIFY(v.lastWriter);
        QCOMPARE(v.lastWriter->kernel, std::string("spoil"));
    }
    void atomicsAreNamed() {
        const auto v = judge(forwardOf("    spoilTogether<<<2, 32>>>(y.data_ptr<float>());"));
        QCOMPARE(v.kind, verify::VerdictKind::wrong);
        QVERIFY(v.lastWriter);
        QCOMPARE(v.lastWriter->kernel, std::string("spoilTogether"));
        QCOMPARE(v.lastWriter->block[0], 1u);
        QCOMPARE(v.lastWriter->thread[0], 31u);
        QCOMPARE(v.lastWriter->line, lineOf(m_source, "/* atomic */"));
    }
    void callsAreNamed_data() {
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("call");
        QTest::newRow("operator") << "    y.add_(1); // here"
                                  << "aten.add_";
        QTest::newRow("fill") << "    y.zero_(); // here"
                              << "aten.zero_";
        QTest::newRow("memset") << "    cudaMemset(y.data_ptr<float>(), 0, 12); // here"
                                << "cudaMemset";
        QTest::newRow("copy") << "    cudaMemcpy(y.data_ptr(), x.data_ptr(), 256, cudaMemcpyDeviceToDevice); // here"
                              << "cudaMemcpy";
    }
    void callsAreNamed() {
        QFETCH(QString, after);
        QFETCH(QString, call);
        const auto v = judge(forwardOf(after.toStdString()));
        QCOMPARE(v.kind, verify::VerdictKind::wrong);
        QVERIFY(v.lastWriter);
        QCOMPARE(v.lastWriter->kind, WriterInfo::Kind::call);
        QVERIFY2(v.lastWriter->call.starts_with(call.toStdString()), v.lastWriter->call.c_str());
        QCOMPARE(v.lastWriter->line, lineOf(m_source, "// here"));
    }
    void argumentsAreNamed() {
        const auto v = judge("torch::Tensor forward(torch::Tensor x) { return x; }");
        QCOMPARE(v.kind, verify::VerdictKind::wrong);
        QVERIFY(v.lastWriter);
        QCOMPARE(v.lastWriter->call, std::string("argument"));
        QCOMPARE(v.lastWriter->line, 0);
    }
    void whatNobodyWroteIsSaid() {
        const auto v = judge(forwardOf("    y = torch::empty_like(x);\n"
                                       "    twice<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 20);"));
        QCOMPARE(v.kind, verify::VerdictKind::wrong);
        QCOMPARE(v.firstMismatch->index, tensor::Shape{20});
        QVERIFY(v.lastWriter);
        QCOMPARE(v.lastWriter->kind, WriterInfo::Kind::never);
        QVERIFY(checkOf(v, "values")->detail.ends_with("Element [20] of output 0 was never written."));
    }
    void nobodyIsLookedForWhereNobodyReads() {
        const std::string forward = forwardOf("    spoil<<<4, 32>>>(y.data_ptr<float>() + 16);");
        const auto told = judge(forward);
        verify::VerifyOptions brief;
        brief.explain = false;
        const auto v = judge(forward, brief);
        QCOMPARE(m_watching, 0);
        QVERIFY(!v.lastWriter && !v.errorMap && told.errorMap);
        QCOMPARE(v.kind, told.kind);
        QCOMPARE(v.message, told.message);
        QCOMPARE(v.reasons, told.reasons);
        QCOMPARE(v.remarks, told.remarks);
    }
    void nothingIsRunAgainInVain() {
        QCOMPARE(judge(forwardOf("")).kind, verify::VerdictKind::verified);
        QCOMPARE(m_watching, 0);
        verify::VerifyOptions unchecked;
        unchecked.checks = false;
        const auto v = judge(forwardOf("    spoil<<<4, 32>>>(y.data_ptr<float>());"), unchecked);
        QCOMPARE(v.kind, verify::VerdictKind::wrong);
        QVERIFY(!v.lastWriter);
        QCOMPARE(m_watching, 0);
    }
};

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestLastWriter);
#include "TestLastWriter.moc"
