// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_editor/TestPtxView.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_editor/InTheme.h"
#include "ui/editor/CodeEditor.h"
#include "ui/editor/CodeStyle.h"
#include "ui/editor/PtxLexer.h"
#include "ui/editor/PtxView.h"

#include <QFile>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>
#include <set>

using namespace kernelarium::ui;

namespace {

/// tests/ui_editor/fixtures/scale_rows.cu as the compiler gave it.
QString fixture() {
    QFile file(QStringLiteral(KERNELARIUM_SOURCE_DIR "/tests/ui_editor/fixtures/scale_rows.ptx"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

const PtxFunction* functionNamed(const PtxListing& listing, const QString& name) {
    for (const PtxFunction& function : listing.functions)
        if (function.name == name) return &function;
    return nullptr;
}

void showLoaded(PtxView& view, const QString& text) {
    QSignalSpy ready(&view, &PtxView::listingReady);
    view.resize(700, 500);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view, longWait));
    view.setPtx(text);
    WAIT_COMPARE(ready.count(), 1);
}

} // namespace

void TestPtxView::readsFunctions() {
    const PtxListing listing = readPtx(fixture());
    QVERIFY(listing.functions.size() > 4);
    QCOMPARE(listing.functions[0].name, QStringLiteral("rowSums"));
    QCOMPARE(listing.functions[0].signature, QStringLiteral("rowSums(float const*, float*, int)"));
    QCOMPARE(listing.functions[1].name, QStringLiteral("divideRows"));
    QCOMPARE(listing.functions[1].kind, PtxFunction::Kind::kernel);
    const PtxFunction* forward = functionNamed(listing, QStringLiteral("forward"));
    QVERIFY(forward != nullptr);
    QCOMPARE(forward->kind, PtxFunction::Kind::user);
    const PtxFunction* support = functionNamed(listing, QStringLiteral("kl::callValue"));
    QVERIFY(support != nullptr);
    QCOMPARE(support->kind, PtxFunction::Kind::support);
    for (const PtxFunction& function : listing.functions) {
        const QString last = listing.lines[std::size_t(function.firstLine + function.lineCount - 1)];
        QCOMPARE(last.trimmed(), QStringLiteral("}"));
    }
}

void TestPtxView::namesKernelsOfAnonymousNamespaces() {
    const PtxListing listing = readPtx(QStringLiteral(".visible .entry _ZN12_GLOBAL__N_11kIfEEvPT_(\n"
                                                      "\t.param .u64 p\n)\n{\n\tret;\n\n}\n"));
    QCOMPARE(listing.functions.size(), std::size_t(1));
    QCOMPARE(listing.functions[0].name, QStringLiteral("(anonymous namespace)::k<float>"));
    QCOMPARE(listing.functions[0].signature, QStringLiteral("void (anonymous namespace)::k<float>(float*)"));
}

void TestPtxView::mapsLines() {
    const PtxListing listing = readPtx(fixture());
    const auto sourceOf = [&](const QString& instruction) {
        std::set<int> lines;
        for (std::size_t i = 0; i < listing.lines.size(); ++i)
            if (listing.lines[i].contains(instruction)) lines.insert(listing.sourceLines[i]);
        return lines;
    };
    // The lines of scale_rows.cu: the sum of a row, the shuffle inlined into line 16, the barrier, the division.
    QCOMPARE(sourceOf(QStringLiteral("ld.global.nc.f32 \t%f13")), std::set<int>{15});
    QCOMPARE(sourceOf(QStringLiteral("st.global.f32 \t[%rd19], %f8")), std::set<int>{18});
    QCOMPARE(sourceOf(QStringLiteral("shfl.sync.down")), std::set<int>{7});
    QCOMPARE(sourceOf(QStringLiteral("bar.sync")), std::set<int>{25});
    QCOMPARE(sourceOf(QStringLiteral("st.shared.f32")), std::set<int>{24});
}

void TestPtxView::inlinedThroughHeaders() {
    // `forward` calls Tensor::size, which calls Tensor::info: both from a header, inlined at line 32.
    const PtxListing listing = readPtx(fixture());
    const PtxFunction* forward = functionNamed(listing, QStringLiteral("forward"));
    QVERIFY(forward != nullptr);
    int calls = 0;
    for (int i = forward->firstLine; i < forward->firstLine + forward->lineCount && calls == 0; ++i)
        if (listing.lines[std::size_t(i)].contains(QStringLiteral("kl_tensor_info"))) {
            QCOMPARE(listing.sourceLines[std::size_t(i)], 32);
            ++calls;
        }
    QCOMPARE(calls, 1);
}

void TestPtxView::survivesAnyText() {
    const QString text = fixture();
    QRandomGenerator random(7);
    for (int round = 0; round < 60; ++round) {
        QString broken = text.mid(int(random.bounded(text.size())), int(random.bounded(4000)));
        for (int i = 0; i < 20 && !broken.isEmpty(); ++i)
            broken[int(random.bounded(broken.size()))] = QChar(char(32 + random.bounded(95)));
        const PtxListing listing = readPtx(broken);
        QCOMPARE(listing.sourceLines.size(), listing.lines.size());
        for (const PtxFunction& function : listing.functions)
            QVERIFY(function.firstLine + function.lineCount <= int(listing.lines.size()));
        for (const int function : {-2, -1})
            for (const int line : selectedLines(listing, {function, false}))
                QVERIFY(line < int(listing.lines.size()));
    }
}

void TestPtxView::showsKernelsOnly() {
    PtxView view(m_theme);
    showLoaded(view, fixture());
    QVERIFY(view.editor().text().contains(QStringLiteral(".entry rowSums(")));
    QVERIFY(view.editor().text().contains(QStringLiteral(".entry divideRows(")));
    QVERIFY(!view.editor().text().contains(QStringLiteral("_Z")));
    QVERIFY(view.editor().text().contains(QStringLiteral("[rowSums_param_0]")));
    QVERIFY(!view.editor().text().contains(QStringLiteral(".loc")));
    view.setDetails(true);
    QVERIFY(view.editor().text().contains(QStringLiteral(".loc")));
    view.setDetails(false);
    QVERIFY(view.chooseFunction(QStringLiteral("forward")));
    QVERIFY(view.editor().text().contains(QStringLiteral("forward")));
    QVERIFY(!view.editor().text().contains(QStringLiteral(".entry")));
    QVERIFY(!view.chooseFunction(QStringLiteral("nothing of that name")));
    QVERIFY(view.chooseFunction(QStringLiteral("Whole text"))); // as the assembler takes it
    QVERIFY(view.editor().text().contains(QStringLiteral(".entry _Z7rowSums")));
    QVERIFY(view.editor().isReadOnly());
    view.setPtx({});
    QVERIFY(view.editor().text().isEmpty());
    QVERIFY(!view.editor().isVisible());
}

void TestPtxView::followsBothWays() {
    PtxView view(m_theme);
    showLoaded(view, fixture());
    QSignalSpy activated(&view, &PtxView::sourceLineActivated);
    view.showSourceLine(18);
    QVERIFY(!view.highlighted().empty());
    for (const int line : view.highlighted())
        QVERIFY(view.editor().markersAtLine(line) != 0U);
    const QString store = view.editor().text(view.highlighted().back());
    QVERIFY2(store.contains(QStringLiteral("st.global.f32")), qPrintable(store));
    QTest::qWait(20);
    QCOMPARE(activated.count(), 0);
    int target = -1;
    for (int line = 0; line < view.editor().lines() && target < 0; ++line)
        if (view.editor().text(line).contains(QStringLiteral("bar.sync"))) target = line;
    view.editor().setFocus();
    view.editor().setCursorPosition(target - 1, 0);
    QTest::qWait(20);
    activated.clear();
    QTest::keyClick(&view.editor(), Qt::Key_Down);
    WAIT_COMPARE(activated.count(), 1);
    QCOMPARE(activated[0][0].toInt(), 25);
    QCOMPARE(view.highlighted(), std::vector<int>{target});
    view.showSourceLine(1);
    QVERIFY(view.highlighted().empty());
}

/// Source and PTX have the same colour behind them, neighbouring lines another; the chosen line's wins.
void TestPtxView::linesAreBanded() {
    PtxView view(m_theme);
    showLoaded(view, fixture());
    const std::vector<int> bands = view.bands();
    QVERIFY(bands.size() > 3 && std::is_sorted(bands.begin(), bands.end()));
    QVERIFY(std::find(bands.begin(), bands.end(), 18) != bands.end());
    view.showSourceLine(18);
    QVERIFY(!view.highlighted().empty());
    const int line = view.highlighted().front();
    const unsigned markers = view.editor().markersAtLine(line);
    QVERIFY((markers & 1U << unsigned(18 % bandCount)) != 0);
    QVERIFY((markers >> bandCount) != 0); // a higher marker: it is seen
    QVERIFY(bandColour(m_theme.colours(), 18) != bandColour(m_theme.colours(), 19));

    CodeEditor editor(m_theme);
    editor.resize(600, 300);
    editor.show();
    QVERIFY(QTest::qWaitForWindowExposed(&editor, longWait));
    editor.open(QStringLiteral("a\n    b = c;\n\nd\n"));
    editor.setBands({2, 4, 99});
    const auto isBanded = [&](long position, int source) {
        return editor.SendScintilla(QsciScintilla::SCI_INDICATORVALUEAT,
                                    static_cast<unsigned long>(20 + source % bandCount), position) != 0;
    };
    QVERIFY(isBanded(7, 2) && !isBanded(3, 2) && !isBanded(0, 1) && isBanded(14, 4));
    editor.setBands({});
    QVERIFY(!isBanded(7, 2));
}

void TestPtxView::keepsTheChoice() {
    PtxView view(m_theme);
    showLoaded(view, fixture());
    QVERIFY(view.chooseFunction(QStringLiteral("divideRows")));
    view.showSourceLine(28);
    QSignalSpy ready(&view, &PtxView::listingReady);
    view.setPtx(QStringLiteral("// superseded"));
    view.setPtx(fixture() + QStringLiteral("\n"));
    WAIT_COMPARE(ready.count(), 1);
    QVERIFY(view.editor().text().contains(QStringLiteral("divideRows(")));
    QVERIFY(!view.editor().text().contains(QStringLiteral("rowSums(")));
    QVERIFY(!view.highlighted().empty());
}

void TestPtxView::stylesTokens() {
    PtxView view(m_theme);
    showLoaded(
        view, QStringLiteral(
                  ".visible .entry k()\n{\n\t.reg .b32 %r<3>;\n$L1:\n\t@%p1 bra \t$L1;\n\tmov.u32 \t%r1, %tid.x; // c\n"
                  "\tadd.s32 %r2, %r1, 0f3F800000;\n}\n"));
    view.editor().recolor();
    const QByteArray text = view.editor().text().toUtf8();
    const auto style = [&](const char* token) {
        return int(view.editor().SendScintilla(QsciScintilla::SCI_GETSTYLEAT,
                                               static_cast<unsigned long>(text.indexOf(token))));
    };
    QCOMPARE(style(".visible"), int(PtxLexer::Directive));
    QCOMPARE(style("$L1:"), int(PtxLexer::Label));
    QCOMPARE(style("bra"), int(PtxLexer::Opcode));
    QCOMPARE(style("mov.u32"), int(PtxLexer::Opcode));
    QCOMPARE(style("%r1, %tid"), int(PtxLexer::Register));
    QCOMPARE(style("%tid.x"), int(PtxLexer::SpecialRegister));
    QCOMPARE(style("// c"), int(PtxLexer::Comment));
    QCOMPARE(style("0f3F8"), int(PtxLexer::Number));
}

KERNELARIUM_TEST(InTheme<TestPtxView, kernelarium::ui::Theme::Choice::light>);
KERNELARIUM_TEST(InTheme<TestPtxView, kernelarium::ui::Theme::Choice::dark>);
