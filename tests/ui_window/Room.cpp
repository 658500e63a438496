// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/Room.h"

#include "tests/Pictures.h"
#include "tests/Waiting.h"
#include "ui/frame/NoticeBar.h"

#include <QApplication>
#include <QDockWidget>
#include <QEventLoop>
#include <QFile>
#include <QTest>
#include <csignal>

namespace kernelarium::ui {

Room::Room(Theme::Choice theme_)
    : choice(theme_) {
    paths.program = QStringLiteral(KERNELARIUM_BIN_DIR "/kernelarium-cli");
    paths.starterArchive = file(QStringLiteral("starter.sqlite")); // a copy: verdicts are kept beside it
    QFile::copy(QStringLiteral(KERNELARIUM_STARTER), paths.starterArchive);
    paths.sessionFile = file(QStringLiteral("sessions.sqlite"));
    paths.dataFolder = folder.path();
}

Room::~Room() {
    stop();
}

void Room::stop() {
    window.reset();
    workspace.reset();
}

bool Room::start() {
    stop();
    workspace = std::make_unique<Workspace>(paths);
    window = std::make_unique<MainWindow>(*workspace, theme);
    workspace->session().wantValues(Settings::keys());
    workspace->session().open(paths.sessionFile);
    if (!QTest::qWaitFor([this] { return workspace->session().isReady(); }, longWait)) return false;
    window->restore();
    theme.setChoice(choice);
    window->show();
    window->activateWindow();
    if (!QTest::qWaitForWindowActive(window.get(), longWait)) return false;
    return paths.starterArchive.isEmpty() || waitForArchive();
}

bool Room::waitForArchive() {
    return QTest::qWaitFor(
        [this] {
            return !isBusy(workspace->archive().stage()) && workspace->archive().table() &&
                   workspace->archive().shown();
        },
        longWait);
}

bool Room::openKernel(int level, int task, const std::string& name) {
    const auto& table = *workspace->archive().table();
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table.level[i] == level && table.task[i] == task && table.name[i] == name) {
            workspace->bench().openArchived(table.id[i]);
            return QTest::qWaitFor(
                [&] { return workspace->bench().kernel().row && workspace->bench().kernel().row->name == name; },
                longWait);
        }
    return false;
}

bool Room::waitUntilCompiled() {
    return QTest::qWaitFor([this] { return workspace->compiler().isSettled(); }, longWait);
}

bool Room::waitUntilIdle() {
    return QTest::qWaitFor([this] { return !workspace->trials().isBusy(); }, longWait);
}

void Room::press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
    QWidget* focus = QApplication::focusWidget();
    QTest::keyClick(focus ? focus : window.get(), key, modifiers);
}

QString Room::notice() {
    return window->notices().text();
}

void Room::keepPicture(const QString& name) {
    test::keepPicture(*window, name);
}

QString Room::write(const QString& name, const QByteArray& content) const {
    QFile out(file(name));
    if (!out.open(QIODevice::WriteOnly) || out.write(content) != content.size()) return {};
    return file(name);
}

QString Room::takeTour(Tour& tour) {
    QString problem;
    QEventLoop loop;
    QObject::connect(&tour, &Tour::finished, &loop, [&](bool, const QString& what) {
        problem = what;
        loop.quit();
    });
    tour.start();
    loop.exec();
    return problem;
}

bool isInFront(const QDockWidget& dock) {
    // A panel whose tab is not chosen is laid out beyond the window's edge.
    return dock.isVisible() && (dock.isFloating() || dock.parentWidget()->rect().contains(dock.geometry().center()));
}

Frozen::Frozen(qint64 pid)
    : m_pid(pid) {
    if (m_pid > 0) ::kill(pid_t(m_pid), SIGSTOP);
}

Frozen::~Frozen() {
    if (m_pid > 0) ::kill(pid_t(m_pid), SIGCONT);
}

void Frozen::kill() const {
    if (m_pid > 0) ::kill(pid_t(m_pid), SIGKILL);
}

bool isOneLine(const QString& text) {
    return !text.isEmpty() && !text.contains(QLatin1Char('\n'));
}

QByteArray addSource() {
    return R"(#include <torch/extension.h>
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
}

} // namespace kernelarium::ui
