// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_workspace/TestWorkspace.h"

#include "core/session/SessionStore.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_workspace/WorkspaceRoom.h"
#include "ui/workspace/RunWords.h"

#include <QSignalSpy>
#include <csignal>

namespace kernelarium::ui {

namespace {

const char* const addSource = R"(#include <torch/extension.h>
__global__ void add(const float* a, const float* b, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}
torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
    auto out = torch::empty_like(a);
    const int n = a.numel();
    add<<<(n + 127) / 128, 128>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), n);
    return out;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "add"); }
)";

QtMessageHandler previous = nullptr;
int warnings = 0;

/// An unexpected warning fails the run.
void countWarnings(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    if (type == QtWarningMsg || type == QtCriticalMsg) ++warnings;
    if (previous) previous(type, context, text);
}

QString write(const QTemporaryDir& folder, const char* name, const QByteArray& text) {
    const QString path = folder.filePath(QString::fromLatin1(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(text);
    return path;
}

} // namespace

void TestWorkspace::initTestCase() {
    previous = qInstallMessageHandler(countWarnings); // on top of Qt Test's own
}

void TestWorkspace::cleanupTestCase() {
    qInstallMessageHandler(previous);
    QCOMPARE(warnings, 0);
}

void TestWorkspace::opensAKernelAndCompilesIt() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 23, "online"));
    const Kernel& kernel = bench.workspace->bench().kernel();
    QVERIFY(kernel.original.contains(QStringLiteral("__global__")));
    QCOMPARE(bench.workspace->bench().source(), kernel.original);
    QVERIFY(bench.workspace->assignment().card());
    QVERIFY(bench.compiled());
    const CompileState& state = bench.workspace->compiler().state();
    QCOMPARE(state.stage, Stage::finished);
    QVERIFY(state.answer->ok);
    QVERIFY(!state.answer->kernels.empty());
}

void TestWorkspace::saysWhatDoesNotCompile() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 23, "online"));
    QString text = bench.workspace->bench().source();
    const int line = int(text.left(text.indexOf(QStringLiteral("__global__"))).count(QLatin1Char('\n'))) + 1;
    text.insert(text.indexOf(QStringLiteral("__global__")), QStringLiteral("int broken = unknown_name; "));
    bench.workspace->bench().setSource(text, 0);
    QVERIFY(bench.compiled());
    const CompileState& state = bench.workspace->compiler().state();
    QCOMPARE(state.stage, Stage::finished);
    QVERIFY(!state.answer->ok);
    QVERIFY(!state.diagnostics.empty());
    QCOMPARE(state.diagnostics.front().line, line);
    QVERIFY(QString::fromStdString(state.diagnostics.front().text).contains(QStringLiteral("unknown_name")));
}

void TestWorkspace::verifiesAndKeepsTheAttempt() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 23, "online"));
    QSignalSpy added(&bench.workspace->trials(), &Trials::attemptAdded);
    bench.workspace->trials().verify(); // the compilation is waited for
    QVERIFY(bench.verdict());
    const VerifyState& state = bench.workspace->runner().verifyState();
    QCOMPARE(state.stage, Stage::finished);
    QCOMPARE(state.answer->kind, verify::VerdictKind::verified);
    WAIT_COMPARE(added.size(), 1);
    WAIT_COMPARE(bench.workspace->session().attempts()->size(), std::size_t(1));
    QCOMPARE(bench.workspace->session().attempts()->front().verdict, std::string("verified"));
    const QString label = QString::fromStdString(bench.workspace->bench().kernel().row->label());
    QCOMPARE(bench.workspace->verdicts().words().value(label), QStringLiteral("verified"));
    bench.restart();
    WAIT_VERIFY(bench.workspace->session().isReady());
    QCOMPARE(bench.workspace->session().attempts()->size(), std::size_t(1));
    QVERIFY(bench.openStarter());
    WAIT_COMPARE(bench.workspace->verdicts().words().value(label), QStringLiteral("verified"));
}

