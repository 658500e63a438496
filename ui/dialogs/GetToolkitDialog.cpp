// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/GetToolkitDialog.h"

#include "ui/words/Quantities.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QRadioButton>
#include <QStyle>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

constexpr int rowsOfWheels = 6;
constexpr int linesOfSums = 3;

QString fromText(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

} // namespace

GetToolkitDialog::GetToolkitDialog(ToolkitDesk& desk, QWidget* parent)
    : QDialog(parent)
    , m_desk(desk)
    , m_fromIndex(new QRadioButton(tr("From the &index")))
    , m_fromFolder(new QRadioButton(tr("From a &folder")))
    , m_index(new QLineEdit(QString::fromStdString(toolkit::Source().index)))
    , m_folder(new QLineEdit)
    , m_wheels(new QTreeWidget)
    , m_finding(new QLabel)
    , m_accepts(new QCheckBox(tr("I &accept this licence"))) {
    setWindowTitle(tr("Get the CUDA toolkit"));
    setMinimumWidth(680);
    build();
    m_fromIndex->setChecked(true);
    askSource();
}

GetToolkitDialog::~GetToolkitDialog() {
    m_desk.cancelAsking();
}

GetToolkitDialog* GetToolkitDialog::openOn(ToolkitDesk& desk, QWidget* parent) {
    auto* dialog = new GetToolkitDialog(desk, parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, &desk, [dialog, &desk] {
        if (dialog->m_offered && dialog->m_accepts->isChecked()) desk.bring(*dialog->m_offered);
    });
    dialog->open();
    return dialog;
}

