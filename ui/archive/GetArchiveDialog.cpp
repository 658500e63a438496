// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/GetArchiveDialog.h"

#include "ui/desks/ArchiveDesk.h"
#include "ui/words/Quantities.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

namespace kernelarium::ui {

GetArchiveDialog::GetArchiveDialog(ArchiveDesk& desk, const QString& folder, QWidget* parent)
    : QDialog(parent)
    , m_desk(desk)
    , m_host(new QLineEdit(QString::fromStdString(hub::DataSet().host)))
    , m_into(new QLineEdit(folder))
    , m_files(new QListWidget)
    , m_finding(new QLabel)
    , m_ask(new QPushButton(tr("&Ask again"))) {
    setWindowTitle(tr("Get the archive"));
    setMinimumSize(600, 440);
    if (const QString named = qEnvironmentVariable("KERNELARIUM_HUB"); !named.isEmpty()) m_host->setText(named);
    build();
    askHub();
}

GetArchiveDialog::~GetArchiveDialog() {
    m_desk.cancelListing();
}

void GetArchiveDialog::build() {
    auto* intro = new QLabel(tr("The AI CUDA Engineer's archive (%1) is downloaded from the Hugging Face hub and "
                                "imported: about 30,000 kernels for 250 tasks. An interrupted download can be resumed.")
                                 .arg(QString::fromStdString(hub::DataSet().id)));
    intro->setWordWrap(true);
    m_host->setAccessibleName(tr("Hub"));
    m_host->setToolTip(tr("The hub's address, or that of a mirror"));
    m_ask->setToolTip(tr("Ask this hub for its list of files"));
    m_files->setAccessibleName(tr("Files"));
    m_files->setToolTip(tr("The data set's Parquet files; ticked ones are downloaded"));
    m_into->setAccessibleName(tr("Folder"));
    m_into->setToolTip(tr("Where the downloaded files are stored; files already there are not downloaded again"));
    auto* browse = new QPushButton(tr("&Browse…"));
    browse->setToolTip(tr("Choose the folder"));
    m_finding->setWordWrap(true);
    m_finding->setTextFormat(Qt::PlainText);
    m_finding->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_finding->setAccessibleName(tr("The hub's answer"));
    m_finding->setMinimumHeight(fontMetrics().height() * 2);
    m_finding->setAlignment(Qt::AlignTop);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_get = buttons->addButton(tr("&Download and import"), QDialogButtonBox::AcceptRole);

    const auto named = [](const QString& text, QWidget* buddy) {
        auto* label = new QLabel(text);
        label->setBuddy(buddy);
        return label;
    };
    auto* host = new QHBoxLayout;
    host->setSpacing(8);
    host->addWidget(m_host, 1);
    host->addWidget(m_ask);
    auto* into = new QHBoxLayout;
    into->setSpacing(8);
    into->addWidget(m_into, 1);
    into->addWidget(browse);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(8);
    form->addRow(named(tr("&Hub"), m_host), host);
    form->addRow(tr("&Files"), m_files);
    form->addRow(named(tr("&Into"), m_into), into);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addWidget(intro);
    layout->addLayout(form, 1);
    layout->addWidget(m_finding);
    layout->addWidget(buttons);

    connect(m_ask, &QPushButton::clicked, this, &GetArchiveDialog::askHub);
    connect(m_host, &QLineEdit::returnPressed, this, &GetArchiveDialog::askHub);
    connect(m_files, &QListWidget::itemChanged, this, &GetArchiveDialog::refresh);
    connect(m_into, &QLineEdit::textChanged, this, &GetArchiveDialog::refresh);
    connect(browse, &QPushButton::clicked, this, [this] {
        const QString chosen = QFileDialog::getExistingDirectory(this, tr("Folder for the downloads"), m_into->text());
        if (!chosen.isEmpty()) m_into->setText(chosen);
    });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_ask->setAutoDefault(false); // Return in the hub's field asks, it does not download
    m_get->setDefault(false);
    m_get->setAutoDefault(false);
}

void GetArchiveDialog::say(const QString& text, const char* role) {
    m_finding->setText(text);
    m_finding->setProperty("role", role);
    m_finding->style()->unpolish(m_finding);
    m_finding->style()->polish(m_finding);
}

void GetArchiveDialog::askHub() {
    const quint64 serial = ++m_serial;
    m_offered.reset();
    m_files->clear();
    hub::DataSet dataSet;
    dataSet.host = m_host->text().trimmed().toStdString();
    refresh();
    say(tr("Asking %1…").arg(m_host->text().trimmed()), "muted");
    m_desk.listDataSet(
        dataSet, [this, serial, self = QPointer(this)](const Result<std::shared_ptr<const hub::GetRequest>>& found) {
            if (self && serial == m_serial) showFiles(found);
        });
}

void GetArchiveDialog::showFiles(const Result<std::shared_ptr<const hub::GetRequest>>& found) {
    if (!found) {
        if (found.error().code != "cancelled") say(QString::fromStdString(found.error().text()), "wrong");
        refresh();
        return;
    }
    m_offered = *found;
    for (const auto& file : m_offered->files) {
        auto* item = new QListWidgetItem(
            tr("%1   %2").arg(QString::fromStdString(file.path), bytesText(double(file.bytes))), m_files);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(Qt::Checked);
        item->setToolTip(tr("SHA-256 %1").arg(QString::fromStdString(file.sha256)));
    }
    refresh();
}

hub::GetRequest GetArchiveDialog::request() const {
    hub::GetRequest request;
    if (!m_offered) return request;
    request.dataSet = m_offered->dataSet;
    request.into = m_into->text().trimmed().toStdString();
    for (int i = 0; i < m_files->count(); ++i)
        if (m_files->item(i)->checkState() == Qt::Checked) request.files.push_back(m_offered->files[std::size_t(i)]);
    return request;
}

QString GetArchiveDialog::finding() const {
    return m_finding->text();
}

void GetArchiveDialog::refresh() {
    const hub::GetRequest wanted = request();
    QString obstacle;
    if (!m_offered)
        obstacle = tr("the hub has not answered");
    else if (wanted.files.empty())
        obstacle = tr("no file is ticked");
    else if (wanted.into.empty())
        obstacle = tr("choose a folder to download to");
    m_get->setEnabled(obstacle.isEmpty());
    m_get->setToolTip(obstacle.isEmpty() ? tr("Start; the status line shows the progress, and Escape stops it")
                                         : tr("Not now: %1").arg(obstacle));
    if (!m_offered) return;
    double bytes = 0;
    for (const auto& file : wanted.files)
        bytes += double(file.bytes);
    say(tr("%1 of %2 files, %3.").arg(wanted.files.size()).arg(m_offered->files.size()).arg(bytesText(bytes)), "muted");
}

} // namespace kernelarium::ui