void TestWorkspace::findsWrongEditsWrong() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 23, "online"));
    QString text = bench.workspace->bench().source();
    const QString right = QStringLiteral("a.sum * expf(a.largest - largest) + b.sum * expf(b.largest - largest)");
    QVERIFY(text.contains(right));
    bench.workspace->bench().setSource(text.replace(right, QStringLiteral("a.sum + b.sum")), 0);
    bench.workspace->trials().verify();
    QVERIFY(bench.verdict());
    QCOMPARE(bench.workspace->runner().verifyState().answer->kind, verify::VerdictKind::wrong);
    QVERIFY(bench.workspace->runner().verifyState().answer->firstMismatch);
    // The archived text itself was not judged.
    QVERIFY(bench.workspace->verdicts().words().isEmpty());
}

void TestWorkspace::keepsWhatIsEditedWhileItRuns() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 23, "online"));
    QVERIFY(bench.compiled());
    const std::string tried = bench.workspace->bench().source().toStdString();
    QSignalSpy added(&bench.workspace->trials(), &Trials::attemptAdded);
    bench.workspace->trials().verify();
    QCOMPARE(bench.workspace->runner().verifyState().stage, Stage::running);
    bench.workspace->bench().setSource(bench.workspace->bench().source() + QStringLiteral("// later\n"), 0);
    WAIT_COMPARE(added.size(), 1);
    std::string kept;
    bench.workspace->session().fetch(added.front().front().toLongLong(), [&kept](Result<session::Attempt> attempt) {
        if (attempt) kept = attempt->source;
    });
    WAIT_COMPARE(kept, tried);
}

void TestWorkspace::showsAnEarlierAttempt() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 23, "online"));
    const QString key = bench.workspace->bench().kernel().key;
    QSignalSpy added(&bench.workspace->trials(), &Trials::attemptAdded);
    bench.workspace->trials().verify();
    QVERIFY(bench.verdict());
    WAIT_COMPARE(added.size(), 1);
    const qint64 first = added.front().front().toLongLong();
    QString text = bench.workspace->bench().source();
    bench.workspace->bench().setSource(
        text.replace(QStringLiteral("a.sum * expf(a.largest - largest)"), QStringLiteral("a.sum")), 0);
    bench.workspace->trials().verify();
    QVERIFY(bench.verdict());
    QCOMPARE(bench.workspace->runner().verifyState().answer->kind, verify::VerdictKind::wrong);
    // From another kernel: the attempt's own comes on the bench first.
    QVERIFY(bench.openKernel(1, 19, "naive"));
    QSignalSpy shown(&bench.workspace->past(), &PastTrials::attemptShown);
    bench.workspace->past().show(first);
    WAIT_COMPARE(shown.size(), 1);
    QCOMPARE(bench.workspace->bench().kernel().key, key);
    QCOMPARE(bench.workspace->runner().verifyState().answer->kind, verify::VerdictKind::verified);
    QVERIFY2(bench.workspace->runner().verifyState().generation != bench.workspace->bench().generation(),
             "the verdict is not of the edited text");
}

void TestWorkspace::forgetsOldTextsResults() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 23, "online"));
    QVERIFY(bench.compiled());
    QSignalSpy verdicts(&bench.workspace->runner(), &RunDesk::verdictReady);
    bench.workspace->trials().verify();
    QVERIFY(bench.openKernel(1, 19, "naive"));
    QVERIFY(bench.compiled());
    QTest::qWait(300);
    QCOMPARE(verdicts.size(), 0);
    QCOMPARE(bench.workspace->runner().verifyState().stage, Stage::idle);
    QVERIFY(!bench.workspace->trials().isBusy());
}

void TestWorkspace::cancelsAVerification() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 23, "online"));
    QVERIFY(bench.compiled());
    bench.workspace->trials().verify();
    QCOMPARE(bench.workspace->runner().verifyState().stage, Stage::running);
    bench.workspace->trials().cancel();
    WAIT_COMPARE(bench.workspace->runner().verifyState().stage, Stage::cancelled);
    QVERIFY(!bench.workspace->trials().isBusy());
    bench.workspace->trials().verify();
    QVERIFY(bench.verdict());
    QCOMPARE(bench.workspace->runner().verifyState().stage, Stage::finished);
}

