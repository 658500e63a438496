// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/FileActions.h"

#include "ui/frame/Actions.h"
#include "ui/frame/RecentFiles.h"
#include "ui/source/EditorArea.h"
#include "ui/source/KernelTabs.h"
#include "ui/window/PathOpener.h"
#include "ui/workspace/Bench.h"

#include <QFileDialog>

namespace kernelarium::ui {

namespace {

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

FileActions::FileActions(Bench& bench, const Parts& parts, QWidget& window)
    : QObject(&window)
    , m_bench(bench)
    , m_parts(parts)
    , m_window(window) {
    const auto noKernel = [this] { return m_bench.kernel().isEmpty() ? tr("no kernel is open") : QString(); };
    m_parts.actions.add({QStringLiteral("file.new"),
                         tr("&New kernel"),
                         tr("Start a new kernel"),
                         QKeySequence::New,
                         {},
                         [this] { newKernel(); },
                         {}});
    m_parts.actions.add({QStringLiteral("file.open"),
                         tr("&Open a kernel…"),
                         tr("Open any .cu file"),
                         QKeySequence::Open,
                         QStringLiteral("open"),
                         [this] { openFile(); },
                         {}});
    m_parts.actions.add({QStringLiteral("file.save"), tr("&Save"), tr("Save the text to its file"), QKeySequence::Save,
                         QStringLiteral("save"), [this] { saveFile(); }, noKernel});
    m_parts.actions.add({QStringLiteral("file.saveAs"),
                         tr("Save &as…"),
                         tr("Save the text to another file"),
                         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
                         {},
                         [this] { saveFileAs(); },
                         noKernel});
    const auto onlyOne = [this] {
        return m_parts.editor.tabs().count() < 2 ? tr("no other kernel is open") : QString();
    };
    m_parts.actions.add({QStringLiteral("file.closeTab"),
                         tr("&Close the tab"),
                         tr("Close the kernel's tab; unsaved edits are kept"),
                         QKeySequence(Qt::CTRL | Qt::Key_W),
                         {},
                         [this] { m_parts.editor.tabs().closeTab(m_parts.editor.tabs().currentTab()); },
                         onlyOne});
    m_parts.actions.add({QStringLiteral("file.keepTab"),
                         tr("Keep the tab"),
                         tr("Let the next kernel that is looked at take a tab of its own"),
                         {},
                         {},
                         [this] { m_parts.editor.tabs().keep(m_parts.editor.tabs().currentTab()); },
                         [this] {
                             return m_parts.editor.tabs().isPreview(m_parts.editor.tabs().currentTab())
                                        ? QString()
                                        : tr("it is kept");
                         }});
    m_parts.actions.add({QStringLiteral("file.quit"),
                         tr("&Quit"),
                         tr("Close the program; everything is kept"),
                         QKeySequence::Quit,
                         {},
                         [this] { m_window.close(); },
                         {}});
    connect(&parts.editor, &EditorArea::openRequested, this, &FileActions::openFile);
    connect(&parts.editor, &EditorArea::filesDropped, &parts.opener, &PathOpener::open);
}

void FileActions::openFile() {
    const QStringList paths = QFileDialog::getOpenFileNames(&m_window, tr("Open a kernel"), {},
                                                            tr("CUDA sources (*.cu *.cuh *.h);;All files (*)"));
    m_parts.opener.open(paths);
}

void FileActions::saveFile() {
    const Kernel& kernel = m_bench.kernel();
    if (kernel.origin == Kernel::Origin::file)
        m_bench.saveToFile(kernel.path);
    else
        saveFileAs();
}

void FileActions::saveFileAs() {
    const Kernel& kernel = m_bench.kernel();
    QString name = kernel.title;
    if (!name.endsWith(QLatin1String(".cu"))) name += QLatin1String(".cu");
    const QString start = kernel.path.isEmpty() ? name : kernel.path;
    const QString path =
        QFileDialog::getSaveFileName(&m_window, tr("Save the kernel"), start, tr("CUDA sources (*.cu)"));
    if (path.isEmpty()) return;
    m_bench.saveToFile(path);
    m_parts.recent.remember(path);
}

void FileActions::newKernel() {
    Kernel kernel;
    kernel.original = QString::fromUtf8(newKernelText);
    kernel.arguments = QStringList{QStringLiteral("float32[1000]"), QStringLiteral("float32[1000]")};
    m_bench.openNew(std::move(kernel));
    m_parts.editor.focusEditor();
}

} // namespace kernelarium::ui
