// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/SearchField.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCompleter>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QRegularExpression>
#include <QStringListModel>
#include <QStyledItemDelegate>
#include <QTextCharFormat>

namespace kernelarium::ui {

namespace {

constexpr int unaskedFrom = 2; ///< letters; one is too few to know what is meant
constexpr int mostCompletions = 40;
constexpr int popupGap = 4; ///< between the field and its completions

QString toQt(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

/// How many signs of an expression stand before a word: "-(verdict:" has two.
qsizetype signsOf(const QString& word) {
    qsizetype count = 0;
    while (count < word.size() && (word[count] == QLatin1Char('-') || word[count] == QLatin1Char('(')))
        ++count;
    return count;
}

} // namespace

SearchField::SearchField(const Theme& theme, QWidget* parent)
    : QLineEdit(parent)
    , m_theme(theme)
    , m_completer(new QCompleter(this))
    , m_words(new QStringListModel(this)) {
    m_completer->setModel(m_words);
    m_completer->setWidget(this);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->popup()->setAccessibleName(tr("Completions"));
    m_completer->popup()->setProperty("role", "completions");
    m_completer->popup()->setItemDelegate(
        new QStyledItemDelegate(m_completer)); // the completer's own knows no style sheet
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &SearchField::complete);
    connect(this, &QLineEdit::textEdited, this, [this] { offer(false); });
}

void SearchField::beginField(const QString& field) {
    const QString typed = text().trimmed();
    setText(typed.isEmpty() ? field : typed + QLatin1Char(' ') + field);
    setFocus(Qt::ShortcutFocusReason);
    setCursorPosition(int(text().size()));
    QMetaObject::invokeMethod(
        this, [this] { offer(true); }, Qt::QueuedConnection); // the menu that asked for it closes now
}

void SearchField::setValues(const QStringList& tasks, const QStringList& operators) {
    m_tasks = tasks;
    m_operators = operators;
}

int SearchField::wordBegin() const {
    int begin = cursorPosition();
    const QString typed = text();
    while (begin > 0 && !typed[begin - 1].isSpace())
        --begin;
    return begin;
}

QStringList SearchField::completions() const {
    const int begin = wordBegin();
    const QString whole = text().mid(begin, cursorPosition() - begin);
    const QString signs = whole.left(signsOf(whole)); // "-(", which a completed word keeps
    const QString word = whole.mid(signs.size());
    QStringList found;
    const auto add = [&](const QString& completion) {
        if (completion.startsWith(word, Qt::CaseInsensitive) && completion != word && found.size() < mostCompletions)
            found << signs + completion;
    };
    const qsizetype colon = word.indexOf(QLatin1Char(':'));
    for (const archive::SearchField& field : archive::searchFields()) {
        const QString name = toQt(field.name);
        if (colon < 0) {
            add(name + (field.isMeasure ? QLatin1Char('>') : QLatin1Char(':')));
            continue;
        }
        if (word.left(colon) != name) continue;
        QStringList values;
        for (const std::string_view value : field.values)
            values << toQt(value);
        if (field.name == "task") values = m_tasks;
        if (field.name == "op") values = m_operators;
        if ((field.name == "reason" || field.name == "remark") && m_verdictWords)
            values = m_verdictWords(field.name == "reason");
        const qsizetype comma = field.isList ? word.lastIndexOf(QLatin1Char(',')) : -1;
        const QString before = comma < 0 ? name + QLatin1Char(':') : word.left(comma + 1);
        for (const QString& value : values)
            add(before + QString::fromStdString(archive::quotedSearchValue(value.toStdString())));
    }
    return found;
}

QString SearchField::finishedText() const {
    static const QRegularExpression unfinished(QStringLiteral("(^|\\s)(OR|AND|NOT)\\s*$"));
    QString typed = text();
    for (auto match = unfinished.match(typed); match.hasMatch(); match = unfinished.match(typed))
        typed.truncate(match.capturedStart());
    auto begin = typed.lastIndexOf(QLatin1Char(' ')) + 1;
    begin += signsOf(typed.mid(begin));
    for (const archive::SearchField& field : archive::searchFields()) {
        const QString name = toQt(field.name);
        for (const char* sign : {":", ">", "<", ">=", "<=", "="}) {
            if (!field.isMeasure && *sign != ':') continue;
            if (typed.mid(begin) == name + QLatin1String(sign))
                return typed.left(typed.lastIndexOf(QLatin1Char(' ')) + 1);
        }
    }
    return typed;
}

bool SearchField::isCompleting() const {
    return m_completer->popup()->isVisible();
}

void SearchField::offer(bool asked) {
    const int length = cursorPosition() - wordBegin();
    const QStringList found = asked || length >= unaskedFrom ? completions() : QStringList();
    if (found.isEmpty()) {
        m_completer->popup()->hide();
        return;
    }
    m_words->setStringList(found);
    m_completer->complete(QRect(0, popupGap, width(), height()));
}

void SearchField::complete(const QString& completion) {
    const int begin = wordBegin();
    const QString typed = text();
    const bool takesMore = completion.endsWith(QLatin1Char(':')) || completion.endsWith(QLatin1Char('>'));
    const QString added = takesMore || typed.mid(cursorPosition()).startsWith(QLatin1Char(' '))
                              ? completion
                              : completion + QLatin1Char(' ');
    setText(typed.left(begin) + added + typed.mid(cursorPosition()));
    setCursorPosition(begin + int(added.size()));
    // The values of a field that was chosen; later, because the list that it was chosen from closes now.
    if (takesMore)
        QMetaObject::invokeMethod(
            this, [this] { offer(true); }, Qt::QueuedConnection);
}

void SearchField::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier) {
        offer(true);
        return;
    }
    if (isCompleting()) switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Escape:
        case Qt::Key_Tab: event->ignore(); return; // the list of completions takes them
        default: break;
        }
    QLineEdit::keyPressEvent(event);
}

void SearchField::setProblem(const archive::SearchProblem& problem) {
    const QByteArray typed = text().toUtf8();
    const auto begin = QString::fromUtf8(typed.left(qsizetype(problem.at))).size();
    const auto length = QString::fromUtf8(typed.mid(qsizetype(problem.at), qsizetype(problem.length))).size();
    QTextCharFormat wrong;
    wrong.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    wrong.setUnderlineColor(m_theme.colours().wrong);
    QList<QInputMethodEvent::Attribute> marks;
    if (length > 0)
        marks << QInputMethodEvent::Attribute(QInputMethodEvent::TextFormat, int(begin) - cursorPosition(), int(length),
                                              wrong);
    QInputMethodEvent event({}, marks); // the way that a line of text has for parts of another look
    QLineEdit::inputMethodEvent(&event);
}

} // namespace kernelarium::ui