void TestWorkspace::survivesTheDeathOfTheCompiler() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 23, "online"));
    QVERIFY(bench.compiled());
    const qint64 pid = bench.workspace->compiler().child().childPid();
    QVERIFY(pid > 0);
    bench.workspace->bench().setSource(bench.workspace->bench().source() + QStringLiteral("// a\n"), 0);
    bench.workspace->compiler().compileNow();
    QCOMPARE(::kill(pid_t(pid), SIGKILL), 0);
    QVERIFY(bench.compiled());
    const Stage stage = bench.workspace->compiler().state().stage;
    QVERIFY2(stage == Stage::failed || stage == Stage::finished, "one end, whichever was first");
    if (stage == Stage::failed) QCOMPARE(bench.workspace->compiler().state().error.code, std::string("child_died"));
    bench.workspace->bench().setSource(bench.workspace->bench().source() + QStringLiteral("// b\n"), 0);
    QVERIFY(bench.compiled());
    QCOMPARE(bench.workspace->compiler().state().stage, Stage::finished);
}

void TestWorkspace::survivesTheDeathOfTheRunner() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 1, "naive"));
    QVERIFY(bench.compiled());
    bench.workspace->trials().verify();
    QVERIFY(bench.verdict());
    const qint64 pid = bench.workspace->runner().child().childPid();
    QVERIFY(pid > 0);
    bench.workspace->trials().verify();
    QCOMPARE(::kill(pid_t(pid), SIGKILL), 0);
    QVERIFY(bench.verdict());
    const VerifyState& state = bench.workspace->runner().verifyState();
    QVERIFY(state.stage == Stage::failed || state.stage == Stage::finished);
    if (state.stage == Stage::failed) QVERIFY(!state.error.message.empty());
    bench.workspace->trials().verify();
    QVERIFY(bench.verdict());
    QCOMPARE(bench.workspace->runner().verifyState().stage, Stage::finished);
}

void TestWorkspace::keepsTypedTextAcrossStarts() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 23, "online"));
    const QString edited = bench.workspace->bench().source() + QStringLiteral("// typed\n");
    bench.workspace->bench().setSource(edited, 3);
    const auto onTheDisk = [&] {
        auto store = session::SessionStore::open(bench.workspace->paths().sessionFile.toStdString());
        if (!store) return QString();
        const auto draft = store->draft(bench.workspace->bench().kernel().key.toStdString());
        return draft && *draft ? QString::fromStdString((*draft)->text) : QString();
    };
    WAIT_COMPARE(onTheDisk(), edited);
    bench.workspace.release(); // NOLINT: a killed program runs no destructor, and so has no proper end
    bench.restart();
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 23, "online"));
    QCOMPARE(bench.workspace->bench().source(), edited);
    QVERIFY(bench.workspace->bench().isEdited());
    bench.workspace->bench().revertToOriginal();
    QVERIFY(!bench.workspace->bench().isEdited());
}

void TestWorkspace::walksBackAndForward() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 23, "online"));
    const QString first = bench.workspace->bench().kernel().key;
    bench.workspace->bench().setSource(bench.workspace->bench().source() + QStringLiteral("// mine\n"), 0);
    QVERIFY(bench.openKernel(1, 19, "naive"));
    QVERIFY(bench.workspace->bench().canGoBack());
    bench.workspace->bench().goBack();
    WAIT_COMPARE(bench.workspace->bench().kernel().key, first);
    QVERIFY2(bench.workspace->bench().source().endsWith(QStringLiteral("// mine\n")),
             "an edit waits for its reader's return");
    QVERIFY(bench.workspace->bench().canGoForward());
    bench.workspace->bench().goForward();
    WAIT_VERIFY(bench.workspace->bench().kernel().key != first);
    QVERIFY(!bench.workspace->bench().canGoForward());
}

void TestWorkspace::opensFilesAndRefusesWhatIsNone() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    QSignalSpy notices(&bench.workspace->notices(), &Notices::posted);
    for (const QString& bad : {bench.folder.filePath(QStringLiteral("absent.cu")), bench.folder.path(),
                               write(bench.folder, "binary.cu", QByteArray("a\0b", 3))}) {
        notices.clear();
        bench.workspace->bench().openFile(bad);
        WAIT_COMPARE(notices.size(), 1);
        QVERIFY2(notices.front().at(1).toBool(), qPrintable(bad));
        QVERIFY(bench.workspace->bench().kernel().isEmpty());
    }
    bench.workspace->bench().openFile(
        write(bench.folder, "mine.cu", QByteArray("// kernelarium: task 1/23\n") + addSource));
    WAIT_COMPARE(bench.workspace->bench().kernel().title, QStringLiteral("mine.cu"));
    QCOMPARE(bench.workspace->bench().kernel().task->task, 23);
    bench.workspace->bench().setSource(QStringLiteral("// other\n"), 0);
    bench.workspace->bench().saveToFile(bench.workspace->bench().kernel().path);
    WAIT_VERIFY(!bench.workspace->bench().isEdited());
    QFile file(bench.folder.filePath(QStringLiteral("mine.cu")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("// other\n"));
}

