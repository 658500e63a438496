// SPDX-License-Identifier: GPL-3.0-or-later
//
// The panel Tensors with real runs in the emulator.
#include "tests/Pictures.h"
#include "tests/TestRegistry.h"
#include "tests/ui_tensors/TensorRoom.h"
#include "ui/stepper/FaultTarget.h"
#include "ui/tensors/ElementModel.h"
#include "ui/tensors/HistogramPlot.h"
#include "ui/tensors/StoryBar.h"
#include "ui/tensors/TensorBar.h"
#include "ui/tensors/TensorPicture.h"
#include "ui/tensors/ValuesModel.h"
#include "ui/tour/BusyMeter.h"
#include "ui/widgets/EmptyState.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QtTest>
#include <cstdio>

namespace kernelarium::ui {

using Kind = TensorDesk::Kind;
using tensorview::Role;

class TestTensorPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anEmptyPanelSaysWhatToDo();
    void aRunIsSeen();
    void everyTensorCanBeChosen();
    void slicesOfManyDimensions();
    void valuesAreReadWhereTheyAreSeen();
    void longTensorsAreCutAndThatIsSaid();
    void wrongElementsLeadToTheLine();
    void theWayBack();
    void onAGpuTheEmulatorIsOffered();
    void inputsAreWrittenByNobody();
    void withoutAReferenceItIsSaid();
    void runsThatFailShowTheirInputs();
    void anEditedTextHasOtherLines();
    void anotherKernelForgetsAll();
    void anOutputWithoutReferenceBesideOneWithIt();
    void aStoryComesForWhatIsChosen();
    void everythingHasItsName();
};

void TestTensorPanel::anEmptyPanelSaysWhatToDo() {
    TensorRoom room;
    QVERIFY(!room.panel->isShowingTensors());
    QVERIFY(room.panel->emptyState().button()->text().isEmpty() || !room.panel->emptyState().button()->isVisible());
    QVERIFY(!room.panel->bar().lookButton().isEnabled());
    QVERIFY(room.open(TensorRoom::spoiled, QStringLiteral("float32[8,8]"), TensorRoom::plain));
    WAIT_VERIFY(room.panel->emptyState().button()->isVisible());
    test::keepPicture(*room.panel, QStringLiteral("tensors_empty"));
    room.panel->emptyState().button()->click();
    WAIT_VERIFY(room.panel->isShowingTensors());
    QVERIFY(room.settled());
}

void TestTensorPanel::aRunIsSeen() {
    TensorRoom room;
    QVERIFY(room.open(TensorRoom::spoiled, QStringLiteral("float32[8,8]"), TensorRoom::plain));
    QVERIFY(room.look());
    QVERIFY2(room.panel->figures().startsWith(QStringLiteral("float32 [8, 8] · 64 elements")),
             qPrintable(room.panel->figures()));
    QVERIFY(room.panel->figures().contains(QStringLiteral("0 NaN")));
    QVERIFY(room.panel->picture().slice());
    QCOMPARE(room.panel->picture().slice()->rows, 8);
    QVERIFY(room.panel->histogram().plot().markCount() > 1);
    test::keepPicture(*room.panel, QStringLiteral("tensors_output"));
    QStringList names;
    for (int k = 0; k < room.panel->bar().tensors().count(); ++k)
        names << room.panel->bar().tensors().itemText(k);
    QCOMPARE(names.size(), 4);
    QVERIFY(names.join(QLatin1Char(' ')).contains(QStringLiteral("Difference 0")));
}

