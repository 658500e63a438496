// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/InstructionText.h"
#include "tests/TestRegistry.h"
#include "tests/sass/CompiledCubins.h"
#include "ui/schedule/AnswerText.h"
#include "ui/schedule/ScheduleModel.h"

#include <QAbstractItemModelTester>
#include <QTextDocument>
#include <QtTest>

namespace kernelarium::ui {

namespace {

QString plainText(const QString& html) {
    QTextDocument document;
    document.setHtml(html);
    return document.toPlainText();
}

} // namespace

class TestScheduleModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        const Result<sass::Cubin> cubin = test::compiledCubin("archive_data/kernels/level_1/023/online.cu", "sm_90");
        if (!cubin && cubin.error().code == "missing_component") QSKIP(cubin.error().text().c_str());
        QVERIFY2(cubin, cubin ? "" : cubin.error().text().c_str());
        Result<NativeCodePointer> code = readNativeCode(cubin->bytes(), {});
        QVERIFY(code);
        m_code = *code;
    }

    void aRowForEachInstruction() {
        ScheduleModel model(m_theme);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        QVERIFY(!model.explanation() && !model.loop());
        model.show(m_code, 0);
        const sass::Explanation& e = m_code->kernels.front();
        QCOMPARE(model.rowCount(), int(e.code.size()));
        QCOMPARE(model.loop(), e.hotLoop());
        const auto text = [&model](int row, int column) { return model.index(row, column).data().toString(); };
        int yields = 0, waits = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            const sass::Instruction& one = e.code[std::size_t(row)];
            QCOMPARE(text(row, ScheduleModel::instruction).toStdString(), sass::text(one));
            QCOMPARE(text(row, ScheduleModel::stall).toInt(), one.control.stall);
            QCOMPARE(text(row, ScheduleModel::yield).isEmpty(), !one.control.yields);
            QCOMPARE(text(row, ScheduleModel::waits).isEmpty(), one.control.waits == 0);
            QCOMPARE(text(row, ScheduleModel::reuse).isEmpty(), one.control.reuse == 0);
            QCOMPARE(text(row, ScheduleModel::reads).isEmpty(), one.control.readBarrier == sass::noScoreboard);
            QCOMPARE(text(row, ScheduleModel::writes).isEmpty(), one.control.writeBarrier == sass::noScoreboard);
            QCOMPARE(text(row, ScheduleModel::line).toInt(), e.lines[std::size_t(row)]);
            const bool isInLoop = row >= e.hotLoop()->first && row <= e.hotLoop()->last;
            QCOMPARE(!text(row, ScheduleModel::cycle).isEmpty(), isInLoop);
            QVERIFY(isInLoop || text(row, ScheduleModel::path).isEmpty());
            for (int column = 0; column < model.columnCount(); ++column)
                QVERIFY(!model.index(row, column).data(Qt::ToolTipRole).toString().isEmpty());
            QCOMPARE(model.rowAt(one.place), row);
            yields += one.control.yields;
            waits += one.control.waits != 0;
        }
        QVERIFY(yields > 0 && waits > 0);
        for (int column = 0; column < model.columnCount(); ++column) {
            QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
            QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
        }
        model.show({}, -1);
        QCOMPARE(model.rowCount(), 0);
    }

    /// Another loop has another turn; the source line's rows are lit.
    void loopsAndLines() {
        ScheduleModel model(m_theme);
        model.show(m_code, 0);
        const sass::Explanation& e = m_code->kernels.front();
        QVERIFY(e.loops.size() > 1);
        for (int loop = 0; loop < int(e.loops.size()); ++loop) {
            model.setLoop(loop);
            QVERIFY(model.issue(e.loops[std::size_t(loop)].first));
            QVERIFY(model.step(e.loops[std::size_t(loop)].last)); // the turn's end is always on the path
            QVERIFY(loop == 0 || !model.issue(0));
        }
        const int line = e.lines[std::size_t(e.hotLoop()->first)];
        model.setSourceLine(line);
        for (int row = 0; row < model.rowCount(); ++row)
            QCOMPARE(model.index(row, 0).data(Qt::BackgroundRole).isValid(), e.lines[std::size_t(row)] == line);
        QCOMPARE(e.lines[std::size_t(model.firstRowOf(line))], line);
        QCOMPARE(model.firstRowOf(100000), -1);
    }

    /// Window and command line say the same, and every producer is a link to it.
    void answersInTheWordsOfTheCommandLine() {
        ScheduleModel model(m_theme);
        model.show(m_code, 0);
        const sass::Explanation& e = m_code->kernels.front();
        int links = 0;
        for (int row = e.hotLoop()->first; row <= e.hotLoop()->last; ++row) {
            const QString html = answerHtml(model, row), text = plainText(html);
            const auto lines = sass::waitLines(e, row);
            for (const std::string& line : lines)
                QVERIFY2(text.contains(QString::fromStdString(line)), qPrintable(text));
            for (const sass::ScoreboardWait& wait : e.waits[std::size_t(row)].scoreboards) {
                const QString link = QStringLiteral("<a href=\"place:0x%1\">")
                                         .arg(e.code[std::size_t(wait.producer)].place, 4, 16, QLatin1Char('0'));
                QVERIFY2(html.contains(link), qPrintable(html));
                const QString line = QStringLiteral("<a href=\"line:%1\">").arg(e.lines[std::size_t(wait.producer)]);
                QVERIFY2(html.contains(line), qPrintable(html));
                ++links;
            }
            QVERIFY(text.contains(QStringLiteral("In a turn of the loop it is issued at cycle ")));
        }
        QVERIFY(links > 10);
        const QString loop = plainText(loopHtml(model, 4));
        for (const std::string& line : sass::loopLines(e, *e.hotLoop(), 4))
            QVERIFY2(loop.contains(QString::fromStdString(line).simplified()), line.c_str());
        QVERIFY(loop.contains(QStringLiteral("With 4 warps a scheduler")));
        QVERIFY(plainText(loopHtml(model, 0)).contains(QStringLiteral("With %1 warps").arg(e.residentWarps)));
        // An operand is no place.
        QCOMPARE(linkedHtml(QStringLiteral("IADD3 R1, R2, 0x1000, RZ at 0x0120, 4 needed")),
                 QStringLiteral("IADD3 R1, R2, 0x1000, RZ at <a href=\"place:0x0120\">0x0120</a>, 4 needed"));
    }

    void refusesWhatIsNoCode() {
        const Result<NativeCodePointer> none = readNativeCode(std::vector<std::byte>(64), {});
        QVERIFY(!none);
        QCOMPARE(none.error().code, std::string("bad_input"));
        std::stop_source stop;
        stop.request_stop();
        const Result<NativeCodePointer> stopped = readNativeCode(m_code->cubin, stop.get_token());
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, std::string("cancelled"));
    }

private:
    Theme m_theme;
    NativeCodePointer m_code;
};

KERNELARIUM_TEST(TestScheduleModel);

} // namespace kernelarium::ui

#include "TestScheduleModel.moc"
