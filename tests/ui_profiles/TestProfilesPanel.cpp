// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_profiles/TestProfilesPanel.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_profiles/ProfiledRoom.h"
#include "ui/editor/CodeEditor.h"
#include "ui/plots/RooflinePanel.h"
#include "ui/profiles/NcuPage.h"
#include "ui/profiles/ProfilesPanel.h"
#include "ui/profiles/TidyModel.h"
#include "ui/profiles/TorchPlot.h"
#include "ui/source/EditorArea.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTreeView>
#include <fstream>
#include <nlohmann/json.hpp>

namespace kernelarium::ui {

namespace {

using FailureMode = QAbstractItemModelTester::FailureReportingMode;

struct ShownProfiles {
    ProfiledRoom room;
    ProfilesPanel panel{{room.workspace->bench(), room.workspace->trials(), room.workspace->runner(),
                         room.workspace->profiles(), room.workspace->ncu(), room.workspace->notices(),
                         room.workspace->settings()},
                        roomTheme()};
    ShownProfiles() {
        panel.resize(1000, 420);
        panel.show();
    }
    [[nodiscard]] bool at(const std::string& kernel, ProfilesPanel::Tab tab) {
        if (!room.open() || !room.openKernel(kernel)) return false;
        panel.tabs().setCurrentIndex(tab);
        return QTest::qWaitForWindowExposed(&panel, longWait);
    }
    [[nodiscard]] QAbstractItemModel& figures() { return *panel.ncuPage().tree().model(); }
    /// The first cell of the row with that name; invalid without one.
    [[nodiscard]] QModelIndex figure(const QString& name) {
        for (int group = 0; group < figures().rowCount(); ++group)
            for (int row = 0; row < figures().rowCount(figures().index(group, 0)); ++row)
                if (const auto cell = figures().index(row, 0, figures().index(group, 0));
                    cell.data().toString() == name)
                    return cell;
        return {};
    }
    [[nodiscard]] QString cell(const QString& name, NcuModel::Column column) {
        return figure(name).siblingAtColumn(column).data().toString();
    }
    [[nodiscard]] QStringList groups() {
        QStringList titles;
        for (int group = 0; group < figures().rowCount(); ++group)
            titles << figures().index(group, 0).data().toString();
        return titles;
    }
};

protocol::ProfileSummary countedSummary() {
    protocol::ProfileSummary counted;
    counted.end = "finished";
    perf::LaunchCounters small, large;
    small.kernel = "zero";
    large.kernel = "k";
    large.registers = 32;
    large.totals.warpInstructions = 1000;
    large.totals.threadInstructions = 24000;
    large.totals.threadInstructionsOn = 16000;
    large.totals.globalLoadSectors = 400;
    large.totals.l2LoadSectors = 100;
    counted.counters = {small, large};
    perf::LaunchTime quick, slow;
    quick.seconds = 1e-6;
    slow.seconds = 1e-3;
    slow.deviceMemoryBytes = 2e9;
    slow.occupancy.share = 0.5;
    slow.occupancy.warps = 32;
    slow.occupancy.byRegisters = 6;
    counted.time.launches = {quick, slow};
    return counted;
}

} // namespace

void TestProfilesPanel::initTestCase() {
    listenToWarnings();
}
void TestProfilesPanel::cleanup() {
    QCOMPARE(warningsTaken(), QStringList());
}

void TestProfilesPanel::withoutAKernelItTeaches() {
    ShownProfiles shown;
    for (const auto tab : {ProfilesPanel::ncu, ProfilesPanel::torch, ProfilesPanel::tidy})
        QVERIFY2(shown.panel.emptyText(tab).contains(QStringLiteral("appears here")),
                 qPrintable(shown.panel.emptyText(tab)));
}

void TestProfilesPanel::ncuIsGroupedWithUnitsAndRules() {
    ShownProfiles shown;
    const QAbstractItemModelTester tester(&shown.figures(), FailureMode::QtTest);
    QVERIFY(shown.at("tiled_base", ProfilesPanel::ncu));
    QVERIFY(shown.panel.emptyText(ProfilesPanel::ncu).isEmpty());
    QCOMPARE(shown.groups(),
             QStringList({QStringLiteral("Rules and messages"), QStringLiteral("Towards a roofline"),
                          QStringLiteral("Instructions"), QStringLiteral("Memory"), QStringLiteral("Occupancy")}));
    QCOMPARE(shown.cell(QStringLiteral("L2 Hit Rate"), NcuModel::archived), QStringLiteral("97"));
    QCOMPARE(shown.cell(QStringLiteral("L2 Hit Rate"), NcuModel::unit), QStringLiteral("%"));
    QCOMPARE(shown.cell(QStringLiteral("Memory Throughput"), NcuModel::archived), QStringLiteral("20.6"));
    QCOMPARE(shown.cell(QStringLiteral("Memory Throughput"), NcuModel::unit), QStringLiteral("GB/s"));
    QCOMPARE(shown.cell(QStringLiteral("Bytes moved"), NcuModel::archived),
             QStringLiteral("41.3")); // 20.6 GB/s for 2 ms
    QCOMPARE(shown.cell(QStringLiteral("HighPipeUtilization"), NcuModel::archived), QStringLiteral("warning"));
    QVERIFY(shown.panel.ncuPage().sentence().startsWith(QStringLiteral("Archived:")));
    QVERIFY(shown.panel.ncuPage().sentence().contains(QStringLiteral("does not name")));
    // What a row means stands beneath.
    shown.panel.ncuPage().tree().setCurrentIndex(shown.figure(QStringLiteral("HighPipeUtilization")));
    QCOMPARE(shown.panel.ncuPage().explanation(), QStringLiteral("All compute pipelines are under-utilized."));
    shown.panel.ncuPage().tree().setCurrentIndex(shown.figure(QStringLiteral("L2 Hit Rate")));
    QVERIFY(shown.panel.ncuPage().explanation().contains(QStringLiteral("lts__t_sector_hit_rate.pct")));
    QVERIFY(shown.panel.ncuPage().explanation().contains(QStringLiteral("mean of 5 samples")));
}

void TestProfilesPanel::rowsAreCopiedAndFoundByTyping() {
    ShownProfiles shown;
    QVERIFY(shown.at("tiled_base", ProfilesPanel::ncu));
    QTreeView& tree = shown.panel.ncuPage().tree();
    shown.panel.activateWindow();
    tree.setFocus();
    WAIT_VERIFY(tree.hasFocus());
    tree.setCurrentIndex(shown.figures().index(0, 0));
    QTest::keyClicks(&tree, QStringLiteral("achi"));
    QCOMPARE(tree.currentIndex().data().toString(), QStringLiteral("Achieved Occupancy"));
    QTest::keyClick(&tree, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
    QCOMPARE(lines[0].split(QLatin1Char('\t'))[0], QStringLiteral("Metric"));
    QVERIFY2(lines[1].startsWith(QStringLiteral("Achieved Occupancy\t98.4\t\t\t%\t")), qPrintable(lines[1]));
    QCOMPARE(lines.size(), 3); // the last is empty
}

void TestProfilesPanel::groupsStayFolded() {
    ShownProfiles shown;
    QVERIFY(shown.at("tiled_base", ProfilesPanel::ncu));
    QTreeView& tree = shown.panel.ncuPage().tree();
    const auto head = [&] { return shown.figures().index(int(shown.groups().indexOf(QStringLiteral("Memory"))), 0); };
    QVERIFY(tree.isExpanded(head()));
    tree.collapse(head());
    QVERIFY(shown.room.openKernel("first"));
    QVERIFY(shown.room.openKernel("tiled_base"));
    QVERIFY(!tree.isExpanded(head()));
}

void TestProfilesPanel::theEmulatorStandsBesideTheArchive() {
    const auto archived =
        profile::parseNcuProfile("{'metrics': {'Theoretical Occupancy': {'unit': '%', 'avg_value': 100.0}, 'Memory "
                                 "Throughput': {'unit': 'byte/second', 'avg_value': 1e12}}}");
    QVERIFY(archived.ok());
    const auto counted = countedSummary();
    const auto groups = ncuGroups({&*archived, std::nullopt, nullptr, &counted});
    const auto find = [&](const QString& name) -> const NcuRow* {
        for (const auto& group : groups)
            for (const auto& row : group.rows)
                if (row.name == name) return &row;
        return nullptr;
    };
    const NcuRow* occupancy = find(QStringLiteral("Theoretical Occupancy"));
    QVERIFY(occupancy);
    QCOMPARE(occupancy->archived, QStringLiteral("100"));
    QCOMPARE(occupancy->emulator, QStringLiteral("50"));
    QVERIFY(occupancy->about.contains(QStringLiteral("publishers' GPU")));
    QCOMPARE(find(QStringLiteral("Memory Throughput"))->archived, QStringLiteral("1,000"));
    QCOMPARE(find(QStringLiteral("Memory Throughput"))->emulator, QStringLiteral("2,000")); // GB/s: 2 GB in 1 ms
    QCOMPARE(find(QStringLiteral("Avg. Active Threads Per Warp"))->emulator, QStringLiteral("24"));
    QCOMPARE(find(QStringLiteral("L1/TEX Hit Rate"))->emulator, QStringLiteral("75"));
    QVERIFY(find(QStringLiteral("Warp instructions")));
    QVERIFY(!find(QStringLiteral("L2 Hit Rate"))); // the emulator has no L2 to count
    QCOMPARE(longestLaunch(counted), 1);
    QVERIFY(ncuGroups({}).empty());
}

void TestProfilesPanel::measuredStandsBesideBoth() {
    const auto counted = countedSummary();
    profile::NcuLaunch launch;
    launch.metrics = {{profile::NcuSection::other, "lts__t_sector_hit_rate.pct", "%", 61.25, {}, {}},
                      {profile::NcuSection::other, "smsp__inst_executed.sum", "inst", 1100, {}, {}},
                      {profile::NcuSection::other, "gpu__time_duration.sum", "nsecond", 12345, {}, {}},
                      {profile::NcuSection::other, "brand__new.sum", "", 3, {}, {}}};
    const std::vector<profile::NcuLaunch> measured{{}, launch};
    QCOMPARE(longestLaunch(measured), 1);
    const auto groups = ncuGroups({nullptr, std::nullopt, &measured, &counted});
    QMap<QString, NcuRow> rows;
    for (const auto& group : groups)
        for (const auto& row : group.rows)
            rows.insert(row.name, row);
    QCOMPARE(rows[QStringLiteral("L2 Hit Rate")].measured, QStringLiteral("61.2"));
    QCOMPARE(rows[QStringLiteral("Duration")].measured, QStringLiteral("12.3"));
    QCOMPARE(rows[QStringLiteral("Duration")].emulator, QStringLiteral("1,000"));
    QCOMPARE(rows[QStringLiteral("Duration")].unit, QStringLiteral("µs"));
    QVERIFY(!rows[QStringLiteral("Warp instructions")].measured.isEmpty());
    QVERIFY(rows[QStringLiteral("Warp instructions")].about.contains(QStringLiteral("PTX instructions")));
    QCOMPARE(rows[QStringLiteral("brand__new.sum")].measured, QStringLiteral("3"));
    QVERIFY(!rows.contains(QStringLiteral("lts__t_sector_hit_rate.pct"))); // it stands under its label
}

void TestProfilesPanel::torchIsBars() {
    ShownProfiles shown;
    QVERIFY(shown.at("tiled_base", ProfilesPanel::torch));
    TorchPlot& plot = shown.panel.torchPlot();
    QCOMPARE(plot.plot().bars().size(), std::size_t(1)); // itself, on the device
    QCOMPARE(plot.plot().bars()[0].name, QStringLiteral("tiled(float const*)"));
    QVERIFY(plot.recordOf(0).plain().contains(QStringLiteral("1.5 ms, archived")));
    QVERIFY(plot.recordOf(0).plain().contains(QStringLiteral("Calls: 10")));
    plot.chooser().setCurrentIndex(plot.chooser().findText(QStringLiteral("On the processor"), Qt::MatchStartsWith));
    QCOMPARE(plot.plot().bars().size(), std::size_t(2));
    QCOMPARE(plot.plot().bars()[0].name, QStringLiteral("cudaLaunchKernel")); // the longest on top
    QCOMPARE(plot.numbers().count(QLatin1Char('\n')), 4);
    QVERIFY(plot.svg({700, 300}, lightPalette()).contains(QStringLiteral("cudaLaunchKernel")));
    // Many are gathered into a last bar.
    profile::TorchProfile many;
    for (int i = 0; i < 60; ++i) {
        profile::TorchEntry entry;
        entry.name = "op" + std::to_string(i);
        entry.cpuSelf = 1 + i;
        many.entries.push_back(entry);
    }
    plot.setProfile(many);
    QCOMPARE(int(plot.plot().bars().size()), TorchPlot::mostBars);
    QVERIFY(plot.plot().bars().back().isRest);
    double all = 0;
    for (const auto& bar : plot.plot().bars())
        all += bar.microseconds;
    QCOMPARE(all, 1830.0);
    plot.setProfile({});
    QVERIFY(plot.isEmpty());
}

void TestProfilesPanel::tidyJumpsToTheLine() {
    ShownProfiles shown;
    QTableView& table = shown.panel.tidyTable();
    const QAbstractItemModelTester tester(table.model(), FailureMode::QtTest);
    QVERIFY(shown.at("tiled_base", ProfilesPanel::tidy));
    QCOMPARE(table.model()->rowCount(), 2);
    QCOMPARE(shown.panel.tabs().tabText(ProfilesPanel::tidy), QStringLiteral("clang-tidy (2)"));
    QSignalSpy asked(&shown.room.workspace->bench(), &Bench::lineRequested);
    const QModelIndex second = table.model()->index(1, TidyModel::message);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(second).center());
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked[0][0].toInt(), 4);
    QCOMPARE(asked[0][1].toInt(), 11);
    table.setFocus();
    table.setCurrentIndex(table.model()->index(0, 0));
    QTest::keyClick(&table, Qt::Key_Return);
    QCOMPARE(asked.last()[0].toInt(), 3);
}