void TestTensorPanel::everyTensorCanBeChosen() {
    TensorRoom room;
    QVERIFY(room.open(TensorRoom::spoiled, QStringLiteral("float32[8,8]"), TensorRoom::plain));
    QVERIFY(room.look());
    for (const Role role : {Role::reference, Role::difference, Role::input, Role::output}) {
        room.panel->bar().choose({role, 0});
        QVERIFY(room.settled());
        QCOMPARE(room.desk().state(Kind::picture).answeredQuery.subject.role, role);
        QCOMPARE(room.desk().state(Kind::figures).answeredQuery.subject.role, role);
        QVERIFY2(room.panel->figures().contains(QStringLiteral("64 elements")), qPrintable(room.panel->figures()));
    }
    room.panel->bar().choose({Role::difference, 0});
    QVERIFY(room.settled());
    QVERIFY(room.panel->figures().contains(QStringLiteral("63 zero")));
    test::keepPicture(*room.panel, QStringLiteral("tensors_difference"));
    room.panel->bar().choose({Role::output, 0});
    QVERIFY(room.settled());
    room.panel->tabs().setCurrentIndex(1);
    test::keepPicture(*room.panel, QStringLiteral("tensors_histogram"));
    room.panel->tabs().setCurrentIndex(2);
    test::keepPicture(*room.panel, QStringLiteral("tensors_wrong"));
    TensorRoom dark(Theme::Choice::dark);
    QVERIFY(dark.open(TensorRoom::spoiled, QStringLiteral("float32[8,8]"), TensorRoom::plain));
    QVERIFY(dark.look());
    test::keepPicture(*dark.panel, QStringLiteral("tensors_output_dark"));
    dark.panel->tabs().setCurrentIndex(1);
    dark.panel->resize(700, 260);
    test::keepPicture(*dark.panel, QStringLiteral("tensors_histogram_dark_small"));
}

void TestTensorPanel::slicesOfManyDimensions() {
    TensorRoom room;
    QVERIFY(room.open(TensorRoom::spoiled, QStringLiteral("float32[2,3,2,4,5]")));
    QVERIFY(room.look());
    TensorBar& bar = room.panel->bar();
    QVERIFY(bar.indexBox(0) && bar.indexBox(1) && bar.indexBox(2) && !bar.indexBox(3) && !bar.indexBox(4));
    QCOMPARE(room.panel->picture().slice()->rows, 4);
    bar.indexBox(1)->setValue(2);
    QVERIFY(room.settled());
    QCOMPARE(room.panel->picture().slice()->at, (tensor::Shape{0, 2, 0, 0, 0}));
    bar.rowDimension().setCurrentIndex(1);
    QVERIFY(room.settled());
    QCOMPARE(room.panel->picture().slice()->rows, 3);
    QCOMPARE(room.panel->picture().slice()->columns, 5);
    QVERIFY(!bar.indexBox(1) && bar.indexBox(3));
    bar.columnDimension().setCurrentIndex(1); // the rows' own: they give way
    QVERIFY(room.settled());
    QVERIFY(bar.slice().rowDim != bar.slice().columnDim);
    QCOMPARE(*bar.slice().columnDim, 1u);
    QCOMPARE(room.panel->picture().slice()->columns, 3);
    // An element elsewhere takes the slice along.
    room.panel->select({1, 2, 1, 3, 4});
    QVERIFY(room.settled());
    QCOMPARE(room.panel->picture().slice()->at[0], 1);
    test::keepPicture(*room.panel, QStringLiteral("tensors_five_dimensions"));
}

void TestTensorPanel::valuesAreReadWhereTheyAreSeen() {
    TensorRoom room;
    QVERIFY(room.open(TensorRoom::spoiled, QStringLiteral("float32[500,300]")));
    QVERIFY(room.look());
    auto& model = *static_cast<ValuesModel*>(room.panel->values().model());
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 500);
    QCOMPARE(model.columnCount(), 300);
    WAIT_VERIFY(model.index(0, 0).data().toString() != QStringLiteral("…"));
    const QModelIndex far = model.index(450, 290);
    QCOMPARE(far.data().toString(), QStringLiteral("…")); // and is wanted by that
    WAIT_VERIFY(far.data().toString() != QStringLiteral("…"));
    bool isNumber = false;
    far.data().toString().toDouble(&isNumber);
    QVERIFY(isNumber);
    QCOMPARE(model.elementAt(far), (tensor::Shape{450, 290}));
    QCOMPARE(model.indexOf({450, 290}), far);
    QVERIFY(!model.indexOf({500, 0}).isValid());
    QVERIFY(room.settled());
    QCOMPARE(room.panel->picture().slice()->rowStep, 2); // 500 rows in 256 cells
}

