// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_workspace/WorkspaceRoom.h"
#include "ui/stepper/AccessModel.h"
#include "ui/stepper/LaneStrip.h"
#include "ui/stepper/RegisterModel.h"
#include "ui/stepper/SharedModel.h"
#include "ui/stepper/StepControls.h"
#include "ui/stepper/StepTargetBar.h"
#include "ui/stepper/StepsPanel.h"
#include "ui/theme/Theme.h"
#include "ui/verdict/VerdictPanel.h"
#include "ui/widgets/EmptyState.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QTest>
#include <QToolButton>

using namespace kernelarium;
using namespace kernelarium::ui;
using Move = StepWalk::Move;

namespace {

/// Line 6 stores to shared memory with a stride of 2 words: two words of every second bank. Line 8 loads.
constexpr const char* strided = R"(#include <torch/extension.h>
__global__ void strided(const float* in, float* out) {
    __shared__ float tile[128];
    const int i = threadIdx.x;
    if (i < 64) {
        tile[2 * i] = in[i];
        __syncthreads();
        out[i] = tile[2 * (63 - i)] + 1.0f;
    }
}
torch::Tensor forward(torch::Tensor in) {
    auto out = torch::empty_like(in);
    strided<<<1, 64>>>(in.data_ptr<float>(), out.data_ptr<float>());
    return out;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
)";

struct Desk {
    WorkspaceRoom bench;
    Theme theme;
    std::unique_ptr<StepsPanel> panel;

    [[nodiscard]] bool open(const QString& path, const QStringList& arguments) {
        panel = std::make_unique<StepsPanel>(
            StepsPanel::Around{bench.workspace->bench(), bench.workspace->trials(), bench.workspace->stepper()}, theme);
        panel->resize(1100, 500);
        panel->show();
        bench.workspace->bench().openFile(path);
        if (!QTest::qWaitFor([&] { return !bench.workspace->bench().kernel().isEmpty(); }, longWait)) return false;
        bench.workspace->assignment().setArguments(arguments);
        return bench.compiled();
    }
    [[nodiscard]] bool openStrided() {
        const QString path = bench.folder.filePath(QStringLiteral("strided.cu"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(strided) < 0) return false;
        file.close();
        return open(path, {QStringLiteral("float32[64]")});
    }
    [[nodiscard]] bool ended() {
        return QTest::qWaitFor(
            [&] {
                return !bench.workspace->trials().isBusy() && bench.workspace->stepper().state().stage != Stage::idle;
            },
            longWait);
    }
    StepWalk& walk() { return panel->walk(); }
    /// Goes to the first step at the line, from the beginning.
    [[nodiscard]] bool goToLine(int line) {
        walk().goTo(0);
        for (std::size_t k = 0; k < walk().recording().steps.size(); ++k) {
            walk().goTo(k);
            if (walk().instruction().line == line) return true;
        }
        return false;
    }
};

QString addOutOfBounds() {
    return QStringLiteral(KERNELARIUM_SOURCE_DIR "/tests/cli/kernels/add_out_of_bounds.cu");
}

} // namespace

class TestSteps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theEmptyPanelSaysWhatToDo();
    void aRecordingIsMadeAndWalked();
    void sharedMemoryShowsReadsWritesAndConflicts();
    void modelsAreSound();
    void aFaultIsSteppedThrough();
    void lanesAreChosenByMouseAndKeys();
    void whatIsNotThereIsSaid();
    void anEditMakesItStale();
    void bothThemesAreDrawn();
};

void TestSteps::theEmptyPanelSaysWhatToDo() {
    WorkspaceRoom bench;
    Theme theme;
    StepsPanel panel({bench.workspace->bench(), bench.workspace->trials(), bench.workspace->stepper()}, theme);
    panel.show();
    QVERIFY(!panel.isShowingSteps());
    QVERIFY(!panel.targetBar().button().isEnabled());
    QVERIFY(panel.targetBar().button().toolTip().contains(QStringLiteral("choose a kernel first")));
}

