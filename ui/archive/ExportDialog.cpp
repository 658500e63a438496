// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/ExportDialog.h"

#include "ui/words/Quantities.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace kernelarium::ui {

using archive::ExportFormat;

ExportDialog::ExportDialog(int chosen, int shown, bool onlyChosen, const QString& folder, QWidget* parent)
    : QDialog(parent)
    , m_folder(folder)
    , m_chosen(new QRadioButton(tr("The &selected kernels (%1)").arg(wholeText(std::int64_t(chosen)))))
    , m_shown(new QRadioButton(tr("&All shown kernels (%1)").arg(wholeText(std::int64_t(shown)))))
    , m_format(new QComboBox)
    , m_path(new QLineEdit)
    , m_hint(new QLabel) {
    setWindowTitle(tr("Export kernels"));
    setMinimumWidth(560);
    m_chosen->setEnabled(chosen > 0);
    m_chosen->setToolTip(chosen > 0 ? tr("The rows selected in the table") : tr("Not now: no row is selected"));
    m_shown->setEnabled(shown > 0);
    m_shown->setToolTip(tr("Every kernel that is listed, in the table's order"));
    (onlyChosen && chosen > 0 ? m_chosen : m_shown)->setChecked(true);
    m_format->addItem(tr("CSV: numbers, names and our verdicts, one line a kernel"), int(ExportFormat::csv));
    m_format->addItem(tr("JSON lines: everything, can be imported again"), int(ExportFormat::jsonLines));
    m_format->addItem(tr("A folder of .cu files, with an index"), int(ExportFormat::cudaFiles));
    m_format->setAccessibleName(tr("Form"));
    m_format->setToolTip(tr("How the kernels are written"));
    m_path->setAccessibleName(tr("Place"));
    m_path->setToolTip(tr("The file, or the folder for .cu files"));
    m_hint->setProperty("role", "muted");
    m_hint->setWordWrap(true);
    auto* choose = new QPushButton(tr("&Browse…"));
    choose->setToolTip(tr("Choose the file or the folder"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_export = buttons->addButton(tr("&Export"), QDialogButtonBox::AcceptRole);

    auto* place = new QHBoxLayout;
    place->setSpacing(8);
    auto* to = new QLabel(tr("&To"));
    to->setBuddy(m_path);
    place->addWidget(m_path, 1);
    place->addWidget(choose);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(8);
    form->addRow(tr("Kernels"), m_chosen);
    form->addRow(QString(), m_shown);
    form->addRow(tr("&Form"), m_format);
    form->addRow(to, place);
    form->addRow(QString(), m_hint);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(16);
    layout->addLayout(form);
    layout->addStretch(1);
    layout->addWidget(buttons);

    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::suggest);
    connect(m_path, &QLineEdit::textEdited, this, [this] { m_suggested = false; });
    connect(m_path, &QLineEdit::textChanged, this, &ExportDialog::refresh);
    connect(choose, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    suggest();
}

bool ExportDialog::onlyChosen() const {
    return m_chosen->isChecked();
}

ExportFormat ExportDialog::format() const {
    return ExportFormat(m_format->currentData().toInt());
}

QString ExportDialog::path() const {
    return m_path->text().trimmed();
}

void ExportDialog::suggest() {
    static const char* const names[] = {"kernels.csv", "kernels.jsonl", "kernels"};
    if (m_suggested) m_path->setText(m_folder + QLatin1Char('/') + QLatin1String(names[int(format())]));
    refresh();
}

void ExportDialog::refresh() {
    m_export->setEnabled(!path().isEmpty());
    m_export->setToolTip(path().isEmpty() ? tr("Not now: choose where to write")
                                          : tr("Write the kernels; the status line shows the progress"));
    const QFileInfo there(path());
    m_hint->setText(!there.exists() ? tr("It will be created.")
                    : format() == ExportFormat::cudaFiles
                        ? tr("Files with the same names in this folder are replaced; others stay.")
                        : tr("This file exists; it is replaced when the export is complete."));
}

void ExportDialog::browse() {
    const QString chosen = format() == ExportFormat::cudaFiles
                               ? QFileDialog::getExistingDirectory(this, tr("Folder for the .cu files"), path())
                               : QFileDialog::getSaveFileName(this, tr("Export to"), path(), {}, nullptr,
                                                              QFileDialog::DontConfirmOverwrite);
    if (chosen.isEmpty()) return;
    m_suggested = false;
    m_path->setText(chosen);
}

} // namespace kernelarium::ui