/// A table of numbers has an end, which is told of; the window's thread is not held up by how many there are.
void TestTensorPanel::longTensorsAreCutAndThatIsSaid() {
    TensorRoom room;
    QVERIFY(room.open(TensorRoom::spoiled, QStringLiteral("float32[1200000,2]")));
    QVERIFY(room.look());
    auto& model = *static_cast<ValuesModel*>(room.panel->values().model());
    QVERIFY(model.isCut());
    QCOMPARE(model.rowCount(), ValuesModel::mostRows);
    QVERIFY2(room.panel->figures().contains(QStringLiteral("the first 100,000 of 1,200,000 rows")),
             qPrintable(room.panel->figures()));
    BusyMeter meter;
    meter.start(QStringLiteral("choose"));
    room.panel->bar().choose({Role::input, 0});
    QVERIFY(room.settled());
    room.panel->bar().rowDimension().setCurrentIndex(1);
    QVERIFY(room.settled());
    QVERIFY2(room.panel->figures().contains(QStringLiteral("the first 100,000 of 1,200,000 columns")),
             qPrintable(room.panel->figures()));
    meter.pause();
    std::printf("2.4 million elements: the window's thread worked %.0f ms at most\n", meter.worked().ms);
    TensorRoom small;
    QVERIFY(small.open(TensorRoom::spoiled, QStringLiteral("float32[8,8]")));
    QVERIFY(small.look());
    QVERIFY(!small.panel->figures().contains(QStringLiteral("the first")));
}

void TestTensorPanel::wrongElementsLeadToTheLine() {
    TensorRoom room;
    QVERIFY(room.open(TensorRoom::spoiled, QStringLiteral("float32[8,8]"), TensorRoom::plain));
    QVERIFY(room.look());
    QTableView& wrong = room.panel->wrong();
    WAIT_VERIFY(wrong.model()->rowCount() == 1);
    const QAbstractItemModelTester tester(wrong.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(wrong.model()->index(0, ElementModel::element).data().toString(), QStringLiteral("[4, 5]"));
    wrong.setCurrentIndex(wrong.model()->index(0, 0));
    QVERIFY(room.ended(Kind::writer));
    QVERIFY(room.settled());
    const QString text = room.panel->story().text();
    QVERIFY2(text.contains(QStringLiteral("spoil, launch 2, block (0, 0, 0), thread (5, 0, 0), line 8")),
             qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("2 stores")), qPrintable(text));
    QCOMPARE(room.panel->picture().current(), QPoint(5, 4));
    test::keepPicture(*room.panel, QStringLiteral("tensors_story"));
    QSignalSpy lines(&room.bench.workspace->bench(), &Bench::lineRequested);
    QTest::keyClick(&wrong, Qt::Key_Return);
    QCOMPARE(lines.size(), 1);
    QCOMPARE(lines[0][0].toInt(), 8);
    // And through the steps that led there.
    QTest::keyClick(&wrong, Qt::Key_Return, Qt::ShiftModifier);
    StepDesk& stepper = room.bench.workspace->stepper();
    WAIT_VERIFY(stepper.state().stage == Stage::finished);
    QCOMPARE(stepper.state().answer->launch, 1u);
    QCOMPARE(stepper.state().answer->kernel, std::string("spoil"));
    QVERIFY(stepper.state().answer->lineStep.has_value());
    QCOMPARE(stepper.state().target.lane, 5);
}

void TestTensorPanel::theWayBack() {
    TensorRoom room;
    QVERIFY(room.open(TensorRoom::spoiled, QStringLiteral("float32[8,8]"), TensorRoom::plain));
    // Nobody looked yet: it is run first.
    room.panel->showWritten({8, {}, {}, {}});
    WAIT_VERIFY(room.panel->written().model()->rowCount() == 1);
    QVERIFY(room.settled());
    QCOMPARE(room.panel->written().model()->index(0, 0).data().toString(), QStringLiteral("[4, 5]"));
    QCOMPARE(room.panel->picture().outlinedCells(), 1);
    room.panel->showWritten({4, {}, {}, {}});
    WAIT_VERIFY(room.panel->written().model()->rowCount() == 63);
    QCOMPARE(room.panel->picture().outlinedCells(), 63);
    test::keepPicture(*room.panel, QStringLiteral("tensors_written"));
    // From an element to its line and thread.
    room.panel->select({1, 0});
    QVERIFY(room.ended(Kind::writer));
    QVERIFY(room.settled());
    room.panel->story().ofThreadButton().click();
    WAIT_VERIFY(room.panel->written().model()->rowCount() == 1);
    QCOMPARE(room.panel->written().model()->index(0, 0).data().toString(), QStringLiteral("[1, 0]"));
    room.panel->story().ofLineButton().click();
    WAIT_VERIFY(room.panel->written().model()->rowCount() == 63);
    room.panel->showWritten({1, {}, {}, {}}); // which is no code
    WAIT_VERIFY(room.panel->written().model()->rowCount() == 0);
    QCOMPARE(room.panel->picture().outlinedCells(), 0);
}

