// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_profiles/TestLive.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/stalls/SourceTable.h"
#include "tests/ui_profiles/ProfiledRoom.h"
#include "ui/diagnostics/DiagnosticsPanel.h"
#include "ui/editor/CodeEditor.h"
#include "ui/editor/PtxView.h"
#include "ui/profiles/NcuPage.h"
#include "ui/profiles/ProfilesPanel.h"
#include "ui/source/EditorArea.h"
#include "ui/source/SassPanel.h"
#include "ui/window/MainWindow.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTreeView>

namespace kernelarium::ui {

namespace {

QString program(const ProfiledRoom& room, const char* name, const QByteArray& body) {
    const QString path = room.folder.filePath(QString::fromUtf8(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write("#!/bin/sh\n" + body);
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path;
}

/// Says two things about every text, and that it could not read a third place.
protocol::TidyTool tidyTool(const ProfiledRoom& room) {
    return {program(room, "clang-tidy",
                    "echo \"$1:4:13: warning: narrowing conversion [bugprone-narrowing-conversions]\"\n"
                    "echo \"$1:3:40: warning: parameter is unused [misc-unused-parameters]\"\n"
                    "echo \"/usr/include/x.h:1:1: warning: elsewhere [bugprone-x]\"\n"
                    "echo \"$1:5:1: error: unknown [clang-diagnostic-error]\"\nexit 1\n")
                .toStdString(),
            "/"};
}

struct LiveDiagnostics {
    ProfiledRoom room;
    EditorArea area{editorAround(*room.workspace), roomTheme()};
    DiagnosticsPanel diagnostics{{room.workspace->bench(), room.workspace->compiler(), room.workspace->tidy()},
                                 roomTheme()};
    LiveDiagnostics() {
        area.resize(900, 400);
        area.show();
        diagnostics.resize(900, 300);
        diagnostics.show();
    }
    [[nodiscard]] bool at(const std::string& kernel) { return room.open() && room.openKernel(kernel); }
    [[nodiscard]] bool compiled() {
        return QTest::qWaitFor([this] { return room.workspace->compiler().isSettled(); }, longWait) &&
               room.workspace->compiler().state().stage == Stage::finished;
    }
    [[nodiscard]] bool advised() {
        return QTest::qWaitFor(
            [this] {
                const TidyState& state = room.workspace->tidy().state();
                return state.stage == Stage::finished && state.answered == room.workspace->bench().generation();
            },
            longWait);
    }
    [[nodiscard]] QList<int> adviceLines() {
        QList<int> lines;
        for (const EditorMark& mark : area.editor().diagnostics())
            if (mark.severity == EditorMark::Severity::advice) lines << mark.line;
        return lines;
    }
};

} // namespace

void TestLive::initTestCase() {
    listenToWarnings();
}
void TestLive::cleanup() {
    QCOMPARE(warningsTaken(), QStringList());
}

void TestLive::adviceStandsInTheListAndTheMargin() {
    LiveDiagnostics shown;
    const QAbstractItemModelTester tester(&shown.diagnostics.model(),
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    shown.room.workspace->tidy().setTool(tidyTool(shown.room));
    QSignalSpy titles(&shown.diagnostics, &DiagnosticsPanel::titleChanged);
    QVERIFY(shown.at("first"));
    if (!shown.compiled()) QSKIP("nothing compiles here: is the CUDA Toolkit there?");
    QVERIFY(shown.advised());
    QCOMPARE(shown.diagnostics.model().advice(), 2);
    QVERIFY2(shown.diagnostics.tidyText().contains(QStringLiteral("could not parse a place in line 5")),
             qPrintable(shown.diagnostics.tidyText()));
    QCOMPARE(titles.last()[0].toString(), QStringLiteral("Diagnostics")); // advice is not a problem of the compiler's
    QCOMPARE(shown.adviceLines(), QList<int>({3, 4}));
    QTableView& list = shown.diagnostics.messages();
    const int last = list.model()->rowCount() - 1;
    const QModelIndex row = list.model()->index(last, DiagnosticsModel::text);
    QCOMPARE(row.data().toString(),
             QStringLiteral("narrowing conversion [bugprone-narrowing-conversions; clang-tidy]"));
    QCOMPARE(row.siblingAtColumn(DiagnosticsModel::severity).data().toString(), QStringLiteral("Advice"));
    QSignalSpy asked(&shown.room.workspace->bench(), &Bench::lineRequested);
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualRect(row).center());
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked[0][0].toInt(), 4);
    QCOMPARE(asked[0][1].toInt(), 13);
}

void TestLive::adviceFollowsTheText() {
    LiveDiagnostics shown;
    shown.room.workspace->tidy().setTool(tidyTool(shown.room));
    QVERIFY(shown.at("first"));
    if (!shown.compiled()) QSKIP("nothing compiles here: is the CUDA Toolkit there?");
    QVERIFY(shown.advised());
    QCOMPARE(shown.diagnostics.model().advice(), 2);
    shown.room.workspace->bench().setSource(shown.room.workspace->bench().source() + QStringLiteral("// more\n"), 0);
    QCOMPARE(shown.diagnostics.model().advice(), 0); // of the text before
    QVERIFY(shown.diagnostics.tidyText().contains(QStringLiteral("running")));
    QVERIFY(shown.advised());
    QCOMPARE(shown.diagnostics.model().advice(), 2);
    // One that is still to come is given up.
    shown.room.workspace->bench().setSource(shown.room.workspace->bench().source() + QStringLiteral("// more\n"), 0);
    shown.room.workspace->trials().cancel();
    QCOMPARE(shown.room.workspace->tidy().state().stage, Stage::cancelled);
    QVERIFY(shown.diagnostics.tidyText().contains(QStringLiteral("cancelled")));
}

void TestLive::absenceAndSilenceAreSaid() {
    LiveDiagnostics shown;
    shown.room.workspace->tidy().setTool({});
    QVERIFY(shown.at("first"));
    WAIT_COMPARE(shown.room.workspace->tidy().state().stage, Stage::failed);
    QVERIFY2(shown.diagnostics.tidyText().contains(QStringLiteral("clang-tidy was not found")),
             qPrintable(shown.diagnostics.tidyText()));
    QVERIFY(shown.diagnostics.tidyText().contains(QStringLiteral("Install it")));
    shown.room.workspace->tidy().setTool({program(shown.room, "clang-tidy", "exit 0\n").toStdString(), "/"});
    QVERIFY(shown.room.openKernel("odd"));
    QVERIFY(shown.advised());
    QCOMPARE(shown.diagnostics.tidyText(), QStringLiteral("clang-tidy has no advice."));
}

void TestLive::adviceIsTurnedOff() {
    LiveDiagnostics shown;
    shown.room.workspace->tidy().setTool(tidyTool(shown.room));
    QVERIFY(shown.at("first"));
    QVERIFY(shown.advised());
    shown.room.workspace->settings().set(setting::liveTidy, false);
    QCOMPARE(shown.diagnostics.model().advice(), 0);
    QVERIFY(shown.diagnostics.tidyText().contains(QStringLiteral("is off")));
    QCOMPARE(shown.room.workspace->session().value(QStringLiteral("live_tidy")), QByteArray("off"));
    shown.room.workspace->settings().set(setting::liveTidy, true);
    QVERIFY(shown.advised());
    QCOMPARE(shown.diagnostics.model().advice(), 2);
}

void TestLive::sassStandsBesideTheSource() {
    LiveDiagnostics shown;
    // Found on PATH by the compile child, which is started with the first kernel.
    const QByteArray before = qgetenv("PATH");
    program(
        shown.room, "nvdisasm",
        "printf '%s\\n' '\t.section\t.text._Z1kPfi,\"ax\",@progbits' '        .other          "
        "_Z1kPfi,@\"STO_CUDA_ENTRY STV_DEFAULT\"' '.text._Z1kPfi:' '\t//## File \"/tmp/kernel.cu\", line 5' '        "
        "/*0000*/                   LDC R1, c[0x0][0x28] ;   // |  1   |      |  /* 0x00000a00ff017b82 */' "
        "'                                                            /* 0x000fe20000000800 */'\n");
    qputenv("PATH", shown.room.folder.path().toUtf8() + ":" + before);
    QVERIFY(shown.at("first"));
    const bool compiled = shown.compiled();
    qputenv("PATH", before);
    if (!compiled || !shown.room.workspace->compiler().state().answer->ok)
        QSKIP("nothing compiles here: is the CUDA Toolkit there?");
    QVERIFY(shown.area.sass().isHidden());
    shown.area.sass().showListing();
    shown.area.showSass(true);
    WAIT_VERIFY(!shown.area.sass().listing().isEmpty());
    const QString text = shown.area.sass().listing().editor().text();
    QVERIFY2(text.contains(QStringLiteral("LDC R1, c[0x0][0x28] ;")) &&
                 text.contains(QStringLiteral("// B------:R-:W-:-:S01  1 live")),
             qPrintable(text));
    shown.area.editor().goToLine(5);
    WAIT_COMPARE(shown.area.sass().listing().highlighted(), std::vector<int>{0});
    // It is there again after a restart.
    const QByteArray state = shown.area.saveState();
    EditorArea again(editorAround(*shown.room.workspace), roomTheme());
    again.restoreState(state);
    QVERIFY(again.isShowingSass() && !again.isShowingPtx() && again.sass().isShowingListing());
}

void TestLive::sassWithoutItsToolSaysSo() {
    LiveDiagnostics shown;
    QVERIFY(shown.at("first"));
    if (!shown.compiled() || !shown.room.workspace->compiler().state().answer->ok)
        QSKIP("nothing compiles here: is the CUDA Toolkit there?");
    shown.area.sass().showListing();
    shown.area.showSass(true);
    WAIT_VERIFY(!shown.room.workspace->trials().isBusy());
    if (!shown.area.sass().listing().isEmpty()) QSKIP("nvdisasm is installed here");
    QVERIFY2(shown.area.sass().listing().emptyText().contains(QStringLiteral("needs nvdisasm")),
             qPrintable(shown.area.sass().listing().emptyText()));
    QVERIFY(shown.area.sass().listing().emptyText().contains(QStringLiteral("Install")));
}

void TestLive::nsightComputeStandsBesideTheArchive() {
    LiveDiagnostics shown;
    ProfilesPanel panel({shown.room.workspace->bench(), shown.room.workspace->trials(), shown.room.workspace->runner(),
                         shown.room.workspace->profiles(), shown.room.workspace->ncu(), shown.room.workspace->notices(),
                         shown.room.workspace->settings()},
                        roomTheme());
    panel.resize(1000, 420);
    panel.show();
    protocol::NcuTool tool;
    tool.program =
        program(shown.room, "ncu",
                "while [ $# -gt 0 ]; do if [ \"$1\" = --log-file ]; then log=\"$2\"; fi; shift; done\n"
                "{ echo '\"ID\",\"Kernel Name\",\"Context\",\"Stream\",\"Grid "
                "Size\",\"gpu__time_duration.sum\",\"lts__t_sector_hit_rate.pct\"'\n"
                "echo '\"\",\"\",\"\",\"\",\"\",\"nsecond\",\"%\"'\n"
                "echo '\"0\",\"k(float *, int)\",\"1\",\"7\",\"(1, 1, 1)\",\"4,096\",\"12.5\"'; } > \"$log\"\n")
            .toStdString();
    shown.room.workspace->ncu().setTool(tool);
    QVERIFY(shown.at("tiled_base"));
    QSignalSpy notices(&shown.room.workspace->notices(), &Notices::posted);
    QTest::mouseClick(&panel.ncuPage().measureButton(), Qt::LeftButton);
    QCOMPARE(notices.count(), 1); // its task is nobody's: what is it to be called with?
    shown.room.workspace->assignment().setArguments({QStringLiteral("float32[8]")});
    QTest::mouseClick(&panel.ncuPage().measureButton(), Qt::LeftButton);
    QVERIFY(shown.room.workspace->trials().isBusy());
    QVERIFY(!panel.ncuPage().measureButton().isEnabled());
    WAIT_COMPARE(shown.room.workspace->ncu().state().stage, Stage::finished);
    QVERIFY2(panel.ncuPage().sentence().contains(QStringLiteral("Measured: k(float *, int), the only launch.")),
             qPrintable(panel.ncuPage().sentence()));
    const QAbstractItemModel& model = *panel.ncuPage().tree().model();
    QString archived, measured;
    for (int group = 0; group < model.rowCount(); ++group)
        for (int row = 0; row < model.rowCount(model.index(group, 0)); ++row) {
            const QModelIndex cell = model.index(row, NcuModel::name, model.index(group, 0));
            if (cell.data().toString() != QLatin1String("L2 Hit Rate")) continue;
            archived = cell.siblingAtColumn(NcuModel::archived).data().toString();
            measured = cell.siblingAtColumn(NcuModel::measured).data().toString();
        }
    QCOMPARE(archived, QStringLiteral("97"));
    QCOMPARE(measured, QStringLiteral("12.5"));
    // Another text was not measured.
    shown.room.workspace->bench().setSource(shown.room.workspace->bench().source() + QStringLiteral("// more\n"), 0);
    QVERIFY(panel.ncuPage().sentence().contains(QStringLiteral("before your edit, and is not shown")));
}

/// In a run of its own; the table, and what hovering a line says.
void TestLive::nsightComputeSamplesStallsByLine() {
    LiveDiagnostics shown;
    Workspace& workspace = *shown.room.workspace;
    ProfilesPanel panel({workspace.bench(), workspace.trials(), workspace.runner(), workspace.profiles(),
                         workspace.ncu(), workspace.notices(), workspace.settings()},
                        roomTheme());
    protocol::NcuTool tool;
    const QString table = shown.room.folder.filePath(QStringLiteral("stalls.csv"));
    QFile file(table);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(sourceTable);
    file.close();
    tool.program =
        program(
            shown.room, "ncu",
            "page=raw\nwhile [ $# -gt 0 ]; do case \"$1\" in --log-file) log=\"$2\";; --page) page=\"$2\";; esac; "
            "shift; done\nif [ $page = source ]; then cp '" +
                table.toUtf8() +
                "' \"$log\"; else { echo '\"ID\",\"Kernel Name\",\"Context\",\"Stream\",\"gpu__time_duration.sum\"'\n"
                "echo '\"\",\"\",\"\",\"\",\"nsecond\"'\n"
                "echo '\"0\",\"k(float *, int)\",\"1\",\"7\",\"4,096\"'; } > \"$log\"; fi\n")
            .toStdString();
    workspace.ncu().setTool(tool);
    QVERIFY(shown.at("tiled_base"));
    workspace.assignment().setArguments({QStringLiteral("float32[8]")});
    QTest::mouseClick(&panel.ncuPage().measureButton(), Qt::LeftButton);
    WAIT_COMPARE(workspace.ncu().stalls().stage, Stage::finished);
    const QAbstractItemModel& model = *panel.ncuPage().tree().model();
    QStringList rows;
    for (int group = 0; group < model.rowCount(); ++group)
        if (const QModelIndex head = model.index(group, 0);
            head.data().toString() == QLatin1String("Stall reasons by line"))
            for (int row = 0; row < model.rowCount(head); ++row)
                rows << model.index(row, NcuModel::name, head).data().toString() + QLatin1Char(' ') +
                            model.index(row, NcuModel::measured, head).data().toString();
    QCOMPARE(rows.size(), 3);
    QCOMPARE(rows.front(), QStringLiteral("line 5: long_sb 91%"));
    Heat& heat = workspace.heat();
    heat.setCounter(HeatCounter::stalls);
    QCOMPARE(heat.lines().size(), std::size_t(3));
    QCOMPARE(heat.lines().front().value, 1.0);
    QVERIFY2(heat.lines()[1].text.contains(QStringLiteral("barrier 84% (the other warps of the block, at a barrier)")),
             qPrintable(heat.lines()[1].text));
    workspace.bench().setSource(workspace.bench().source() + QStringLiteral("// more\n"), 0);
    QVERIFY(heat.lines().empty());
}

void TestLive::nsightComputeMayBeRefused() {
    LiveDiagnostics shown;
    ProfilesPanel panel({shown.room.workspace->bench(), shown.room.workspace->trials(), shown.room.workspace->runner(),
                         shown.room.workspace->profiles(), shown.room.workspace->ncu(), shown.room.workspace->notices(),
                         shown.room.workspace->settings()},
                        roomTheme());
    panel.resize(1000, 420);
    panel.show();
    shown.room.workspace->ncu().setTool({{}, {"/opt/nvidia/nsight-compute"}});
    QVERIFY(shown.at("first"));
    shown.room.workspace->assignment().setArguments({QStringLiteral("float32[8]")});
    QVERIFY(panel.emptyText(ProfilesPanel::ncu).contains(QStringLiteral("The archive has no")));
    shown.room.workspace->trials().measure();
    WAIT_COMPARE(shown.room.workspace->ncu().state().stage, Stage::failed);
    QVERIFY2(panel.emptyText(ProfilesPanel::ncu).contains(QStringLiteral("ncu was not found")),
             qPrintable(panel.emptyText(ProfilesPanel::ncu)));
    protocol::NcuTool tool;
    tool.program = program(shown.room, "ncu",
                           "while [ $# -gt 0 ]; do if [ \"$1\" = --log-file ]; then echo '==ERROR== ERR_NVGPUCTRPERM' "
                           "> \"$2\"; fi; shift; done\nexit 1\n")
                       .toStdString();
    shown.room.workspace->ncu().setTool(tool);
    shown.room.workspace->trials().measure();
    WAIT_VERIFY(!shown.room.workspace->ncu().isBusy());
    QVERIFY2(panel.emptyText(ProfilesPanel::ncu).contains(QStringLiteral("NVreg_RestrictProfilingToAdminUsers=0")),
             qPrintable(panel.emptyText(ProfilesPanel::ncu)));
    // The button under it tries again.
    tool.program = program(shown.room, "ncu", "while :; do sleep 1; done\n").toStdString();
    shown.room.workspace->ncu().setTool(tool);
    QPushButton* button = nullptr;
    for (auto* found : panel.findChildren<QPushButton*>())
        if (found->isVisible()) button = found;
    QVERIFY(button);
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(shown.room.workspace->ncu().isBusy());
    shown.room.workspace->trials().cancel();
    WAIT_COMPARE(shown.room.workspace->ncu().state().stage, Stage::cancelled);
}

/// The whole window on rows of the published archive, for people to look at.
void TestLive::pictures() {
    const QString folder = qEnvironmentVariable("KERNELARIUM_PICTURES");
    const QString rows = QStringLiteral(KERNELARIUM_SHARED_DIR "/archive_sample/full_rows.jsonl");
    if (folder.isEmpty() || !QFile::exists(rows))
        QSKIP("KERNELARIUM_PICTURES names no folder, or the sample is not here");
    QDir().mkpath(folder);
    for (const auto choice : {Theme::Choice::light, Theme::Choice::dark}) {
        roomTheme().setChoice(choice);
        ProfiledRoom room;
        MainWindow window(*room.workspace, roomTheme());
        window.resize(1440, 900);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window, longWait));
        QVERIFY(QTest::qWaitFor([&] { return room.workspace->session().isReady(); }, longWait));
        room.workspace->archive().import({rows}, room.folder.filePath(QStringLiteral("full.sqlite")));
        QVERIFY(QTest::qWaitFor([&] { return room.workspace->archive().table() != nullptr; }, longWait));
        QVERIFY(room.openKernel("tiled_opt_base"));
        (void)QTest::qWaitFor([&] { return room.workspace->compiler().isSettled(); }, longWait);
        (void)QTest::qWaitFor([&] { return !isBusy(room.workspace->tidy().state().stage); }, longWait);
        for (const char* dock : {"profiles", "lineage", "diagnostics", "roofline"}) {
            window.showDock(QString::fromUtf8(dock));
            QTest::qWait(300);
            QVERIFY(window.grab().save(
                QStringLiteral("%1/window-%2-%3.png").arg(folder, QString::fromUtf8(dock), Theme::word(choice))));
        }
    }
    roomTheme().setChoice(Theme::Choice::light);
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestLive);
