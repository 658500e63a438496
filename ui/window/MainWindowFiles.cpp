// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does with files and with dialogs.
#include "ui/sessions/SessionDock.h"
#include "ui/window/Actions.h"
#include "ui/window/EditorArea.h"
#include "ui/window/HelpPanel.h"
#include "ui/window/KernelSetupDialog.h"
#include "ui/window/MainWindow.h"
#include "ui/window/NoticeBar.h"
#include "ui/window/PreferencesDialog.h"

#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QStackedWidget>

namespace kernelarium::ui {

namespace {

constexpr int mostRecent = 12;

const char* const newKernelText = R"(#include <torch/extension.h>

__global__ void add_kernel(const float* a, const float* b, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}

torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
    auto out = torch::empty_like(a);
    const int n = a.numel();
    add_kernel<<<(n + 255) / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), n);
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "add");
}
)";

} // namespace

void MainWindow::openFile() {
    const QStringList paths = QFileDialog::getOpenFileNames(this, tr("Open a kernel"), {},
                                                            tr("CUDA sources (*.cu *.cuh *.h);;All files (*)"));
    openPaths(paths);
}

void MainWindow::saveFile() {
    const Kernel& kernel = m_workspace.kernel();
    if (kernel.origin == Kernel::Origin::file)
        m_workspace.saveToFile(kernel.path);
    else
        saveFileAs();
}

void MainWindow::saveFileAs() {
    const Kernel& kernel = m_workspace.kernel();
    QString name = kernel.title;
    if (!name.endsWith(QLatin1String(".cu"))) name += QLatin1String(".cu");
    const QString start = kernel.path.isEmpty() ? name : kernel.path;
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the kernel"), start, tr("CUDA sources (*.cu)"));
    if (path.isEmpty()) return;
    m_workspace.saveToFile(path);
    remember(path);
}

void MainWindow::newKernel() {
    Kernel kernel;
    kernel.origin = Kernel::Origin::fresh;
    do {
        kernel.key = QStringLiteral("new:%1").arg(++m_freshCount);
    } while (m_workspace.session().draft(kernel.key));
    kernel.title = tr("untitled-%1.cu").arg(m_freshCount);
    kernel.original = QString::fromUtf8(newKernelText);
    kernel.arguments = QStringList{QStringLiteral("float32[1000]"), QStringLiteral("float32[1000]")};
    m_workspace.openText(kernel);
    m_editorArea->focusEditor();
}

void MainWindow::setUpKernel() {
    auto* dialog = new KernelSetupDialog(m_workspace.kernel(), m_theme, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (const auto& table = m_workspace.archive().table()) dialog->offerArchived(*table);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        if (!dialog->arguments().isEmpty())
            m_workspace.setArguments(dialog->arguments());
        else if (dialog->task() != m_workspace.kernel().task)
            m_workspace.setTask(dialog->task());
        if (dialog->isReferenceKept()) return;
        if (const QString label = dialog->referenceLabel(); !label.isEmpty())
            m_workspace.setReferenceKernel(label);
        else
            m_workspace.setReference(dialog->referencePath());
    });
    dialog->open();
}

void MainWindow::editPreferences() {
    auto* dialog = new PreferencesDialog(m_workspace.cards(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::remember(const QString& path) {
    const QString whole = QFileInfo(path).absoluteFilePath();
    m_recent.removeAll(whole);
    m_recent.prepend(whole);
    while (m_recent.size() > mostRecent)
        m_recent.removeLast();
    refreshRecent();
    stateChangedSoon();
}

void MainWindow::refreshRecent() {
    m_recentMenu->clear();
    for (const QString& path : m_recent) {
        QAction* action = m_recentMenu->addAction(QFileInfo(path).fileName());
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { openPath(path); });
    }
    m_recentMenu->setEnabled(!m_recent.isEmpty());
    m_recentMenu->menuAction()->setToolTip(m_recent.isEmpty() ? tr("Files that you open are listed here")
                                                              : tr("Files that you opened lately"));
}

void MainWindow::explainPanel() {
    QString page = QStringLiteral("editor");
    for (const QWidget* widget = QApplication::focusWidget(); widget; widget = widget->parentWidget())
        if (const auto* dock = qobject_cast<const QDockWidget*>(widget))
            page = dock->objectName();
        else if (isShowingPage() && widget->parentWidget() == m_middle)
            page = widget->objectName();
    m_help->showPage(page);
    showDock(QStringLiteral("help"));
}

void MainWindow::exportReport(const QString& path) {
    m_session->exportTo(path, m_history, m_roofline);
}

} // namespace kernelarium::ui
