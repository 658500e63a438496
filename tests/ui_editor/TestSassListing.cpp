// SPDX-License-Identifier: GPL-3.0-or-later
// Written in the form of nvdisasm 13's listings (source lines, encodings), with the counts of live registers that are
// merged into them.
#include "tests/ui_editor/TestSassListing.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "ui/editor/PtxLexer.h"
#include "ui/editor/PtxView.h"
#include "ui/editor/SassListing.h"

#include <QLabel>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

using namespace kernelarium::ui;

namespace {

const QString listingText = QString::fromUtf8(
    R"sass(	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)"
	.elftype	@"ET_EXEC"


//--------------------- .text._Z3addPKfPfi      --------------------------
	.section	.text._Z3addPKfPfi,"ax",@progbits
	.sectionflags	@"SHF_BARRIERS=0"
	.align	128
        .global         _Z3addPKfPfi
        .type           _Z3addPKfPfi,@function
        .size           _Z3addPKfPfi,(.L_x_1 - _Z3addPKfPfi)
        .other          _Z3addPKfPfi,@"STO_CUDA_ENTRY STV_DEFAULT"
_Z3addPKfPfi:
.text._Z3addPKfPfi:
	//## File "/tmp/kernel.cu", line 3
        /*0000*/                   LDC R1, c[0x0][0x28] ;                             /* 0x00000a00ff017b82 */  // |  1  |
                                                                                      /* 0x000fe20000000800 */
	//## File "/usr/include/helper.h", line 40 inlined at "/tmp/kernel.cu", line 4
	//## File "/tmp/kernel.cu", line 9
        /*0010*/                   ISETP.GE.AND P0, PT, R9, UR4, PT ;                 /* 0x0000000409007c0c */  // |  4  |
                                                                                      /* 0x041fda000bf06270 */
	//## File "/usr/include/other.h", line 4
        /*0020*/               @P0 EXIT ;                                             /* 0x000000000000094d */  // |  4  |
                                                                                      /* 0x000fea0003800000 */
	//## File "/tmp/kernel.cu", line 4
.L_x_0:
        /*0030*/                   LDG.E R2, desc[UR4][R2.64] ;                       /* 0x0000000402027981 */  // |  5  |
                                                                                      /* 0x000ea2000c1e1900 */
        /*0040*/                   BRA `(.L_x_0);                                                          /* 0xfffffffc00fc7947 */
                                                                                                           /* 0x000fc0000383ffff */
.L_x_1:


//--------------------- .text.helper      --------------------------
	.section	.text.helper,"ax",@progbits
helper:
.text.helper:
        /*0000*/                   RET.REL.NODEC R20 `(_Z3addPKfPfi) ;                                     /* 0x0000000014007950 */
                                                                                                           /* 0x003fea0003c3ffff */
)sass");

} // namespace

void TestSassListing::schedulingIsReadFromTheEncoding_data() {
    QTest::addColumn<QString>("upper");
    QTest::addColumn<QString>("text");
    // Encodings of ptxas' own.
    QTest::newRow("stalls one cycle") << "000fe20000000800"
                                      << "B------:R-:W-:-:S01";
    QTest::newRow("stalls five, yields") << "000fca0000000000"
                                         << "B------:R-:W-:Y:S05";
    QTest::newRow("exit") << "000fea0003800000"
                          << "B------:R-:W-:-:S05";
    QTest::newRow("load, write barrier 2") << "000ea2000c1e1900"
                                           << "B------:R-:W2:-:S01";
    QTest::newRow("waits for barrier 0") << "001fda000bf06270"
                                         << "B0-----:R-:W-:Y:S13";
}

void TestSassListing::schedulingIsReadFromTheEncoding() {
    QFETCH(const QString, upper);
    QFETCH(const QString, text);
    QCOMPARE(controlText(upper.toULongLong(nullptr, 16)), text);
}

