// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/AboutDialog.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

struct Library {
    const char* name;
    const char* licence; ///< SPDX, where it has an identifier
    const char* use;
};

constexpr Library libraries[] = {
    {"Qt 6", "LGPL-3.0-only", QT_TRANSLATE_NOOP("kernelarium::ui::AboutDialog", "the window")},
    {"QScintilla", "GPL-3.0-only", QT_TRANSLATE_NOOP("kernelarium::ui::AboutDialog", "the editor")},
    {"Scintilla", "HPND", QT_TRANSLATE_NOOP("kernelarium::ui::AboutDialog", "the editor, inside QScintilla")},
    {"QCustomPlot", "GPL-3.0-or-later", QT_TRANSLATE_NOOP("kernelarium::ui::AboutDialog", "plots")},
    {"SQLite", "blessing", QT_TRANSLATE_NOOP("kernelarium::ui::AboutDialog", "archives and sessions")},
    {"JSON for Modern C++", "MIT", QT_TRANSLATE_NOOP("kernelarium::ui::AboutDialog", "rows, messages, verdicts")},
    {"{fmt}", "MIT", QT_TRANSLATE_NOOP("kernelarium::ui::AboutDialog", "text formatting")},
    {"Zstandard", "BSD-3-Clause", QT_TRANSLATE_NOOP("kernelarium::ui::AboutDialog", "compression")},
    {"RE2", "BSD-3-Clause", QT_TRANSLATE_NOOP("kernelarium::ui::AboutDialog", "searching in code")},
    {"libcurl", "curl", QT_TRANSLATE_NOOP("kernelarium::ui::AboutDialog", "downloading the archive")},
    {"OpenSSL", "Apache-2.0", QT_TRANSLATE_NOOP("kernelarium::ui::AboutDialog", "digests")},
    {"libseccomp", "LGPL-2.1-only", QT_TRANSLATE_NOOP("kernelarium::ui::AboutDialog", "confining other people's code")},
    {"CLI11", "BSD-3-Clause", QT_TRANSLATE_NOOP("kernelarium::ui::AboutDialog", "the command line")},
    {"DuckDB", "MIT", QT_TRANSLATE_NOOP("kernelarium::ui::AboutDialog", "reading Parquet; loaded if it is installed")},
    {"DejaVu fonts", "Bitstream-Vera",
     QT_TRANSLATE_NOOP("kernelarium::ui::AboutDialog", "fonts of the portable bundles")},
};

} // namespace

AboutDialog::AboutDialog(const Theme& theme, QWidget* parent)
    : QDialog(parent)
    , m_text(new QTextBrowser) {
    setWindowTitle(tr("About Kernelarium"));
    QString rows;
    for (const Library& library : libraries)
        rows +=
            QStringLiteral("<tr><td style='padding:2px 16px 2px 0'>%1</td><td style='padding:2px 16px 2px 0'>%2</td>"
                           "<td style='padding:2px 0; color:%3'>%4</td></tr>")
                .arg(QString::fromUtf8(library.name), QString::fromUtf8(library.licence), theme.colours().muted.name(),
                     tr(library.use));
    m_text->setHtml(tr("<h2>Kernelarium %1</h2><p>Inspect, tune and learn from CUDA kernels, with or without a "
                       "GPU.</p><p>This program is free software: you may redistribute and change it under the terms "
                       "of the GNU General Public License, version 3 or any later one (GPL-3.0-or-later). It comes "
                       "without any warranty.</p><h3>Made with</h3>")
                        .arg(QCoreApplication::applicationVersion().toHtmlEscaped()) +
                    QStringLiteral("<table cellspacing='0'>%1</table>").arg(rows) +
                    tr("<p>NVRTC, ptxas and the driver are NVIDIA's. They are not part of the program and are used "
                       "if they are installed.</p>"));
    m_text->setAccessibleName(windowTitle());
    m_text->document()->setDocumentMargin(12);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setToolTip(tr("Close this window (Escape)"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->addWidget(m_text, 1);
    layout->addWidget(buttons);
    resize(560, 520);
}

QString AboutDialog::text() const {
    return m_text->toPlainText();
}

} // namespace kernelarium::ui
