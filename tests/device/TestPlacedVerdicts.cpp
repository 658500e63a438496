// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts with inputs, outputs and references that stay on the device are those with all of them in this process's
// memory. The emulator stands for the GPU.
#include "core/verify/CardSubject.h"
#include "core/verify/Verifier.h"
#include "gpu/compile/Compiler.h"
#include "gpu/operators/DeviceReference.h"
#include "tests/TestRegistry.h"
#include "tests/device/PlacedKernels.h"
#include "tests/device/SharedMemoryRunner.h"

#include <QtTest>

namespace kernelarium::test {

namespace {

std::string& missingParts() {
    static std::string why;
    return why;
}
compile::Compiler* placedCompiler() {
    static auto made = compile::Compiler::create(compile::Toolkit::find());
    if (!made) missingParts() = made.error().text();
    return made ? made->get() : nullptr;
}
operators::KernelLibrary* placedLibrary() {
    static auto made = operators::KernelLibrary::create(compile::Toolkit::find());
    if (!made) missingParts() = made.error().text();
    return made ? made->get() : nullptr;
}

#define NEEDS_PARTS()                                                                                                  \
    if (!placedCompiler() || !placedLibrary()) QSKIP(missingParts().c_str())

constexpr std::uint64_t memoryBytes = 8ull << 30;

struct Judged {
    verify::Verdict verdict;
    std::string failed;
    int placedRuns = 0;
    std::uint64_t putAway = 0;
};

/// Where the tensors are: in this process's memory, there, or there with no room to keep anything from run to run.
enum class Tensors { here, there, putAway };

Judged judgedBy(const std::string& text, Tensors tensors) {
    const bool placed = tensors != Tensors::here;
    Judged out;
    compile::CompileOptions options;
    options.cubin = false;
    const auto unit = placedCompiler()->compile("#include <torch/extension.h>\n" + text, options);
    if (!unit || !unit->ok) {
        out.failed = unit ? unit->log : unit.error().text();
        return out;
    }
    const task::Card card = productOfSide(37); // which no block divides
    SharedMemoryRunner runner(*unit, *placedLibrary(), memoryBytes);
    runner.putAwayBeforeRuns = tensors == Tensors::putAway;
    operators::ReferenceSettings settings;
    if (placed) settings.place = &runner.place();
    auto reference = operators::DeviceReference::create(runner.place().tensors().machine(), *placedLibrary(), card,
                                                        "small", settings);
    const auto plan = verify::planOf(card, "small");
    verify::VerifyOptions verifyOptions;
    verifyOptions.timeLimit = std::chrono::minutes(4);
    if (placed) verifyOptions.place = &runner.place();
    auto verdict = verify::verify(runner, reference->get(), *plan, verifyOptions);
    if (verdict)
        out.verdict = *std::move(verdict);
    else
        out.failed = verdict.error().text();
    out.placedRuns = runner.placedRuns;
    out.putAway = runner.place().tensors().putAway();
    return out;
}

} // namespace

class TestPlacedVerdicts : public QObject {
    Q_OBJECT

private slots:
    void theSameVerdict_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("verdict");
        for (const PlacedKernel& kernel : placedKernels())
            QTest::newRow(kernel.name) << QString::fromStdString(kernel.text) << QString::fromLatin1(kernel.verdict);
    }
    void theSameVerdict() {
        NEEDS_PARTS();
        QFETCH(QString, text);
        QFETCH(QString, verdict);
        const Judged here = judgedBy(text.toStdString(), Tensors::here);
        QVERIFY2(here.failed.empty(), here.failed.c_str());
        QCOMPARE(QString::fromStdString(std::string(verify::name(here.verdict.kind))), verdict);
        QCOMPARE(here.placedRuns, 0);
        for (const Tensors tensors : {Tensors::there, Tensors::putAway}) {
            const Judged there = judgedBy(text.toStdString(), tensors);
            QVERIFY2(there.failed.empty(), there.failed.c_str());
            QCOMPARE(comparable(there.verdict), comparable(here.verdict));
            QVERIFY(there.placedRuns > 0);
            QCOMPARE(there.putAway > 0, tensors == Tensors::putAway);
        }
    }
};

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestPlacedVerdicts);
#include "TestPlacedVerdicts.moc"