void TestSteps::aRecordingIsMadeAndWalked() {
    Desk desk;
    QVERIFY(desk.openStrided());
    QSignalSpy lines(&desk.bench.workspace->bench(), &Bench::stepLineChanged);
    QTest::mouseClick(&desk.panel->targetBar().button(), Qt::LeftButton);
    QVERIFY(desk.bench.workspace->trials().isBusy());
    QVERIFY(desk.ended());
    QVERIFY2(desk.panel->isShowingSteps(), qPrintable(desk.panel->notice()));
    QVERIFY(desk.panel->notice().contains(QStringLiteral("strided")));
    QCOMPARE(desk.walk().at(), std::size_t(0));
    QCOMPARE(desk.walk().recording().warps, 2u);
    QVERIFY(!desk.panel->controls().button(Move::back).isEnabled());
    QTest::mouseClick(&desk.panel->controls().button(Move::forth), Qt::LeftButton);
    QCOMPARE(desk.walk().at(), std::size_t(1));
    QTest::mouseClick(&desk.panel->controls().button(Move::back), Qt::LeftButton);
    QCOMPARE(desk.walk().at(), std::size_t(0));
    const int first = desk.walk().instruction().line;
    QTest::mouseClick(&desk.panel->controls().button(Move::nextLine), Qt::LeftButton);
    QVERIFY(desk.walk().instruction().line != first);
    QCOMPARE(desk.bench.workspace->bench().stepLine(), desk.walk().instruction().line);
    QTest::mouseClick(&desk.panel->controls().button(Move::barrier), Qt::LeftButton);
    QVERIFY(desk.walk().instruction().isBarrier);
    desk.panel->controls().slider().setFocus();
    QTest::keyClick(&desk.panel->controls().slider(), Qt::Key_End);
    QCOMPARE(desk.walk().at(), desk.walk().recording().steps.size() - 1);
    QVERIFY(!desk.panel->controls().button(Move::forth).isEnabled());
    QVERIFY(lines.size() > 2);
}

void TestSteps::sharedMemoryShowsReadsWritesAndConflicts() {
    Desk desk;
    QVERIFY(desk.openStrided());
    QTest::mouseClick(&desk.panel->targetBar().button(), Qt::LeftButton);
    QVERIFY(desk.ended());
    auto* model = qobject_cast<SharedModel*>(desk.panel->sharedMemory().model());
    QCOMPARE(model->rowCount(), 4);
    const auto stores = [&] {
        for (const recording::Access& a : desk.walk().step().accesses)
            if (a.space == recording::Space::shared && a.writes) return true;
        return false;
    };
    while (!stores())
        QVERIFY(desk.walk().go(Move::forth));
    QCOMPARE(desk.walk().instruction().line, 6);
    QCOMPARE(model->wordsOfBank(0), 2);
    QCOMPARE(model->wordsOfBank(1), 0);
    QVERIFY(model->headerData(0, Qt::Horizontal, Qt::DisplayRole).toString().contains(QStringLiteral("×2")));
    QVERIFY(model->marksOf(62) & SharedModel::written);
    QCOMPARE(model->marksOf(63), int(SharedModel::none));
    QCOMPARE(model->data(model->index(0, 1)).toString(), QStringLiteral("·")); // never written
    QVERIFY(model->data(model->index(0, 0)).toString().endsWith(QStringLiteral("←")));
    QCOMPARE(desk.walk().step().accesses.back().wavefronts, 2u);
    auto* accesses = qobject_cast<AccessModel*>(desk.panel->accesses().model());
    QCOMPARE(accesses->rowCount(), 32);
    QCOMPARE(accesses->data(accesses->index(3, AccessModel::where)).toString(), QStringLiteral("shared + 24"));
    QVERIFY(accesses->summary().contains(QStringLiteral("2 bank passes (1 needed)")));
    QVERIFY(desk.walk().go(Move::back));
    QCOMPARE(model->data(model->index(0, 0)).toString(), QStringLiteral("·")); // not yet
}

void TestSteps::modelsAreSound() {
    Desk desk;
    QVERIFY(desk.openStrided());
    std::vector<std::unique_ptr<QAbstractItemModelTester>> testers;
    for (QTableView* view : {&desk.panel->registers(), &desk.panel->sharedMemory(), &desk.panel->accesses()})
        testers.push_back(std::make_unique<QAbstractItemModelTester>(
            view->model(), QAbstractItemModelTester::FailureReportingMode::QtTest));
    QTest::mouseClick(&desk.panel->targetBar().button(), Qt::LeftButton);
    QVERIFY(desk.ended());
    while (desk.walk().go(Move::forth)) {
    }
    desk.walk().setFormat(recording::Format::hex);
    desk.walk().setLane(5);
    while (desk.walk().go(Move::previousLine)) {
    }
    auto* registers = qobject_cast<RegisterModel*>(desk.panel->registers().model());
    QVERIFY(registers->changedRow() >= 0);
    QVERIFY(registers->data(registers->index(registers->changedRow(), RegisterModel::name))
                .toString()
                .startsWith(QStringLiteral("•")));
    QCOMPARE(registers->headerData(RegisterModel::value, Qt::Horizontal, Qt::DisplayRole).toString(),
             QStringLiteral("Lane 5"));
    desk.bench.workspace->bench().openFile(addOutOfBounds()); // another kernel: nothing is left of it
    WAIT_VERIFY(desk.walk().isEmpty());
    QCOMPARE(registers->rowCount(), 0);
    QCOMPARE(desk.bench.workspace->bench().stepLine(), 0);
}