void TestProfilesPanel::tidyStandsInTheMargin() {
    ShownProfiles shown;
    EditorArea area(editorAround(*shown.room.workspace), roomTheme());
    area.resize(600, 300);
    area.show();
    QVERIFY(shown.at("tiled_base", ProfilesPanel::tidy));
    if (!QTest::qWaitFor([&] { return shown.room.workspace->compiler().isSettled(); }, longWait)) QFAIL("not compiled");
    const auto advice = [&] {
        QList<int> lines;
        for (const EditorMark& mark : area.editor().diagnostics())
            if (mark.severity == EditorMark::Severity::advice) lines << mark.line;
        return lines;
    };
    if (shown.room.workspace->compiler().state().stage == Stage::failed)
        QSKIP("nothing compiles here: is the CUDA Toolkit there?");
    QCOMPARE(advice(), QList<int>({3})); // line 4 narrows a CUDA index
    // No problem of the compiler's: the key for the next problem does not go there.
    area.editor().goToLine(1);
    area.editor().goToNextMark();
    QCOMPARE(area.editor().cursorLine(), 1);
    shown.panel.besideSource().click();
    QCOMPARE(advice(), QList<int>());
    shown.panel.besideSource().click();
    QCOMPARE(advice(), QList<int>({3})); // line 4 narrows a CUDA index
    // An edited text is not the one that was looked at.
    shown.room.workspace->bench().setSource(shown.room.workspace->bench().source() + QStringLiteral("// more\n"), 0);
    QVERIFY(QTest::qWaitFor([&] { return shown.room.workspace->compiler().isSettled(); }, longWait));
    QCOMPARE(advice(), QList<int>());
}

