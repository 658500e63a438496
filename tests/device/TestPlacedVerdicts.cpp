// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts with inputs, outputs and references that stay on the device are those with all of them in this process's
// memory. The emulator stands for the GPU.
#include "core/verify/CardSubject.h"
#include "core/verify/VerdictJson.h"
#include "core/verify/Verifier.h"
#include "gpu/compile/Compiler.h"
#include "gpu/operators/DeviceReference.h"
#include "tests/device/PlacedKernels.h"
#include "tests/device/SharedMemoryRunner.h"

#include <QtTest>

#include <nlohmann/json.hpp>

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

#define NEEDS_PARTS() \
    if (!placedCompiler() || !placedLibrary()) QSKIP(missingParts().c_str())

constexpr std::uint64_t memoryBytes = 8ull << 30;

struct Judged {
    verify::Verdict verdict;
    std::string failed;
    std::uint64_t putAway = 0;
};

/// Task 1/1 at a side that no block divides.
task::Card smallProduct() {
    task::Card card = *task::loadCard(1, 1);
    for (auto& [size, symbols] : card.sizes)
        if (size == "small")
            for (auto& [name, value] : symbols) value = 37;
    return card;
}

Judged judgedBy(const std::string& text, bool placed) {
    Judged out;
    compile::CompileOptions options;
    options.cubin = false;
    const auto unit = placedCompiler()->compile("#include <torch/extension.h>\n" + text, options);
    if (!unit || !unit->ok) {
        out.failed = unit ? unit->log : unit.error().text();
        return out;
    }
    const task::Card card = smallProduct();
    SharedMemoryRunner runner(*unit, *placedLibrary(), memoryBytes);
    operators::ReferenceSettings settings;
    if (placed) settings.place = &runner.place();
    auto reference = operators::DeviceReference::create(runner.place().tensors().machine(), *placedLibrary(), card, "small", settings);
    const auto plan = verify::planOf(card, "small");
    verify::VerifyOptions verifyOptions;
    verifyOptions.timeLimit = std::chrono::minutes(4);
    if (placed) verifyOptions.place = &runner.place();
    auto verdict = verify::verify(runner, reference->get(), *plan, verifyOptions);
    if (verdict) out.verdict = *std::move(verdict);
    else out.failed = verdict.error().text();
    out.putAway = runner.place().tensors().putAway();
    return out;
}

/// Without what differs from run to run, and with the figures rounded: sums are added up in another order.
nlohmann::json comparable(const verify::Verdict& verdict) {
    nlohmann::json j = verify::toJson(verdict);
    for (const char* changing : {"seconds", "launches", "printed"}) j.erase(changing);
    for (nlohmann::json& check : j["checks"]) check.erase("seconds");
    for (nlohmann::json& value : j)
        if (value.is_number_float()) value = QString::number(value.get<double>(), 'g', 9).toStdString();
    return j;
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
        const Judged here = judgedBy(text.toStdString(), false), there = judgedBy(text.toStdString(), true);
        QVERIFY2(here.failed.empty(), here.failed.c_str());
        QVERIFY2(there.failed.empty(), there.failed.c_str());
        QCOMPARE(QString::fromStdString(std::string(verify::name(there.verdict.kind))), verdict);
        QCOMPARE(QString::fromStdString(comparable(there.verdict).dump(1)), QString::fromStdString(comparable(here.verdict).dump(1)));
    }
};

} // namespace kernelarium::test

QTEST_GUILESS_MAIN(kernelarium::test::TestPlacedVerdicts)
#include "TestPlacedVerdicts.moc"
