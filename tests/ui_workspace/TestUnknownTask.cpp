// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_workspace/TestUnknownTask.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_workspace/WorkspaceRoom.h"
#include "ui/dialogs/KernelSetupDialog.h"
#include "ui/dialogs/PreferencesDialog.h"
#include "ui/inspector/InspectorPanel.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <nlohmann/json.hpp>

namespace kernelarium::ui {

namespace {

const char* const doubling = R"(#include <torch/extension.h>
__global__ void twice(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * 2;
}
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    const int n = x.numel();
    twice<<<(n + 127) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "twice"); }
)";
const char* const pytorch =
    "import torch\n\n\ndef module_fn(x):\n    return x * 2\n\n\nclass Model(torch.nn.Module):\n"
    "    def forward(self, x, fn=module_fn):\n        return fn(x)\n\n\n"
    "def get_inputs():\n    return [torch.randn(64, 50)]\n\n\ndef get_init_inputs():\n    return []\n";

/// An archive of two kernels of a task with a built-in card's number and another name; the first is on the bench.
bool openUnknown(WorkspaceRoom& bench) {
    if (!QTest::qWaitFor([&] { return bench.workspace->session().isReady(); }, longWait)) return false;
    QFile rows(bench.folder.filePath(QStringLiteral("rows.jsonl")));
    if (!rows.open(QIODevice::WriteOnly)) return false;
    for (const std::string name : {"twice", "twice_too"}) {
        const nlohmann::json row{{"Op_Name", "1_Twice"},
                                 {"Level_ID", 1},
                                 {"Task_ID", 1},
                                 {"Kernel_Name", name},
                                 {"CUDA_Code", doubling + ("// " + name + "\n")},
                                 {"PyTorch_Code_Functional", pytorch},
                                 {"Correct", true}};
        rows.write(QByteArray::fromStdString(row.dump()) + '\n');
    }
    rows.close();
    bench.workspace->archive().import({rows.fileName()}, bench.folder.filePath(QStringLiteral("own.sqlite")));
    return QTest::qWaitFor([&] { return bench.workspace->archive().table() != nullptr; }, longWait) &&
           bench.openKernel(1, 1, "twice");
}

} // namespace

void TestUnknownTask::aCardIsExportedAndTheKernelVerified() {
    WorkspaceRoom bench;
    QVERIFY(openUnknown(bench));
    Workspace& workspace = *bench.workspace;
    QVERIFY(workspace.assignment().isUnknownTask());
    QVERIFY(!workspace.assignment().card()); // and not that of the square matrices
    Theme theme;
    InspectorPanel inspector({workspace.bench(), workspace.assignment(), workspace.past(), workspace.standing(),
                              workspace.runner(), workspace.cards()},
                             theme);
    inspector.show();
    inspector.showTab(InspectorPanel::task);
    QPushButton* button = nullptr;
    for (QPushButton* each : inspector.findChildren<QPushButton*>())
        if (each->text().contains(QStringLiteral("Export"))) button = each;
    QVERIFY(button && button->isVisible());
    QSignalSpy exported(&workspace.cards(), &CardDesk::exported);
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(workspace.trials().isBusy());
    QVERIFY(!button->isVisible());
    WAIT_COMPARE(exported.count(), 1);
    const Error& error = workspace.cards().exporting().error;
    if (error.code == "missing_component") QSKIP(error.text().c_str());
    QVERIFY2(workspace.cards().exporting().stage == Stage::finished, error.text().c_str());
    WAIT_VERIFY(workspace.assignment().card() != nullptr);
    QCOMPARE(workspace.assignment().card()->name, std::string("1_Twice"));
    workspace.trials().verify();
    QVERIFY(bench.verdict());
    QVERIFY(workspace.runner().verifyState().answer);
    QCOMPARE(workspace.runner().verifyState().answer->kind, verify::VerdictKind::verified);
    // The next start finds the card by itself.
    bench.restart();
    QVERIFY(openUnknown(bench));
    WAIT_VERIFY(bench.workspace->assignment().card() != nullptr);
}

void TestUnknownTask::aMissingPythonIsSaid() {
    WorkspaceRoom bench;
    QVERIFY(openUnknown(bench));
    Workspace& workspace = *bench.workspace;
    workspace.cards().setPython(QStringLiteral("/no/such/python"));
    QSignalSpy notices(&workspace.notices(), &Notices::posted);
    QSignalSpy exported(&workspace.cards(), &CardDesk::exported);
    workspace.assignment().exportCard();
    WAIT_COMPARE(exported.count(), 1);
    QCOMPARE(workspace.cards().exporting().stage, Stage::failed);
    QVERIFY(!notices.isEmpty() && notices.last()[0].toString().contains(QStringLiteral("/no/such/python")));
    QVERIFY(notices.last()[1].toBool());
    QVERIFY(workspace.assignment().exportObstacle().isEmpty()); // once more, with another Python
}

