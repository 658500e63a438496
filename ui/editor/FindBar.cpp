// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/FindBar.h"

#include "ui/editor/DocumentEdit.h"
#include "ui/editor/LatestJob.h"
#include "ui/theme/Theme.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QToolButton>
#include <algorithm>

namespace kernelarium::ui {

namespace {

using S = QsciScintilla;
/// Up to here matches are replaced one by one, so that marks between them stay; beyond, the text as a whole.
constexpr std::size_t fewMatches = 1000;
constexpr int settleMilliseconds = 150;

} // namespace

FindBar::FindBar(Theme& theme, QsciScintilla& editor, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_editor(editor)
    , m_job(new LatestJob(this)) {
    setAccessibleName(tr("Find and replace"));
    editor.indicatorDefine(S::StraightBoxIndicator, indicator);
    editor.setIndicatorDrawUnder(true, indicator);
    build();
    makeActions();
    m_settle.setSingleShot(true);
    m_settle.setInterval(settleMilliseconds);
    connect(&m_settle, &QTimer::timeout, this, [this] { search(m_pending); });
    connect(m_pattern, &QLineEdit::textChanged, this, [this] { search(Pending::first); });
    connect(m_replacement, &QLineEdit::textChanged, this, [this] { search(Pending::nothing); });
    connect(&editor, &QsciScintilla::textChanged, this, [this] {
        ++m_revision;
        if (isVisible()) m_settle.start();
    });
    connect(&editor, &QsciScintillaBase::SCN_UPDATEUI, this, [this](int updated) {
        if (!isVisible()) return;
        if ((updated & S::SC_UPDATE_V_SCROLL) != 0) highlight();
        if ((updated & S::SC_UPDATE_SELECTION) != 0) showStatus();
    });
    connect(&theme, &Theme::changed, this, &FindBar::applyTheme);
    applyTheme();
    m_replaceRow->hide();
    hide();
}

SearchQuery FindBar::query() const {
    return {m_pattern->text(), m_case->isChecked(), m_word->isChecked(), m_regex->isChecked()};
}

QString FindBar::status() const {
    return m_status->text();
}

void FindBar::openFind() {
    m_anchor = m_editor.SendScintilla(S::SCI_GETSELECTIONSTART);
    const QString selected = m_editor.selectedText();
    const bool usable = !selected.isEmpty() && !selected.contains(QLatin1Char('\n'));
    show();
    m_pattern->setFocus(Qt::ShortcutFocusReason);
    if (usable && !m_regex->isChecked() && selected != m_pattern->text())
        m_pattern->setText(selected);
    else
        search(Pending::nothing);
    m_pattern->selectAll();
}

void FindBar::openReplace() {
    openFind();
    m_replaceRow->setVisible(!m_editor.isReadOnly());
}

void FindBar::closeBar() {
    m_job->cancel();
    m_pending = Pending::nothing;
    hide();
    m_replaceRow->hide();
    highlight();
    m_editor.setFocus();
}

void FindBar::findNext() {
    perform(Pending::next);
}

void FindBar::findPrevious() {
    perform(Pending::previous);
}

void FindBar::replaceCurrent() {
    perform(Pending::replace);
}

void FindBar::replaceAll() {
    perform(Pending::replaceAll);
}

void FindBar::search(Pending then) {
    ++m_revision;
    m_settle.stop();
    m_pending = then;
    const QByteArray shared = documentBytes(m_editor);
    const QByteArray bytes(shared.constData(), shared.size());
    m_job->start([this, bytes, asked = query(), replacement = m_replacement->text(),
                  revision = m_revision](const std::stop_token& stop) -> LatestJob::Deliver {
        auto result = std::make_shared<SearchResult>(searchText(bytes, asked, replacement, stop));
        return [this, result, revision] { arrived(std::move(*result), revision); };
    });
}

void FindBar::arrived(SearchResult result, quint64 revision) {
    if (revision != m_revision) return; // the text has changed since; the timer searches again
    m_result = std::move(result);
    m_known = revision;
    highlight();
    const Pending pending = std::exchange(m_pending, Pending::nothing);
    if (pending != Pending::nothing) perform(pending);
    showStatus();
    Q_EMIT searched(int(m_result.matches.size()));
}

void FindBar::perform(Pending what) {
    if (m_known != m_revision || m_known == 0) {
        if (m_pattern->text().isEmpty()) return openFind();
        return search(what);
    }
    const auto& matches = m_result.matches;
    if (matches.empty()) return showStatus();
    switch (what) {
    case Pending::nothing: break;
    case Pending::first: {
        const auto at =
            std::lower_bound(matches.begin(), matches.end(), m_anchor,
                             [](const SearchMatch& match, long position) { return match.start < position; });
        select(at == matches.end() ? 0 : std::size_t(at - matches.begin()));
        break;
    }
    case Pending::next: step(true); break;
    case Pending::previous: step(false); break;
    case Pending::replace: {
        const int current = currentIndex();
        if (m_editor.isReadOnly()) break;
        if (current < 0) return step(true);
        const SearchMatch match = matches[std::size_t(current)];
        m_editor.SendScintilla(S::SCI_SETTARGETRANGE, static_cast<unsigned long>(match.start), match.end);
        m_editor.SendScintilla(S::SCI_REPLACETARGET, static_cast<unsigned long>(match.replacement.size()),
                               match.replacement.constData());
        const long after = match.start + long(match.replacement.size());
        m_editor.SendScintilla(S::SCI_SETEMPTYSELECTION, static_cast<unsigned long>(after));
        showLineStarts(m_editor);
        search(Pending::next);
        Q_EMIT replaced(1);
        break;
    }
    case Pending::replaceAll: applyAll(); break;
    }
}

void FindBar::step(bool forward) {
    const auto& matches = m_result.matches;
    const long start = m_editor.SendScintilla(S::SCI_GETSELECTIONSTART);
    const long end = m_editor.SendScintilla(S::SCI_GETSELECTIONEND);
    if (forward) {
        const long from = currentIndex() >= 0 ? end : start;
        const auto next =
            std::lower_bound(matches.begin(), matches.end(), from,
                             [](const SearchMatch& match, long position) { return match.start < position; });
        select(next == matches.end() ? 0 : std::size_t(next - matches.begin()));
    } else {
        const auto next =
            std::lower_bound(matches.begin(), matches.end(), start,
                             [](const SearchMatch& match, long position) { return match.start < position; });
        select(next == matches.begin() ? matches.size() - 1 : std::size_t(next - matches.begin()) - 1);
    }
}

void FindBar::select(std::size_t index) {
    const SearchMatch& match = m_result.matches[index];
    const long line = m_editor.SendScintilla(S::SCI_LINEFROMPOSITION, match.start);
    m_editor.ensureLineVisible(int(line));
    m_editor.SendScintilla(S::SCI_SETSEL, static_cast<unsigned long>(match.start), match.end);
    m_editor.SendScintilla(S::SCI_SCROLLRANGE, static_cast<unsigned long>(match.end), match.start);
    showLineStarts(m_editor);
    m_anchor = match.start;
    highlight();
    showStatus();
}

void FindBar::applyAll() {
    if (m_editor.isReadOnly()) return;
    const std::vector<SearchMatch> matches = std::move(m_result.matches);
    m_result.matches.clear();
    if (matches.size() <= fewMatches) {
        m_editor.beginUndoAction();
        for (auto match = matches.rbegin(); match != matches.rend(); ++match) {
            m_editor.SendScintilla(S::SCI_SETTARGETRANGE, static_cast<unsigned long>(match->start), match->end);
            m_editor.SendScintilla(S::SCI_REPLACETARGET, static_cast<unsigned long>(match->replacement.size()),
                                   match->replacement.constData());
        }
        m_editor.endUndoAction();
    } else {
        const QByteArray bytes = documentBytes(m_editor);
        QByteArray next;
        next.reserve(bytes.size());
        long from = 0;
        for (const SearchMatch& match : matches) {
            next.append(bytes.constData() + from, match.start - from);
            next.append(match.replacement);
            from = match.end;
        }
        next.append(bytes.constData() + from, bytes.size() - from);
        replaceDocument(m_editor, QString::fromUtf8(next));
    }
    showLineStarts(m_editor);
    const bool more = m_result.tooMany;
    search(Pending::nothing);
    m_status->setText(more ? tr("%1 replaced, more left").arg(matches.size()) : tr("%1 replaced").arg(matches.size()));
    Q_EMIT replaced(int(matches.size()));
}

int FindBar::currentIndex() const {
    if (m_known != m_revision) return -1;
    const long start = m_editor.SendScintilla(S::SCI_GETSELECTIONSTART);
    const long end = m_editor.SendScintilla(S::SCI_GETSELECTIONEND);
    const auto at = std::lower_bound(m_result.matches.begin(), m_result.matches.end(), start,
                                     [](const SearchMatch& match, long position) { return match.start < position; });
    return at != m_result.matches.end() && at->start == start && at->end == end ? int(at - m_result.matches.begin())
                                                                                : -1;
}

void FindBar::highlight() {
    m_editor.SendScintilla(S::SCI_SETINDICATORCURRENT, indicator);
    m_editor.SendScintilla(S::SCI_INDICATORCLEARRANGE, 0UL, long(m_editor.length()));
    if (isHidden() || m_known != m_revision) return;
    const long top = m_editor.SendScintilla(S::SCI_GETFIRSTVISIBLELINE);
    const long shown = m_editor.SendScintilla(S::SCI_LINESONSCREEN);
    const auto lineStart = [this](long visible) {
        const long line =
            m_editor.SendScintilla(S::SCI_DOCLINEFROMVISIBLE, static_cast<unsigned long>(std::max(0L, visible)));
        const long position = m_editor.SendScintilla(S::SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
        return position < 0 ? long(m_editor.length()) : position;
    };
    const long last = lineStart(top + 2 * shown);
    const long first = lineStart(top - shown);
    auto match = std::lower_bound(m_result.matches.begin(), m_result.matches.end(), first,
                                  [](const SearchMatch& m, long position) { return m.start < position; });
    for (int count = 0; match != m_result.matches.end() && match->start < std::max(last, first + 1) && count < 2000;
         ++match, ++count)
        m_editor.SendScintilla(S::SCI_INDICATORFILLRANGE, static_cast<unsigned long>(match->start),
                               match->end - match->start);
}

void FindBar::showStatus() {
    if (m_known != m_revision) return;
    const std::size_t count = m_result.matches.size();
    const QString total = m_result.tooMany ? tr("over %1").arg(count) : QString::number(count);
    const int current = currentIndex();
    const bool wrong = !m_result.error.isEmpty() || (count == 0 && !m_pattern->text().isEmpty());
    if (!m_result.error.isEmpty())
        m_status->setText(tr("Invalid pattern: %1").arg(m_result.error));
    else if (m_pattern->text().isEmpty())
        m_status->clear();
    else if (count == 0)
        m_status->setText(noMatchText());
    else if (current >= 0)
        m_status->setText(tr("%1 of %2").arg(current + 1).arg(total));
    else
        m_status->setText(count == 1 ? tr("1 match") : tr("%1 matches").arg(total));
    tellStatus();
    m_status->setProperty("role", wrong ? QStringLiteral("wrong") : QStringLiteral("muted"));
    m_status->style()->unpolish(m_status);
    m_status->style()->polish(m_status);
}

/// What keeps it from being found, where a choice of the bar may.
QString FindBar::noMatchText() const {
    QStringList narrowed;
    if (m_case->isChecked()) narrowed << tr("matching case");
    if (m_word->isChecked()) narrowed << tr("whole words only");
    if (m_regex->isChecked()) narrowed << tr("as a regular expression");
    return narrowed.isEmpty() ? tr("No match") : tr("No match (%1)").arg(narrowed.join(QStringLiteral(", ")));
}

/// The label's own name says what it is about; a screen reader is told what it says.
void FindBar::tellStatus() {
    if (m_status->accessibleDescription() == m_status->text()) return;
    m_status->setAccessibleDescription(m_status->text());
    QAccessibleEvent event(m_status, QAccessible::Alert);
    if (isVisible() && !m_status->text().isEmpty()) QAccessible::updateAccessibility(&event);
}

bool FindBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter) return QWidget::eventFilter(watched, event);
    if (watched == m_replacement) {
        if (key->modifiers().testFlag(Qt::ControlModifier))
            replaceAll();
        else
            replaceCurrent();
    } else if (key->modifiers().testFlag(Qt::ShiftModifier)) {
        findPrevious();
    } else {
        findNext();
    }
    return true;
}

void FindBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        closeBar();
    else
        QWidget::keyPressEvent(event);
}

} // namespace kernelarium::ui