void TestProfilesPanel::unknownFormsAreRefusedByName() {
    ShownProfiles shown;
    QVERIFY(shown.at("odd", ProfilesPanel::torch));
    for (const auto tab : {ProfilesPanel::ncu, ProfilesPanel::torch, ProfilesPanel::tidy})
        QVERIFY2(shown.panel.emptyText(tab).contains(QStringLiteral("cannot be read")),
                 qPrintable(shown.panel.emptyText(tab)));
    QVERIFY(shown.panel.emptyText(ProfilesPanel::torch).contains(QStringLiteral("Torch profile")));
    // Its text is there to be looked at.
    QPushButton* button = nullptr;
    for (auto* found : shown.panel.tabs().currentWidget()->findChildren<QPushButton*>())
        if (found->isVisible()) button = found;
    QVERIFY(button);
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("Name  Self CPU %  Self CPU"));
}

void TestProfilesPanel::absenceIsSaid() {
    ShownProfiles shown;
    QVERIFY(shown.at("first", ProfilesPanel::ncu));
    for (const auto tab : {ProfilesPanel::ncu, ProfilesPanel::torch, ProfilesPanel::tidy})
        QVERIFY2(shown.panel.emptyText(tab).contains(QStringLiteral("The archive has no")),
                 qPrintable(shown.panel.emptyText(tab)));
    // A kernel of nobody's archive.
    Kernel fresh;
    fresh.origin = Kernel::Origin::fresh;
    fresh.key = QStringLiteral("new:1");
    shown.room.workspace->bench().openText(fresh);
    QVERIFY(shown.panel.emptyText(ProfilesPanel::tidy).contains(QStringLiteral("appears here")));
}

