// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/StatisticsDesk.h"

#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/VerdictDesk.h"
#include "ui/threads/Ask.h"
#include "ui/words/Quantities.h"

#include <algorithm>
#include <chrono>

namespace kernelarium::ui {

namespace {

using FindingsPointer = std::shared_ptr<const statistics::Findings>;
using ProfilesPointer = std::shared_ptr<const statistics::ProfilePair>;

/// Verdicts and filters come in bursts.
constexpr int burstMs = 120;
constexpr auto heardEvery = std::chrono::milliseconds(120);

std::vector<std::uint32_t> ascending(std::vector<std::uint32_t> rows) {
    std::sort(rows.begin(), rows.end());
    return rows;
}

} // namespace

StatisticsDesk::StatisticsDesk(ArchiveDesk& archive, VerdictDesk& verdicts, QObject* parent)
    : QObject(parent)
    , m_archive(archive)
    , m_verdicts(verdicts) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(burstMs);
    connect(&m_pause, &QTimer::timeout, this, &StatisticsDesk::start);
    connect(&archive, &ArchiveDesk::changed, this, [this] {
        if (m_archive.table() != m_source.table) outdate();
    });
    connect(&archive, &ArchiveDesk::shownChanged, this, [this] {
        if (m_scope == Scope::shown) outdate();
    });
    connect(&verdicts, &VerdictDesk::changed, this, &StatisticsDesk::outdate);
}

StatisticsDesk::~StatisticsDesk() = default;

void StatisticsDesk::setScope(Scope scope) {
    if (scope == m_scope) return;
    m_scope = scope;
    outdate();
}

void StatisticsDesk::setWanted(bool wanted) {
    m_wanted = wanted;
    if (wanted && m_outdated) start();
}

void StatisticsDesk::again() {
    m_outdated = true;
    start();
}

void StatisticsDesk::outdate() {
    m_outdated = true;
    if (m_wanted) m_pause.start();
}

void StatisticsDesk::cancel() {
    m_pause.stop();
    m_thread.cancelAll();
}

void StatisticsDesk::start() {
    m_pause.stop();
    const ArchiveDesk& archive = m_archive;
    m_outdated = false;
    const quint64 generation = ++m_generation;
    m_thread.cancelAll();
    m_profileStage = Stage::idle;
    if (m_source.table != archive.table()) m_source = {}; // numbers of another archive are not shown
    if (!archive.table()) {
        m_stage = Stage::idle;
        Q_EMIT changed();
        return;
    }
    m_stage = Stage::running;
    m_fraction = -1;
    m_progressText = tr("counting");
    const bool whole = m_scope == Scope::archive;
    auto rows = whole || !archive.shown() ? archive::everyRow(*archive.table()) : archive.shown()->rows;
    const QHash<QString, audit::StoredVerdict> verdicts = m_verdicts.verdicts();
    Q_EMIT changed();
    ask<FindingsPointer>(
        m_thread, this, "findings",
        [table = archive.table(), rows = std::move(rows),
         verdicts](const std::stop_token& stop) mutable -> Result<FindingsPointer> {
            const std::vector<audit::StoredVerdict> known(verdicts.cbegin(), verdicts.cend());
            auto found = statistics::findingsOf(*table, ascending(std::move(rows)), known, stop);
            if (!found) return found.error();
            return FindingsPointer(std::make_shared<const statistics::Findings>(std::move(*found)));
        },
        [this, generation, table = archive.table(), path = archive.path(), whole,
         words = m_verdicts.words()](Result<FindingsPointer> found) {
            if (generation != m_generation) return;
            if (found) {
                m_source = {table, *found, nullptr, whole, words};
                m_sourcePath = path;
            }
            take(generation, std::move(found));
        });
}

void StatisticsDesk::take(quint64 generation, Result<FindingsPointer> found) {
    if (found) {
        m_stage = Stage::finished;
        m_error = {};
        readProfiles(generation);
    } else {
        m_stage = endOf(found);
        m_error = found.error();
    }
    Q_EMIT changed();
}

void StatisticsDesk::readProfiles(quint64 generation) {
    m_profileStage = Stage::running;
    m_progressText = tr("profiles");
    ask<ProfilesPointer>(
        m_thread, this, "profiles",
        [this, generation, source = m_source,
         file = m_sourcePath.toStdString()](const std::stop_token& stop) -> Result<ProfilesPointer> {
            if (!m_reader || m_reader->path() != std::filesystem::path(file) || m_reader->changedOnDisk()) {
                auto opened = archive::Archive::open(file);
                if (!opened) return opened.error();
                m_reader = std::make_shared<archive::Archive>(std::move(*opened));
            }
            statistics::ProfileOptions options;
            options.stop = stop;
            auto heard = std::chrono::steady_clock::now();
            options.progress = [this, generation, &heard](std::size_t done, std::size_t all) {
                const auto now = std::chrono::steady_clock::now();
                if (now - heard < heardEvery) return;
                heard = now;
                deliver(this, [this, generation, done, all] {
                    if (generation != m_generation) return;
                    m_fraction = double(done) / double(std::max<std::size_t>(all, 1));
                    m_progressText = tr("profiles of %1 of %2 kernels")
                                         .arg(wholeText(std::int64_t(done)), wholeText(std::int64_t(all)));
                    Q_EMIT progressChanged();
                });
            };
            auto read = statistics::profilePair(*m_reader, *source.table, source.findings->archived.rows,
                                                source.findings->failing, options);
            if (!read) return read.error();
            return ProfilesPointer(std::make_shared<const statistics::ProfilePair>(std::move(*read)));
        },
        [this, generation](Result<ProfilesPointer> read) {
            if (generation == m_generation) takeProfiles(std::move(read));
        });
}

void StatisticsDesk::takeProfiles(Result<ProfilesPointer> read) {
    if (read) {
        m_source.profiles = *read;
        m_profileStage = Stage::finished;
    } else {
        m_profileStage = endOf(read);
        m_error = read.error();
    }
    Q_EMIT changed();
}

void StatisticsDesk::list(const DrillPointer& drill, std::function<void(Result<std::shared_ptr<FigureTable>>)> done) {
    using Pointer = std::shared_ptr<FigureTable>;
    ask<Pointer>(
        m_lists, this, "list",
        [drill, source = m_source](const std::stop_token&) -> Result<Pointer> {
            return std::make_shared<FigureTable>(kernelFigures(source, drill->title, drill->rows()));
        },
        std::move(done));
}

QString StatisticsDesk::progressText() const {
    return m_progressText;
}

} // namespace kernelarium::ui
