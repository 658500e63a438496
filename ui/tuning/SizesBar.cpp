// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/SizesBar.h"

#include "ui/theme/Theme.h"

#include <QCheckBox>
#include <QDataStream>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalBlocker>

namespace kernelarium::ui {

namespace {

/// "N=512 B=1, N=128" are two shapes.
std::vector<std::string> shapesIn(QString text) {
    static const QRegularExpression aroundSigns(QStringLiteral("\\s*([,=])\\s*"));
    static const QRegularExpression between(QStringLiteral("[\\s;]+"));
    text.replace(aroundSigns, QStringLiteral("\\1"));
    std::vector<std::string> shapes;
    for (const QString& shape : text.split(between, Qt::SkipEmptyParts))
        shapes.push_back(shape.toStdString());
    return shapes;
}

QString symbolWords(const task::Symbols& symbols) {
    QStringList words;
    for (const auto& [name, value] : symbols)
        words << QStringLiteral("%1=%2").arg(QString::fromStdString(name)).arg(value);
    return words.join(QStringLiteral(", "));
}

} // namespace

SizesBar::SizesBar(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout)
    , m_shapes(new QLineEdit)
    , m_problem(new QLabel) {
    auto* words = new QLabel(tr("sizes"));
    words->setToolTip(tr("Tune for several of the task's sizes at once: the value of a point is the geometric mean of "
                         "its times, and the best for each size is kept apart"));
    m_shapes->setAccessibleName(tr("Shapes to tune for"));
    m_shapes->setClearButtonEnabled(true);
    m_problem->setProperty("role", "wrong");
    m_problem->setFont(theme.captionFont());
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_row->setSpacing(8);
    m_row->addWidget(words);
    m_row->addWidget(m_shapes, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(m_row);
    layout->addWidget(m_problem);
    connect(m_shapes, &QLineEdit::textChanged, this, &SizesBar::choose);
    hide();
    refresh();
}

void SizesBar::setCard(const CardPointer& card) {
    const bool same = m_card && card && m_card->key() == card->key() && m_card->sizes == card->sizes;
    m_card = card;
    if (!same) makeBoxes();
    setVisible(m_card != nullptr);
}

void SizesBar::makeBoxes() {
    for (QCheckBox* box : m_boxes)
        delete box;
    m_boxes.clear();
    if (!m_card) return;
    const Choice choice = m_choices.value(QString::fromStdString(m_card->key()));
    int place = 1;
    for (const auto& [name, symbols] : m_card->sizes) {
        const QString title = QString::fromStdString(name);
        auto* box = new QCheckBox(title);
        box->setToolTip(symbolWords(symbols));
        box->setAccessibleName(tr("Size %1").arg(title));
        box->setChecked(choice.named.contains(title));
        connect(box, &QCheckBox::toggled, this, &SizesBar::choose);
        m_row->insertWidget(place++, box);
        setTabOrder(m_boxes.empty() ? static_cast<QWidget*>(m_shapes) : m_boxes.back(), box);
        m_boxes.push_back(box);
    }
    if (!m_boxes.empty()) setTabOrder(m_boxes.back(), m_shapes);
    const auto full = m_card->size("full");
    const QString example = full && !full->empty() ? QString::fromStdString(full->front().first) : QStringLiteral("N");
    m_shapes->setPlaceholderText(tr("other shapes, such as %1=512").arg(example));
    m_shapes->setToolTip(tr("Values of the task's symbols, the others as in the full size (%1). A comma joins symbols "
                            "of one shape, a space begins another: %2=128 %2=512")
                             .arg(full ? symbolWords(*full) : QString(), example));
    const QSignalBlocker quiet(m_shapes);
    m_shapes->setText(choice.shapes);
    refresh();
}

void SizesBar::choose() {
    if (!m_card) return;
    Choice choice{{}, m_shapes->text().trimmed()};
    for (const QCheckBox* box : m_boxes)
        if (box->isChecked()) choice.named << box->text();
    const QString task = QString::fromStdString(m_card->key());
    if (choice == Choice())
        m_choices.remove(task);
    else
        m_choices[task] = choice;
    refresh();
    Q_EMIT changed();
    Q_EMIT stateChanged();
}

void SizesBar::refresh() {
    for (QCheckBox* box : m_boxes)
        box->setEnabled(!m_running);
    m_shapes->setEnabled(!m_running);
    const QString problem = obstacle();
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

void SizesBar::setRunning(bool running) {
    if (std::exchange(m_running, running) != running) refresh();
}

Result<task::CardSizes> SizesBar::sizes() const {
    if (!m_card) return task::CardSizes();
    std::vector<std::string> named;
    for (const QCheckBox* box : m_boxes)
        if (box->isChecked()) named.push_back(box->text().toStdString());
    const std::vector<std::string> shapes = shapesIn(m_shapes->text());
    if (named.empty() && shapes.empty())
        return Error{"bad_usage", tr("No size is chosen.").toStdString(), tr("Choose one at least.").toStdString()};
    return task::cardSizes(*m_card, named, shapes);
}

QString SizesBar::obstacle() const {
    const Result<task::CardSizes> taken = sizes();
    return taken ? QString() : QString::fromStdString(taken.error().text());
}

QByteArray SizesBar::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << qint32(m_choices.size());
    for (auto at = m_choices.begin(); at != m_choices.end(); ++at)
        out << at.key() << at->named << at->shapes;
    return state;
}

void SizesBar::restoreState(const QByteArray& state) {
    QMap<QString, Choice> choices;
    qint32 count = 0;
    QDataStream in(state);
    in >> count;
    for (qint32 i = 0; i < count && in.status() == QDataStream::Ok; ++i) {
        QString task;
        Choice choice;
        in >> task >> choice.named >> choice.shapes;
        choices[task] = choice;
    }
    if (in.status() != QDataStream::Ok) return;
    m_choices = choices;
    makeBoxes();
}

} // namespace kernelarium::ui