void TestWorkspace::runsWithStatedArguments() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    bench.workspace->bench().openFile(write(bench.folder, "add.cu", addSource));
    WAIT_COMPARE(bench.workspace->bench().kernel().title, QStringLiteral("add.cu"));
    bench.workspace->assignment().setArguments(
        {QStringLiteral("float32[1000]"), QStringLiteral("float32[1000]~constant(2)")});
    bench.workspace->trials().run();
    WAIT_COMPARE(bench.workspace->runner().runState().stage, Stage::finished);
    const auto& summary = *bench.workspace->runner().runState().answer;
    QCOMPARE(summary.end, std::string("finished"));
    QCOMPARE(summary.outputs.size(), std::size_t(1));
    QVERIFY(std::fabs(summary.outputs[0].mean - 2) < 0.2);
}

void TestWorkspace::runsAProgram() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    Workspace& workspace = *bench.workspace;
    workspace.bench().openFile(write(bench.folder, "double.cu",
                                     "#include <cstdio>\n#include <cstdlib>\n"
                                     "__global__ void twice(int* x) { *x *= 2; }\n"
                                     "int main(int argc, char** argv) {\n"
                                     "    if (argc != 2) return 7;\n"
                                     "    int value = atoi(argv[1]), *x;\n"
                                     "    cudaMalloc(&x, 4);\n"
                                     "    cudaMemcpy(x, &value, 4, cudaMemcpyHostToDevice);\n"
                                     "    twice<<<1, 1>>>(x);\n"
                                     "    cudaMemcpy(&value, x, 4, cudaMemcpyDeviceToHost);\n"
                                     "    cudaFree(x);\n"
                                     "    printf(\"%s gives %d\\n\", argv[0], value);\n"
                                     "    return 0;\n"
                                     "}\n"));
    WAIT_COMPARE(workspace.bench().kernel().title, QStringLiteral("double.cu"));
    QVERIFY(bench.compiled());
    QVERIFY(workspace.trials().isProgram());
    workspace.trials().run();
    WAIT_COMPARE(workspace.runner().runState().stage, Stage::finished);
    QCOMPARE(workspace.runner().runState().answer->exitCode.value_or(-1), 7);
    workspace.assignment().setArguments({QStringLiteral("21")});
    workspace.trials().run();
    const auto& state = workspace.runner().runState();
    WAIT_COMPARE(state.answer ? state.answer->exitCode.value_or(-1) : -1, 0);
    const protocol::RunSummary& summary = *state.answer;
    QCOMPARE(summary.printed, std::string("./double gives 42\n"));
    QVERIFY(runSentence(summary).contains(QLatin1String("exit code 0")));
}

void TestWorkspace::attemptsKeepTheirBuild() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    const QString path = bench.folder.filePath("two.cu");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#include <torch/extension.h>\n"
               "torch::Tensor once(torch::Tensor x) { return torch::relu(x) * SCALE; }\n"
               "torch::Tensor twice(torch::Tensor x) { return torch::relu(x) * 2; }\n"
               "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"once\", &once); m.def(\"twice\", &twice); }\n");
    file.close();
    Workspace& workspace = *bench.workspace;
    workspace.bench().openFile(path);
    WAIT_COMPARE(workspace.bench().kernel().path, path);
    QVERIFY(bench.compiled());
    QVERIFY(!workspace.compiler().state().answer->ok);
    workspace.assignment().setTask(task::TaskKey{1, 19});
    workspace.assignment().setBuild("-DSCALE=1", "once");
    QVERIFY(bench.compiled());
    QVERIFY(workspace.compiler().state().answer->ok);
    QSignalSpy added(&workspace.trials(), &Trials::attemptAdded);
    workspace.trials().verify();
    QVERIFY(bench.verdict());
    QCOMPARE(workspace.runner().verifyState().answer->kind, verify::VerdictKind::verified);
    QCOMPARE(workspace.runner().verifyState().answer->functions, (std::vector<std::string>{"once", "twice"}));
    QCOMPARE(workspace.runner().verifyState().answer->compilerOptions, std::string("-DSCALE=1"));
    WAIT_COMPARE(added.size(), 1);
    workspace.assignment().setBuild("-DSCALE=3", "twice");
    QVERIFY(bench.compiled());
    workspace.past().restore(added.front().front().toLongLong());
    WAIT_COMPARE(workspace.bench().kernel().function, QString("once"));
    QCOMPARE(workspace.bench().kernel().compilerOptions, QString("-DSCALE=1"));
    QVERIFY(bench.compiled());
    QCOMPARE(lineOf(workspace.compiler().state().answer->settings), std::string("-DSCALE=1"));
}