void TestTensorPanel::onAGpuTheEmulatorIsOffered() {
    TensorRoom room(Theme::Choice::light, true);
    Workspace& w = *room.bench.workspace;
    WAIT_VERIFY(w.devices().at({}).stage == Stage::finished);
    w.place().choose({}, w.devices().at({}).answer.gpu(), 0);
    QVERIFY(room.open(TensorRoom::spoiled, QStringLiteral("float32[8,8]"), TensorRoom::plain));
    QVERIFY(room.look());
    QVERIFY(room.desk().onGpu());
    room.panel->select({4, 5});
    QVERIFY2(room.panel->story().text().contains(QStringLiteral("emulator only")),
             qPrintable(room.panel->story().text()));
    QCOMPARE(room.desk().state(Kind::writer).stage, Stage::idle);
    QVERIFY(room.panel->story().emulatorButton().isVisible());
    room.panel->story().emulatorButton().click();
    WAIT_VERIFY(room.desk().isOpen() && !room.desk().onGpu());
    // The element that was asked about is followed there.
    WAIT_VERIFY(room.panel->story().text().contains(QStringLiteral("spoil")));
    QVERIFY(room.settled());
    // What a line wrote is looked for in the emulator at once.
    QVERIFY(room.look());
    QVERIFY(room.desk().onGpu());
    room.panel->showWritten({8, {}, {}, {}});
    WAIT_VERIFY(room.panel->written().model()->rowCount() == 1);
    QVERIFY(!room.desk().onGpu());
}

void TestTensorPanel::inputsAreWrittenByNobody() {
    TensorRoom room;
    QVERIFY(room.open(TensorRoom::spoiled, QStringLiteral("float32[8,8]")));
    QVERIFY(room.look());
    room.panel->bar().choose({Role::input, 0});
    QVERIFY(room.settled());
    room.panel->select({0, 3});
    QVERIFY(room.panel->story().text().contains(QStringLiteral("input")));
    QVERIFY(!room.panel->story().lineButton().isVisible());
    QCOMPARE(room.desk().state(Kind::writer).stage, Stage::idle);
}

void TestTensorPanel::withoutAReferenceItIsSaid() {
    TensorRoom room;
    QVERIFY(room.open(TensorRoom::spoiled, QStringLiteral("float32[8,8]")));
    QVERIFY(room.look());
    QCOMPARE(room.panel->bar().tensors().count(), 2);
    QCOMPARE(room.panel->wrong().model()->rowCount(), 0);
    QCOMPARE(room.desk().state(Kind::wrong).stage, Stage::idle);
}

void TestTensorPanel::runsThatFailShowTheirInputs() {
    TensorRoom room;
    QVERIFY(room.open(R"(#include <torch/extension.h>
torch::Tensor forward(torch::Tensor x) { TORCH_CHECK(false, "not today"); return x; }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
)",
                      QStringLiteral("float32[8,8]")));
    room.bench.workspace->trials().lookAtTensors();
    WAIT_VERIFY(room.panel->isShowingTensors());
    QVERIFY(room.settled());
    WAIT_VERIFY(room.panel->figures().contains(QStringLiteral("64 elements")));
    QVERIFY2(room.panel->figures().contains(QStringLiteral("not today")), qPrintable(room.panel->figures()));
    QCOMPARE(room.panel->bar().tensors().count(), 1);
    QVERIFY(room.panel->picture().slice());
}

void TestTensorPanel::anEditedTextHasOtherLines() {
    TensorRoom room;
    QVERIFY(room.open(TensorRoom::spoiled, QStringLiteral("float32[8,8]"), TensorRoom::plain));
    QVERIFY(room.look());
    room.bench.workspace->bench().replaceSource(QStringLiteral("// above\n") + QLatin1String(TensorRoom::spoiled));
    QVERIFY(room.panel->figures().contains(QStringLiteral("edited since")));
    QVERIFY(room.bench.compiled());
    room.panel->select({4, 5});
    QVERIFY(room.ended(Kind::writer));
    QVERIFY(room.settled());
    QVERIFY(room.panel->story().text().contains(QStringLiteral("spoil")));
    QCOMPARE(room.panel->story().line(), 0);
    QVERIFY(!room.panel->story().stepTarget());
    // What a line of the new text wrote is found by a run of the new text.
    room.panel->showWritten({9, {}, {}, {}});
    WAIT_VERIFY(room.panel->written().model()->rowCount() == 1);
    QCOMPARE(room.desk().generation(), room.bench.workspace->bench().generation());
}