void TestSteps::aFaultIsSteppedThrough() {
    Desk desk;
    QVERIFY(desk.open(addOutOfBounds(), {QStringLiteral("float32[40,25]"), QStringLiteral("float32[40,25]")}));
    VerdictPanel verdict({desk.bench.workspace->bench(), desk.bench.workspace->assignment(),
                          desk.bench.workspace->trials(), desk.bench.workspace->past(), desk.bench.workspace->runner(),
                          desk.bench.workspace->cards()},
                         desk.theme);
    verdict.resize(900, 400);
    verdict.show();
    desk.bench.workspace->assignment().setReference(QStringLiteral(KERNELARIUM_SOURCE_DIR "/tests/cli/kernels/add.cu"));
    WAIT_VERIFY(!desk.bench.workspace->bench().kernel().referenceText.isEmpty());
    desk.bench.workspace->trials().verify();
    QVERIFY(desk.bench.verdict());
    QVERIFY(verdict.stepButton().isVisible());
    QTest::mouseClick(&verdict.stepButton(), Qt::LeftButton);
    QVERIFY(desk.ended());
    QVERIFY2(desk.panel->isShowingSteps(), qPrintable(desk.panel->notice()));
    QCOMPARE(desk.walk().instruction().line, 7);
    QCOMPARE(desk.walk().step().warp, 0u);
    QCOMPARE(desk.bench.workspace->bench().stepLine(), 7);
    while (desk.walk().step().faults.empty())
        QVERIFY(desk.walk().go(Move::forth));
    QCOMPARE(desk.walk().step().faults[0].kind, std::string("out_of_bounds"));
    QVERIFY(desk.panel->lanes().text().contains(QStringLiteral("at fault: 0")));
}

void TestSteps::lanesAreChosenByMouseAndKeys() {
    Desk desk;
    QVERIFY(desk.openStrided());
    QTest::mouseClick(&desk.panel->targetBar().button(), Qt::LeftButton);
    QVERIFY(desk.ended());
    LaneStrip& strip = desk.panel->lanes();
    QTest::mouseClick(&strip, Qt::LeftButton, {}, strip.cell(17).center());
    QCOMPARE(desk.walk().lane(), 17);
    strip.setFocus();
    QTest::keyClick(&strip, Qt::Key_Right);
    QCOMPARE(desk.walk().lane(), 18);
    QTest::keyClick(&strip, Qt::Key_Home);
    QCOMPARE(desk.walk().lane(), 0);
    QTest::keyClick(&strip, Qt::Key_Left); // there is none before
    QCOMPARE(desk.walk().lane(), 0);
}

void TestSteps::whatIsNotThereIsSaid() {
    Desk desk;
    QVERIFY(desk.openStrided());
    QSignalSpy notices(&desk.bench.workspace->notices(), &Notices::posted);
    StepTarget target;
    target.request.block = {5, 0, 0};
    desk.bench.workspace->trials().stepThrough(target);
    QVERIFY(desk.ended());
    QCOMPARE(desk.bench.workspace->stepper().state().stage, Stage::failed);
    QCOMPARE(desk.bench.workspace->stepper().state().error.code, std::string("no_such_block"));
    QVERIFY(!desk.panel->isShowingSteps());
    const auto says = [&](const char* words) {
        for (const auto* label : desk.panel->findChildren<QLabel*>())
            if (label->text().contains(QLatin1String(words))) return true;
        return false;
    };
    QVERIFY(says("its grid is (1, 1, 1)"));
    desk.bench.workspace->trials().stepThrough({});
    desk.bench.workspace->trials().cancel();
    QVERIFY(desk.ended());
    QCOMPARE(desk.bench.workspace->stepper().state().stage, Stage::cancelled);
    QVERIFY(says("The recording was cancelled."));
    QVERIFY(notices.isEmpty()); // the panel says it
}

void TestSteps::anEditMakesItStale() {
    Desk desk;
    QVERIFY(desk.openStrided());
    QTest::mouseClick(&desk.panel->targetBar().button(), Qt::LeftButton);
    QVERIFY(desk.ended());
    QVERIFY(desk.walk().go(Move::nextLine));
    QVERIFY(desk.bench.workspace->bench().stepLine() > 0);
    desk.bench.workspace->bench().setSource(desk.bench.workspace->bench().source() + QStringLiteral("\n// more\n"), 0);
    QVERIFY(desk.panel->notice().contains(QStringLiteral("edited since")));
    QCOMPARE(desk.bench.workspace->bench().stepLine(), 0);
    QVERIFY(desk.panel->isShowingSteps());
}

void TestSteps::bothThemesAreDrawn() {
    Desk desk;
    QVERIFY(desk.openStrided());
    QTest::mouseClick(&desk.panel->targetBar().button(), Qt::LeftButton);
    QVERIFY(desk.ended());
    for (const Theme::Choice choice : {Theme::Choice::light, Theme::Choice::dark}) {
        desk.theme.setChoice(choice);
        QVERIFY(desk.goToLine(6));
        const QImage strip = desk.panel->lanes().grab().toImage();
        const QPoint inside = desk.panel->lanes().cell(9).topLeft() + QPoint(3, 3);
        QCOMPARE(strip.pixelColor(inside), desk.theme.colours().accent);
    }
}

KERNELARIUM_TEST(TestSteps);
#include "TestSteps.moc"
