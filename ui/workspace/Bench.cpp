// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/Bench.h"

#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/SessionDesk.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/Settings.h"
#include "ui/workspace/SourceFiles.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

namespace kernelarium::ui {

namespace {

/// Typed text is on its way to the disk after this long: kill -9 costs no character older than two seconds.
constexpr int draftPauseMs = 600;

} // namespace

Bench::Bench(ArchiveDesk& archive, SessionDesk& session, Notices& notices, QObject* parent)
    : QObject(parent)
    , m_archive(archive)
    , m_session(session)
    , m_notices(notices) {
    m_draftPause.setSingleShot(true);
    m_draftPause.setInterval(draftPauseMs);
    connect(&m_draftPause, &QTimer::timeout, this, &Bench::settleDraft);
    connect(&session, &SessionDesk::ready, this,
            [this] { m_taken = TakenHunks::fromJson(m_session.value(QLatin1String(setting::takenHunks.key))); });
}

Bench::~Bench() {
    if (m_draftPause.isActive()) settleDraft();
}

void Bench::keepDraft() {
    m_session.saveDraft(m_kernel.key, m_source, m_cursorLine);
}

/// What was undone must not come back, either.
void Bench::settleDraft() {
    if (isEdited() || m_kernel.isKept)
        keepDraft();
    else
        m_session.removeDraft(m_kernel.key);
}

void Bench::openArchived(qint64 id, int line) {
    const quint64 opening = ++m_opening;
    m_archive.fetch(id, [this, opening, line](Result<ArchiveDesk::Fetched> fetched) {
        if (opening != m_opening) return;
        if (!fetched) {
            m_notices.postFailure(fetched.error());
            return;
        }
        Kernel kernel;
        kernel.origin = Kernel::Origin::archived;
        kernel.key = QStringLiteral("archive:") + QString::fromStdString(fetched->row.label());
        kernel.title = QString::fromStdString(fetched->row.name);
        kernel.original = fetched->code;
        kernel.task = task::TaskKey{int(fetched->row.level), int(fetched->row.task)};
        kernel.row = fetched->row;
        kernel.texts = fetched->texts;
        takeWhatWasSet(kernel);
        // On its own: what waits to be painted is not made to wait for all that follows the bench.
        QTimer::singleShot(0, this, [this, opening, line, kernel] {
            if (opening == m_opening) put(kernel, line);
        });
    });
}

void Bench::openFiles(const QStringList& paths) {
    if (!paths.isEmpty()) openNext(++m_opening, paths);
}

void Bench::openNext(quint64 opening, QStringList paths) {
    const QString path = paths.takeFirst();
    readSource(path, this, [this, opening, path, paths](Result<QString> text) {
        if (opening != m_opening) return;
        if (text) {
            Kernel kernel;
            kernel.origin = Kernel::Origin::file;
            kernel.path = QFileInfo(path).absoluteFilePath();
            kernel.key = QStringLiteral("file:") + kernel.path;
            kernel.title = QFileInfo(path).fileName();
            kernel.original = *text;
            kernel.task = taskNamedIn(*text);
            kernel.cardPath = cardPathOf(kernel.key);
            takeWhatWasSet(kernel);
            put(std::move(kernel), 0);
        } else {
            m_notices.postError(text.error());
        }
        if (!paths.isEmpty()) openNext(opening, paths);
    });
}

/// How it is compiled, called and compared was set when it was here before.
void Bench::takeWhatWasSet(Kernel& kernel) const {
    const auto known = m_known.constFind(kernel.key);
    if (known == m_known.constEnd()) return;
    kernel.task = known->task;
    kernel.taskIsChosen = known->taskIsChosen;
    kernel.cardPath = known->cardPath;
    kernel.card = known->card;
    kernel.referenceText = known->referenceText;
    kernel.referenceName = known->referenceName;
    kernel.arguments = known->arguments;
    kernel.compilerOptions = known->compilerOptions;
    kernel.function = known->function;
}

void Bench::openText(const Kernel& kernel, int line) {
    ++m_opening;
    put(kernel, line);
}

void Bench::openKey(const QString& key) {
    if (key == m_kernel.key || key.isEmpty()) return;
    if (key.startsWith(QLatin1String("archive:"))) {
        const qint64 row = m_archive.rowOfLabel(key.mid(8));
        if (row < 0) {
            // Seen since the start, in an archive that is not open any more.
            if (const auto known = m_known.constFind(key); known != m_known.constEnd()) return openText(Kernel(*known));
            m_notices.post(tr("%1 is not in the open archive.").arg(key.mid(8)), true);
        } else {
            openArchived(m_archive.table()->id[std::size_t(row)]);
        }
    } else if (key.startsWith(QLatin1String("file:"))) {
        openFile(key.mid(5));
    } else if (const auto known = m_known.constFind(key); known != m_known.constEnd()) {
        openText(*known);
    } else {
        openDraft(key);
    }
}

void Bench::openDraft(const QString& key) {
    const auto* draft = m_session.draft(key);
    if (!draft) return;
    Kernel kernel; // typed in an earlier run of the program
    kernel.origin = Kernel::Origin::fresh;
    kernel.key = key;
    kernel.title = tr("untitled.cu");
    const QString text = QString::fromStdString(draft->text);
    kernel.task = taskNamedIn(text);
    kernel.cardPath = cardPathOf(key);
    if (const auto from = generatedFrom(key)) {
        kernel.title = from->title();
        kernel.task = from->task;
        kernel.original = text; // what was written is not kept beside what became of it
        kernel.isKept = true;
    }
    openText(kernel);
}

void Bench::openNew(Kernel kernel, const std::optional<GeneratedFrom>& from) {
    GeneratedFrom generated = from.value_or(GeneratedFrom());
    int& number = generated.number;
    const auto key = [&] { return from ? generated.key() : QStringLiteral("new:%1").arg(number); };
    for (number = 1; m_session.draft(key()) || m_known.contains(key());)
        ++number;
    kernel.origin = Kernel::Origin::fresh;
    kernel.key = key();
    kernel.title = from ? generated.title() : tr("untitled-%1.cu").arg(number);
    kernel.isKept = from.has_value();
    openText(kernel);
    if (kernel.isKept) keepDraft();
}

/// Which card of the user's own a kernel has is known after a restart.
void Bench::keepCardPath() {
    if (cardPathOf(m_kernel.key) == m_kernel.cardPath) return;
    QJsonObject paths = QJsonDocument::fromJson(m_session.value(QLatin1String(setting::cardPaths.key))).object();
    if (m_kernel.cardPath.isEmpty())
        paths.remove(m_kernel.key);
    else
        paths[m_kernel.key] = m_kernel.cardPath;
    m_session.setValue(QLatin1String(setting::cardPaths.key), QJsonDocument(paths).toJson(QJsonDocument::Compact));
}

QString Bench::cardPathOf(const QString& key) const {
    const auto paths = QJsonDocument::fromJson(m_session.value(QLatin1String(setting::cardPaths.key))).object();
    return paths.value(key).toString();
}

void Bench::put(Kernel kernel, int line) {
    if (m_draftPause.isActive()) {
        m_draftPause.stop();
        settleDraft();
    }
    m_kernel = std::move(kernel);
    m_known.insert(m_kernel.key, m_kernel);
    keepCardPath();
    m_history.visit(m_kernel.key);
    const session::Draft* draft = m_session.draft(m_kernel.key);
    m_cursorLine = draft ? draft->cursorLine : 0;
    ++m_generation;
    m_source = draft ? QString::fromStdString(draft->text) : m_kernel.original;
    setStepLine(0);
    Q_EMIT kernelPut();
    Q_EMIT kernelChanged();
    Q_EMIT textChanged(true);
    if (line > 0)
        Q_EMIT lineRequested(line, 0);
    else if (m_cursorLine > 0)
        Q_EMIT lineRemembered(m_cursorLine + 1);
    if (draft && isEdited()) m_notices.post(tr("Your unsaved edit of %1 is back.").arg(m_kernel.title));
}

void Bench::sourceIsNow(const QString& text) {
    m_source = text;
    ++m_generation;
    // Counted from the first change that is not on its way to the disk: steady typing is kept, too.
    if (!m_draftPause.isActive()) m_draftPause.start();
    Q_EMIT textChanged(false);
    Q_EMIT sourceChanged();
}

void Bench::setSource(const QString& text, int cursorLine) {
    m_cursorLine = cursorLine;
    if (m_kernel.isEmpty() || text == m_source) return;
    sourceIsNow(text);
}

void Bench::replaceSource(const QString& text) {
    if (m_kernel.isEmpty() || text == m_source) return;
    Q_EMIT sourceReplaced(text);
    if (m_source != text) sourceIsNow(text); // no editor took it over
}

void Bench::takeHunk(const HunkSource& source, const QString& text) {
    if (m_kernel.isEmpty() || text == m_source) return;
    const QString before = m_source;
    replaceSource(text);
    // What is one's own is no other parent.
    if (source.key.isEmpty() || (source.key == m_kernel.key && source.attempt == 0)) return;
    m_taken.take(m_kernel.key, source, before, m_source);
    keepTaken();
}

void Bench::takenIsKept(const QString& key, const std::vector<session::OtherParent>& parents) {
    if (parents.empty()) return;
    m_taken.kept(key, parents);
    keepTaken();
}

/// As drafts are: a text that comes back after a kill still has them.
void Bench::keepTaken() {
    m_session.setValue(QLatin1String(setting::takenHunks.key), m_taken.toJson());
}

void Bench::saveToFile(const QString& path) {
    writeSource(path, m_source, this, [this, path, text = m_source](Result<void> written) {
        if (written)
            saved(path, text);
        else
            m_notices.postError(written.error());
    });
}

void Bench::saved(const QString& path, const QString& text) {
    m_notices.post(tr("Saved %1.").arg(path));
    Kernel kernel = m_kernel;
    m_session.removeDraft(m_kernel.key);
    const bool unchanged = m_source == text;
    kernel.origin = Kernel::Origin::file;
    kernel.path = QFileInfo(path).absoluteFilePath();
    kernel.key = QStringLiteral("file:") + kernel.path;
    kernel.title = QFileInfo(path).fileName();
    kernel.original = text;
    kernel.isKept = false;
    kernel.row.reset();
    if (unchanged && kernel.key != m_kernel.key) {
        m_taken.rename(m_kernel.key, kernel.key);
        if (m_kernel.origin == Kernel::Origin::fresh) Q_EMIT keyChanged(m_kernel.key, kernel.key);
        put(std::move(kernel), m_cursorLine + 1);
    } else if (kernel.key == m_kernel.key) {
        m_kernel.original = text;
        m_known.insert(m_kernel.key, m_kernel);
        Q_EMIT sourceChanged();
    }
}

void Bench::amend(const std::function<void(Kernel&)>& change) {
    change(m_kernel);
    m_known.insert(m_kernel.key, m_kernel);
    keepCardPath();
}

void Bench::setStepLine(int line) {
    if (line == m_stepLine) return;
    m_stepLine = line;
    Q_EMIT stepLineChanged(line);
}

} // namespace kernelarium::ui