void TestTensorPanel::anotherKernelForgetsAll() {
    TensorRoom room;
    QVERIFY(room.open(TensorRoom::spoiled, QStringLiteral("float32[8,8]"), TensorRoom::plain));
    QVERIFY(room.look());
    QVERIFY(room.open(TensorRoom::plain, QStringLiteral("float32[3]")));
    WAIT_VERIFY(!room.panel->isShowingTensors());
    QCOMPARE(room.panel->values().model()->rowCount(), 0);
    QCOMPARE(room.panel->wrong().model()->rowCount(), 0);
    QVERIFY(!room.panel->picture().slice());
    QVERIFY(room.look());
    QCOMPARE(room.panel->values().model()->rowCount(), 1); // a vector is a row
    QCOMPARE(room.panel->values().model()->columnCount(), 3);
}

/// What is wrong of one output is there again after another one, of another shape than its reference, was seen.
void TestTensorPanel::anOutputWithoutReferenceBesideOneWithIt() {
    const QByteArray source = QByteArray(TensorRoom::spoiled)
                                  .replace("torch::Tensor forward", "std::vector<torch::Tensor> forward")
                                  .replace("return y;", "return {y, torch::zeros({3}, x.options())};");
    TensorRoom room;
    QVERIFY(room.open(source.constData(), QStringLiteral("float32[8,8]"), R"(#include <torch/extension.h>
std::vector<torch::Tensor> forward(torch::Tensor x) { return {x + x, x + x}; }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
)"));
    QVERIFY(room.look());
    WAIT_VERIFY(room.panel->wrong().model()->rowCount() == 1);
    QVERIFY(room.panel->tabs().tabText(2).contains(QStringLiteral("(1)")));
    room.panel->bar().choose({Role::output, 1});
    QVERIFY(room.settled());
    QCOMPARE(room.panel->wrong().model()->rowCount(), 0);
    QVERIFY(!room.panel->tabs().tabText(2).contains(QLatin1Char('1')));
    room.panel->bar().choose({Role::output, 0});
    QVERIFY(room.settled());
    QCOMPARE(room.panel->wrong().model()->rowCount(), 1);
    QVERIFY(room.panel->tabs().tabText(2).contains(QStringLiteral("(1)")));
}

/// The answer about an element of the output comes when an input is looked at.
void TestTensorPanel::aStoryComesForWhatIsChosen() {
    TensorRoom room;
    QVERIFY(room.open(TensorRoom::spoiled, QStringLiteral("float32[8,8]"), TensorRoom::plain));
    QVERIFY(room.look());
    room.panel->select({4, 5});
    room.panel->bar().choose({Role::input, 0});
    room.panel->select({0, 3});
    QVERIFY(room.ended(Kind::writer));
    QVERIFY(room.settled());
    QVERIFY2(room.panel->story().text().contains(QStringLiteral("input")), qPrintable(room.panel->story().text()));
    QCOMPARE(room.panel->story().line(), 0);
}

void TestTensorPanel::everythingHasItsName() {
    TensorRoom room;
    QVERIFY(room.open(TensorRoom::spoiled, QStringLiteral("float32[2,8,8]"), TensorRoom::plain));
    QVERIFY(room.look());
    for (const QWidget* widget : room.panel->findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus ||
            widget->objectName().startsWith(QLatin1String("qt_")))
            continue;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const bool isNamed = !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()) ||
                             qobject_cast<const QTabBar*>(widget) || qobject_cast<const QTabWidget*>(widget) ||
                             qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QLabel*>(widget) ||
                             widget->inherits("QAbstractScrollAreaScrollBarContainer") ||
                             widget->inherits("QHeaderView");
        QVERIFY2(isNamed, widget->metaObject()->className());
    }
}

KERNELARIUM_TEST(TestTensorPanel);

} // namespace kernelarium::ui

#include "TestTensorPanel.moc"