void TestSassListing::instructionsKeepTheirLines() {
    const PtxListing listing = readSass(listingText);
    QCOMPARE(listing.functions.size(), std::size_t(2));
    QCOMPARE(listing.functions[0].name, QStringLiteral("add"));
    QCOMPARE(listing.functions[0].signature, QStringLiteral("add(float const*, float*, int)"));
    QCOMPARE(listing.functions[0].kind, PtxFunction::Kind::kernel);
    QCOMPARE(listing.functions[1].kind, PtxFunction::Kind::support);
    QStringList shown;
    QList<int> sources;
    for (const int line : selectedLines(listing, {-1, false})) {
        shown << listing.lines[std::size_t(line)];
        sources << listing.sourceLines[std::size_t(line)];
    }
    QCOMPARE(shown.size(), 7);
    QCOMPARE(shown[6], QStringLiteral(".L_x_1:"));
    QVERIFY2(shown[0].startsWith(QStringLiteral("0000  LDC R1, c[0x0][0x28] ;")), qPrintable(shown[0]));
    QVERIFY2(shown[0].endsWith(QStringLiteral("// B------:R-:W-:-:S01  1 live")), qPrintable(shown[0]));
    QVERIFY2(shown[2].startsWith(QStringLiteral("0020  @P0 EXIT ;")), qPrintable(shown[2]));
    QCOMPARE(shown[3], QStringLiteral(".L_x_0:"));
    QVERIFY2(shown[5].endsWith(QStringLiteral("// B------:R-:W-:Y:S00")),
             qPrintable(shown[5])); // no count on this line
    QCOMPARE(sources, QList<int>({3, 4, 0, 0, 4, 4,
                                  0})); // inlined code counts for the line of the user's; a header alone for none
    // Whole, with directives and encodings left as they were.
    QVERIFY(selectedLines(listing, {-2, true}).size() > std::size_t(shown.size()));
}

void TestSassListing::anotherFormLosesNothing() {
    QRandomGenerator random(7);
    QString text = listingText;
    for (int round = 0; round < 300; ++round) {
        QString broken = text;
        for (int i = 0; i < 12; ++i)
            broken[random.bounded(int(broken.size()))] = QChar(ushort(32 + random.bounded(90)));
        broken.truncate(random.bounded(int(broken.size())));
        const PtxListing listing = readSass(broken);
        QCOMPARE(listing.sourceLines.size(), listing.lines.size());
        QCOMPARE(listing.isDetail.size(), listing.lines.size());
        for (const PtxFunction& function : listing.functions)
            QVERIFY(function.lineCount >= 0 && function.firstLine + function.lineCount <= int(listing.lines.size()));
    }
}

void TestSassListing::theViewLinksBothWays() {
    PtxView view(m_theme, Assembly::sass);
    QSignalSpy ready(&view, &PtxView::listingReady);
    QSignalSpy activated(&view, &PtxView::sourceLineActivated);
    view.resize(900, 400);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view, longWait));
    view.setPtx(listingText);
    WAIT_COMPARE(ready.count(), 1);
    QCOMPARE(view.functions(), QStringList({QStringLiteral("add"), QStringLiteral("helper")}));
    const auto labels = view.findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(),
                        [](const QLabel* label) { return label->text() == QLatin1String("5 instructions"); }));
    view.showSourceLine(4);
    QCOMPARE(view.highlighted(), std::vector<int>({1, 4, 5}));
    view.editor().setFocus();
    view.editor().setCursorPosition(1, 0);
    QTest::qWait(20);
    activated.clear();
    QTest::keyClick(&view.editor(), Qt::Key_Up);
    WAIT_COMPARE(activated.count(), 1);
    QCOMPARE(activated[0][0].toInt(), 3);
    view.editor().recolor();
    const QByteArray text = view.editor().text().toUtf8();
    const auto style = [&](const char* token) {
        return int(view.editor().SendScintilla(QsciScintilla::SCI_GETSTYLEAT,
                                               static_cast<unsigned long>(text.indexOf(token))));
    };
    QCOMPARE(style("LDC"), int(PtxLexer::Opcode));
    QCOMPARE(style("R1,"), int(PtxLexer::Register));
    QCOMPARE(style("P0 EXIT"), int(PtxLexer::Register));
    QCOMPARE(style("EXIT"), int(PtxLexer::Opcode));
    QCOMPARE(style("UR4, PT"), int(PtxLexer::Register));
    QCOMPARE(style("// B---"), int(PtxLexer::Comment));
}

void TestSassListing::refusalsAreShownInPlace() {
    PtxView view(m_theme, Assembly::sass);
    view.show();
    QVERIFY(view.isEmpty());
    QVERIFY(view.emptyText().contains(QStringLiteral("nvdisasm")));
    view.refuse(QStringLiteral("It needs a tool."));
    QCOMPARE(view.emptyText(), QStringLiteral("It needs a tool."));
    QSignalSpy ready(&view, &PtxView::listingReady);
    view.setPtx(listingText);
    WAIT_COMPARE(ready.count(), 1);
    QVERIFY(!view.isEmpty());
    view.setPtx({});
    QVERIFY(view.emptyText().contains(QStringLiteral("nvdisasm")));
}

KERNELARIUM_TEST(TestSassListing);