void TestWorkspace::comparesWithAnotherKernel() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    const QString reference = write(bench.folder, "reference.cu", addSource);
    QByteArray wrong(addSource);
    wrong.replace("a[i] + b[i]", "a[i] - b[i]");
    bench.workspace->bench().openFile(write(bench.folder, "other.cu", wrong));
    WAIT_COMPARE(bench.workspace->bench().kernel().title, QStringLiteral("other.cu"));
    bench.workspace->assignment().setArguments({QStringLiteral("float32[1000]"), QStringLiteral("float32[1000]")});
    bench.workspace->assignment().setReference(reference);
    WAIT_COMPARE(bench.workspace->bench().kernel().referenceName, QStringLiteral("reference.cu"));
    bench.workspace->trials().verify();
    QVERIFY(bench.verdict());
    QCOMPARE(bench.workspace->runner().verifyState().answer->kind, verify::VerdictKind::wrong);
    bench.workspace->bench().setSource(QString::fromUtf8(addSource), 0);
    bench.workspace->trials().verify();
    QVERIFY(bench.verdict());
    QCOMPARE(bench.workspace->runner().verifyState().answer->kind, verify::VerdictKind::verified);
}

/// The way to another kernel and back loses nothing that was typed in the options' bar or chosen in the set-up.
void TestWorkspace::archivedKernelsKeepWhatWasSet() {
    WorkspaceRoom room;
    QVERIFY(room.openStarter());
    QVERIFY(room.openKernel(1, 23, "online"));
    Bench& bench = room.workspace->bench();
    const QString key = bench.kernel().key;
    room.workspace->assignment().setBuild(QStringLiteral("--max-registers=32"), {});
    QVERIFY(room.openKernel(1, 36, "naive"));
    QVERIFY(bench.kernel().compilerOptions.isEmpty());
    bench.openKey(key);
    WAIT_COMPARE(bench.kernel().key, key);
    QCOMPARE(bench.kernel().compilerOptions, QStringLiteral("--max-registers=32"));
    QVERIFY(bench.kernel().row && bench.kernel().task);
}

/// A folder beside the kernel's file is named as it is seen from there, wherever the program was started.
void TestWorkspace::foldersBeginAtTheKernelsFile() {
    WorkspaceRoom room;
    QVERIFY(QDir(room.folder.path()).mkpath(QStringLiteral("my headers")));
    QFile header(room.folder.filePath(QStringLiteral("my headers/two.h")));
    QVERIFY(header.open(QIODevice::WriteOnly) && header.write("#define TWO 2\n") > 0);
    header.close();
    Bench& bench = room.workspace->bench();
    bench.openFile(write(room.folder, "uses.cu", "#include \"two.h\"\n__global__ void k(int* a) { *a = TWO; }\n"));
    WAIT_COMPARE(bench.kernel().title, QStringLiteral("uses.cu"));
    room.workspace->assignment().setBuild(QStringLiteral("'-Imy headers' -DX=1"), {});
    QCOMPARE(bench.kernel().compilerOptions,
             QStringLiteral("\"-I%1\" -DX=1").arg(room.folder.filePath(QStringLiteral("my headers"))));
    QVERIFY(room.compiled());
    WAIT_VERIFY(room.workspace->compiler().isSettled() && room.workspace->compiler().state().answer &&
                room.workspace->compiler().state().answer->ok);
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestWorkspace);