void TestUnknownTask::preferencesSayWhatAPythonLacks() {
    WorkspaceRoom bench;
    CardDesk& cards = bench.workspace->cards();
    PreferencesDialog dialog(cards, bench.workspace->toolkits(), bench.workspace->kept());
    dialog.show();
    auto* path = dialog.findChild<QLineEdit*>();
    path->setFocus();
    path->selectAll();
    QTest::keyClicks(path, QStringLiteral("/no/such/python"));
    WAIT_VERIFY(dialog.finding().contains(QStringLiteral("no such program")));
    auto* said = dialog.findChild<QLabel*>(QStringLiteral("finding"));
    QVERIFY(said && said->property("role").toString() == QLatin1String("wrong"));
    QVERIFY(cards.python().isEmpty()); // nothing is kept before OK
    QTest::mouseClick(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
    QCOMPARE(cards.python(), QStringLiteral("/no/such/python"));
}

void TestUnknownTask::preferencesShowTheWholeAnswer() {
    QTemporaryDir folder;
    QFile script(folder.filePath(QStringLiteral("python3")));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\nexit 0\n");
    script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    script.close();
    qputenv("KERNELARIUM_PYTHON", script.fileName().toUtf8());
    WorkspaceRoom bench;
    PreferencesDialog dialog(bench.workspace->cards(), bench.workspace->toolkits(), bench.workspace->kept());
    dialog.show();
    auto* said = dialog.findChild<QLabel*>(QStringLiteral("finding"));
    QVERIFY(said);
    WAIT_VERIFY(!dialog.finding().startsWith(QStringLiteral("Asking")));
    qunsetenv("KERNELARIUM_PYTHON");
    if (dialog.finding().startsWith(QStringLiteral("Found"))) QSKIP("A Python with PyTorch is installed here.");
    QVERIFY2(dialog.finding().startsWith(QStringLiteral("Optional")), qPrintable(dialog.finding()));
    QVERIFY(dialog.finding().contains(QStringLiteral("ended without an answer")));
    QCOMPARE(said->property("role").toString(), QStringLiteral("muted"));
    WAIT_VERIFY2(said->height() >= said->heightForWidth(said->width()), qPrintable(dialog.finding()));
    const int before = dialog.height();
    dialog.resize(dialog.minimumWidth(), 100);
    WAIT_VERIFY(said->height() >= said->heightForWidth(said->width()));
    QVERIFY(dialog.height() > 100 && before > 100);
}

void TestUnknownTask::aTaskIsChosenByItsNumber() {
    Theme theme;
    KernelSetupDialog dialog(Kernel{}, theme);
    dialog.show();
    QComboBox* tasks = nullptr;
    for (QComboBox* each : dialog.findChildren<QComboBox*>())
        if (each->accessibleName() == QStringLiteral("Task")) tasks = each;
    QVERIFY(tasks);
    QVERIFY(tasks->count() >= 250); // at once; their names follow
    dialog.findChild<QRadioButton*>()->setChecked(true);
    tasks->setEditText(QStringLiteral("1/23"));
    QCOMPARE(dialog.task(), std::optional(task::TaskKey{1, 23}));
    WAIT_VERIFY(tasks->itemText(0).startsWith(QStringLiteral("1/1  ")));
    QCOMPARE(dialog.task(), std::optional(task::TaskKey{1, 23}));
    tasks->setEditText(QStringLiteral("1/2"));
    QCOMPARE(dialog.task(), std::optional(task::TaskKey{1, 2})); // and not 1/20
    for (const char* none : {"", "9/9", "1/", "Softmax?"}) {
        tasks->setEditText(QString::fromUtf8(none));
        QVERIFY2(!dialog.task(), none);
    }
}

void TestUnknownTask::anArchivedKernelServesAsReference() {
    WorkspaceRoom bench;
    QVERIFY(openUnknown(bench));
    Workspace& workspace = *bench.workspace;
    Theme theme;
    KernelSetupDialog dialog(workspace.bench().kernel(), theme);
    dialog.offerArchived(*workspace.archive().table());
    dialog.show();
    QComboBox* reference = nullptr;
    for (QComboBox* each : dialog.findChildren<QComboBox*>())
        if (each->accessibleName() == QStringLiteral("Reference kernel")) reference = each;
    QVERIFY(reference);
    QCOMPARE(reference->count(), 1); // the other kernel of the task
    QVERIFY(dialog.isReferenceKept());
    reference->setCurrentIndex(0);
    QVERIFY(dialog.referenceLabel().contains(QStringLiteral("twice_too")));
    QVERIFY(dialog.referencePath().isEmpty());
    workspace.assignment().setArguments({QStringLiteral("float32[64,50]")});
    workspace.assignment().setReferenceKernel(dialog.referenceLabel());
    WAIT_VERIFY(!workspace.bench().kernel().referenceText.isEmpty());
    workspace.trials().verify();
    QVERIFY(bench.verdict());
    QVERIFY(workspace.runner().verifyState().answer);
    QCOMPARE(workspace.runner().verifyState().answer->kind, verify::VerdictKind::verified);
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestUnknownTask);