void TestProfilesPanel::theRooflineGetsAPoint() {
    ShownProfiles shown;
    RooflinePanel roofline({shown.room.workspace->bench(), shown.room.workspace->assignment(),
                            shown.room.workspace->place(), shown.room.workspace->trials(), shown.room.workspace->past(),
                            shown.room.workspace->devices(), shown.room.workspace->session(),
                            shown.room.workspace->profiles(), shown.room.workspace->notices()},
                           roomTheme());
    QVERIFY(shown.at("tiled_base", ProfilesPanel::ncu));
    // Its operations come from a card: that of another task stands in here.
    shown.room.workspace->assignment().setTask(task::TaskKey{1, 1});
    const auto labels = [&] {
        QStringList found;
        auto& canvas = roofline.plot().plot();
        for (int i = 0; i < canvas.markCount(); ++i)
            if (canvas.point(i).byteSource == QLatin1String("profiler")) found << canvas.point(i).device;
        return found;
    };
    WAIT_COMPARE(labels().size(), 1);
    QVERIFY(!labels()[0].isEmpty()); // the publishers', whatever it was
    auto& canvas = roofline.plot().plot();
    for (int i = 0; i < canvas.markCount(); ++i)
        if (canvas.point(i).byteSource == QLatin1String("profiler")) {
            QCOMPARE(canvas.point(i).bytes, 20638322909.85 * 2e-3);
            QVERIFY(canvas.point(i).note.contains(QStringLiteral("Neither names its GPU")));
        }
}