void GetToolkitDialog::build() {
    auto* intro = new QLabel(tr("Compiling needs a few parts of NVIDIA's CUDA toolkit. They are published as Python "
                                "wheels; what is needed of them is installed in your own folder, %1.")
                                 .arg(QString::fromStdString(toolkit::toolkitFolder().string())));
    intro->setWordWrap(true);
    m_index->setAccessibleName(tr("Index"));
    m_index->setToolTip(tr("The address of a simple index of Python packages, or of a mirror"));
    m_folder->setAccessibleName(tr("Folder"));
    m_folder->setPlaceholderText(tr("wheels that were downloaded elsewhere"));
    m_folder->setToolTip(tr("A folder with the wheels; no network is used"));
    auto* browse = new QPushButton(tr("&Browse…"));
    browse->setToolTip(tr("Choose the folder"));
    browse->setAutoDefault(false);
    m_wheels->setAccessibleName(tr("Wheels"));
    m_wheels->setHeaderLabels({tr("Wheel"), tr("Size"), tr("Checksum"), tr("What it has")});
    m_wheels->setRootIsDecorated(false);
    m_wheels->setMinimumHeight(m_wheels->header()->sizeHint().height() + rowsOfWheels * (fontMetrics().height() + 6) +
                               4);
    m_finding->setWordWrap(true);
    m_finding->setTextFormat(Qt::PlainText);
    m_finding->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_finding->setAccessibleName(tr("The source's answer"));
    m_finding->setMinimumHeight(fontMetrics().height() * linesOfSums);
    m_finding->setAlignment(Qt::AlignTop);
    auto* licence = new QLabel(tr("They are NVIDIA's, under the <a href=\"%2\">%1</a> (%2).")
                                   .arg(fromText(toolkit::licenceName), fromText(toolkit::licenceAddress)));
    licence->setObjectName(QStringLiteral("licence"));
    licence->setWordWrap(true);
    licence->setOpenExternalLinks(true);
    licence->setTextInteractionFlags(Qt::TextBrowserInteraction);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_install = buttons->addButton(tr("I&nstall"), QDialogButtonBox::AcceptRole);
    m_install->setAutoDefault(false);

    auto* sources = new QGridLayout;
    sources->setHorizontalSpacing(8);
    sources->setVerticalSpacing(8);
    sources->addWidget(m_fromIndex, 0, 0);
    sources->addWidget(m_index, 0, 1, 1, 2);
    sources->addWidget(m_fromFolder, 1, 0);
    sources->addWidget(m_folder, 1, 1);
    sources->addWidget(browse, 1, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addWidget(intro);
    layout->addLayout(sources);
    layout->addWidget(m_wheels, 1);
    layout->addWidget(m_finding);
    layout->addWidget(licence);
    layout->addWidget(m_accepts);
    layout->addWidget(buttons);

    connect(m_fromIndex, &QRadioButton::toggled, this, &GetToolkitDialog::askSource);
    connect(m_index, &QLineEdit::editingFinished, this, [this] {
        if (m_index->isModified()) askSource();
    });
    connect(m_folder, &QLineEdit::editingFinished, this, [this] {
        if (m_folder->isModified()) chooseFolder(m_folder->text());
    });
    connect(browse, &QPushButton::clicked, this, [this] {
        const QString chosen = QFileDialog::getExistingDirectory(this, tr("Folder with the wheels"), m_folder->text());
        if (!chosen.isEmpty()) chooseFolder(chosen);
    });
    connect(m_accepts, &QCheckBox::toggled, this, &GetToolkitDialog::refresh);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

toolkit::Source GetToolkitDialog::source() const {
    toolkit::Source source;
    if (m_fromFolder->isChecked())
        source.folder = m_folder->text().trimmed().toStdString();
    else
        source.index = m_index->text().trimmed().toStdString();
    return source;
}

void GetToolkitDialog::chooseFolder(const QString& folder) {
    m_folder->setText(folder);
    const bool asks = !m_fromFolder->isChecked(); // by itself, once it is
    m_fromFolder->setChecked(true);
    if (!asks) askSource();
}

QString GetToolkitDialog::finding() const {
    return m_finding->text();
}

void GetToolkitDialog::say(const QString& text, const char* role) {
    m_finding->setText(text);
    m_finding->setProperty("role", role);
    m_finding->style()->unpolish(m_finding);
    m_finding->style()->polish(m_finding);
}

void GetToolkitDialog::askSource() {
    const quint64 serial = ++m_serial;
    m_index->setModified(false);
    m_folder->setModified(false);
    m_offered.reset();
    m_wheels->clear();
    const toolkit::Source asked = source();
    if (m_fromFolder->isChecked() && asked.folder.empty()) {
        m_desk.cancelAsking();
        say(tr("Choose the folder with the wheels."), "muted");
        refresh();
        return;
    }
    say(tr("Asking %1…").arg(m_fromFolder->isChecked() ? m_folder->text() : m_index->text()), "muted");
    refresh();
    m_desk.askSource(asked, [this, serial, self = QPointer(this)](const Result<ToolkitDesk::Offered>& offer) {
        if (self && serial == m_serial) showOffer(offer);
    });
}

void GetToolkitDialog::showOffer(const Result<ToolkitDesk::Offered>& offer) {
    if (!offer) {
        if (offer.error().code != "cancelled") say(QString::fromStdString(offer.error().text()), "wrong");
        refresh();
        return;
    }
    m_offered = *offer;
    for (const toolkit::OfferedWheel& wheel : m_offered->wheels) {
        const QStringList cells{
            QString::fromStdString(wheel.wheel.project + " " + wheel.wheel.version), bytesText(double(wheel.bytes)),
            wheel.isPublished() ? tr("as published") : tr("another"), QString::fromStdString(wheel.wheel.purpose)};
        auto* item = new QTreeWidgetItem(m_wheels, cells);
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        for (int column = 0; column < cells.size(); ++column)
            item->setToolTip(
                column,
                tr("%1\nSHA-256 %2").arg(QString::fromStdString(wheel.file), QString::fromStdString(wheel.sha256)));
    }
    for (int column = 0; column < m_wheels->columnCount(); ++column)
        m_wheels->resizeColumnToContents(column);
    say((m_offered->isDownload() ? tr("To download: %1; unpacked, about %2.") : tr("Size: %1; unpacked, about %2."))
            .arg(bytesText(double(m_offered->wheelBytes())), bytesText(double(m_offered->unpackedBytes()))),
        "muted");
    refresh();
}

void GetToolkitDialog::refresh() {
    QString obstacle;
    if (m_desk.isBusy())
        obstacle = tr("a toolkit is being brought or removed");
    else if (!m_offered)
        obstacle = tr("the source has not answered");
    else if (!m_accepts->isChecked())
        obstacle = tr("the licence is not accepted");
    m_install->setEnabled(obstacle.isEmpty());
    m_install->setToolTip(obstacle.isEmpty() ? tr("Start; the status line shows the progress, and Escape stops it")
                                             : tr("Not now: %1").arg(obstacle));
}

} // namespace kernelarium::ui
