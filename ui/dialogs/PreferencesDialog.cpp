// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/PreferencesDialog.h"

#include "ui/dialogs/KeptPage.h"
#include "ui/dialogs/ToolkitPage.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {
constexpr int typingPauseMs = 400;
constexpr int fewestLines = 3; ///< so that a short answer does not make the dialog jump
} // namespace

PreferencesDialog::PreferencesDialog(CardDesk& cards, ToolkitDesk& toolkits, KeptDesk& kept, QWidget* parent)
    : QDialog(parent)
    , m_cards(cards)
    , m_python(new QLineEdit(cards.python()))
    , m_finding(new QLabel) {
    setWindowTitle(tr("Preferences"));
    setMinimumWidth(860);
    auto* caption = new QLabel(tr("&Python with PyTorch"));
    caption->setBuddy(m_python);
    m_python->setAccessibleName(tr("Python with PyTorch"));
    m_python->setPlaceholderText(tr("found automatically"));
    m_python->setToolTip(tr("Exports task cards from the PyTorch code of archived rows whose task has none, and is "
                            "timed as a baseline. A path, or a name found on PATH"));
    auto* browse = new QPushButton(tr("&Browse…"));
    browse->setToolTip(tr("Choose the Python executable"));
    m_finding->setObjectName(QStringLiteral("finding"));
    m_finding->setWordWrap(true);
    m_finding->setTextFormat(Qt::PlainText);
    m_finding->setAccessibleName(tr("What the Python can do"));
    m_finding->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_finding->setAlignment(Qt::AlignTop);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    auto* row = new QHBoxLayout;
    row->addWidget(m_python, 1);
    row->addWidget(browse);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(8);
    layout->addWidget(caption);
    layout->addLayout(row);
    layout->addWidget(m_finding);
    layout->addSpacing(8);
    layout->addWidget(new ToolkitPage(toolkits));
    layout->addSpacing(8);
    layout->addWidget(new KeptPage(kept));
    layout->addStretch(1);
    layout->addWidget(buttons);

    m_pause.setSingleShot(true);
    m_pause.setInterval(typingPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &PreferencesDialog::probe);
    connect(m_python, &QLineEdit::textChanged, this, [this] {
        ++m_serial;
        say(tr("Asking…"), "muted");
        m_pause.start();
    });
    connect(browse, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Python with PyTorch"), QStringLiteral("/usr/bin"));
        if (!path.isEmpty()) m_python->setText(path);
    });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::accepted, this, [this] { m_cards.setPython(python()); });
    probe();
}

QString PreferencesDialog::python() const {
    return m_python->text().trimmed();
}

QString PreferencesDialog::finding() const {
    return m_finding->text();
}

void PreferencesDialog::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    fit();
}

/// The whole of what is said is seen: a dialog does not grow with a label that wraps by itself.
void PreferencesDialog::fit() {
    const QMargins margins = layout()->contentsMargins();
    const int room = width() - margins.left() - margins.right();
    m_finding->setMinimumHeight(std::max(m_finding->heightForWidth(room), fontMetrics().height() * fewestLines));
}

void PreferencesDialog::say(const QString& text, const char* role) {
    m_finding->setText(text);
    fit();
    m_finding->setProperty("role", role);
    m_finding->style()->unpolish(m_finding);
    m_finding->style()->polish(m_finding);
}

/// One that was named and does not do is a mistake; that none was found by itself is a state.
void PreferencesDialog::sayMissing(const QString& why) {
    if (python().isEmpty())
        say(tr("Optional: without one, kernels of tasks that have no card are not verified, and PyTorch is not "
               "timed.\n%1")
                .arg(why),
            "muted");
    else
        say(why, "wrong");
}

void PreferencesDialog::probe() {
    const quint64 serial = ++m_serial;
    say(tr("Asking…"), "muted");
    auto answered = [this, serial, self = QPointer(this)](const Result<protocol::Python>& found) {
        if (!self || serial != m_serial) return; // the dialog is gone, or another path was typed
        if (found)
            say(tr("Found: PyTorch %1 with Python %2, %3")
                    .arg(QString::fromStdString(found->torch), QString::fromStdString(found->version),
                         QString::fromStdString(found->path)),
                "right");
        else if (found.error().code != "cancelled")
            sayMissing(QString::fromStdString(found.error().text()));
    };
    m_cards.probe(python(), answered);
}

} // namespace kernelarium::ui