void TestProfilesPanel::anArchivedSampleIsRead() {
    std::ifstream in(KERNELARIUM_SHARED_DIR "/archive_sample/full_rows.jsonl");
    if (!in) QSKIP("the sample of the published archive is not here");
    int read = 0;
    for (std::string line; std::getline(in, line);) {
        const auto row = nlohmann::json::parse(line);
        const auto cell = [&](const char* name) {
            return row.value(name, nlohmann::json()).is_string() ? row[name].get<std::string>() : std::string();
        };
        const auto profiles = profile::readProfiles(cell("NCU_Profile"), {}, cell("Clang_Tidy"));
        if (profiles.isEmpty()) continue;
        QVERIFY(profiles.ncu && *profiles.ncu && profiles.tidy && *profiles.tidy);
        const auto groups = ncuGroups({&**profiles.ncu, 1.0, nullptr, nullptr});
        std::size_t figures = 0;
        for (const auto& group : groups)
            figures += group.rows.size();
        QVERIFY(groups.size() >= 7 && figures >= 27 + 3);
        QVERIFY(!(*profiles.tidy)->findings.empty());
        ++read;
    }
    QCOMPARE(read, 39);
}

void TestProfilesPanel::pictures() {
    const QString folder = qEnvironmentVariable("KERNELARIUM_PICTURES");
    if (folder.isEmpty()) QSKIP("KERNELARIUM_PICTURES names no folder");
    QDir().mkpath(folder);
    for (const auto choice : {Theme::Choice::light, Theme::Choice::dark}) {
        roomTheme().setChoice(choice);
        ShownProfiles shown;
        QVERIFY(shown.at("tiled_base", ProfilesPanel::ncu));
        for (const auto tab : {ProfilesPanel::ncu, ProfilesPanel::torch, ProfilesPanel::tidy}) {
            shown.panel.tabs().setCurrentIndex(tab);
            if (tab == ProfilesPanel::torch) shown.panel.torchPlot().chooser().setCurrentIndex(3);
            QCoreApplication::processEvents();
            QVERIFY(shown.panel.grab().save(
                QStringLiteral("%1/profiles-%2-%3.png").arg(folder).arg(int(tab)).arg(Theme::word(choice))));
        }
    }
    roomTheme().setChoice(Theme::Choice::light);
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestProfilesPanel);
