// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/superopt/GraphSearchDesk.h"

#include "core/files/Sha256.h"
#include "core/superopt/search/SearchStore.h"
#include "ui/threads/Ask.h"

#include <QTimer>

#include <nlohmann/json.hpp>

namespace kernelarium::ui {

namespace {

/// Faster than an eye follows figures.
constexpr int graphsHeardEveryMs = 150;
constexpr const char* lookWork = "look";
constexpr const char* searchWork = "search";
constexpr const char* fileWork = "file";

/// Each search has a store of its own: another limit makes another one, and none is lost.
std::filesystem::path graphStore(const std::filesystem::path& folder, const superopt::GraphSearch& search,
                                 const std::map<std::string, std::string>& identity) {
    const std::string all = nlohmann::json(identity).dump();
    return folder / ("task-" + std::to_string(search.card.level) + "-" + std::to_string(search.card.task) + "-" +
                     files::toHex(files::sha256(all), 16) + ".graphs");
}

Result<GraphSubjectPointer> graphSubject(const superopt::GraphSearch& search, const std::filesystem::path& folder,
                                         const std::stop_token& stop) {
    auto source = superopt::makeGraphSource(search);
    if (!source) return source.error();
    GraphSubject subject{search, std::move(*source), {}, 0, {}};
    auto units = subject.source->units(stop);
    if (!units) return units.error();
    subject.units = units->size();
    subject.store = graphStore(folder, search, subject.source->identity());
    std::error_code problem;
    if (std::filesystem::exists(subject.store, problem)) {
        auto table = superopt::FoundTable::read(subject.store);
        if (!table && table.error().code != "empty_store") return table.error();
        if (table) subject.table = std::move(*table);
    }
    return std::make_shared<const GraphSubject>(std::move(subject));
}

} // namespace

GraphSearchDesk::GraphSearchDesk(std::filesystem::path folder, QObject* parent)
    : QObject(parent)
    , m_folder(std::move(folder)) {}

GraphSearchDesk::~GraphSearchDesk() = default;

void GraphSearchDesk::look(superopt::GraphSearch search) {
    forget();
    const auto ticket = m_look.begin();
    Q_EMIT looked();
    ask<GraphSubjectPointer>(
        m_reader, this, lookWork,
        [search = std::move(search), folder = m_folder](const std::stop_token& stop) {
            return graphSubject(search, folder, stop);
        },
        [this, ticket](Result<GraphSubjectPointer> result) {
            if (!m_look.end(ticket, std::move(result))) return;
            m_subject = lookState().stage == Stage::finished ? lookState().answer : nullptr;
            m_table = m_subject ? m_subject->table : superopt::FoundTable();
            Q_EMIT looked();
            Q_EMIT found();
        });
}

void GraphSearchDesk::forget() {
    m_reader.cancel(lookWork);
    m_reader.cancel(fileWork);
    m_searcher.cancel(searchWork);
    if (m_pause) m_pause->end();
    m_look.clear();
    m_work.clear();
    m_file.clear();
    m_writing.clear();
    m_mailbox.reset();
    m_subject.reset();
    m_table = {};
    Q_EMIT looked();
    Q_EMIT found();
    Q_EMIT written();
    Q_EMIT changed();
}

void GraphSearchDesk::write(const superopt::FoundCandidate& found) {
    if (!m_subject || (m_writing == found.hash && (m_file.isBusy() || fileOf(found.hash)))) return;
    m_writing = found.hash;
    m_reader.cancel(fileWork);
    const auto ticket = m_file.begin();
    Q_EMIT written();
    ask<GraphKernelPointer>(
        m_reader, this, fileWork,
        [subject = m_subject, found](const std::stop_token&) -> Result<GraphKernelPointer> {
            Result<kernelgen::Emitted> file = superopt::fileOf(subject->search, found);
            if (!file) return file.error();
            return std::make_shared<const GraphKernel>(GraphKernel{found.hash, *std::move(file)});
        },
        [this, ticket](Result<GraphKernelPointer> result) {
            if (m_file.end(ticket, std::move(result))) Q_EMIT written();
        });
}

GraphKernelPointer GraphSearchDesk::fileOf(const std::string& graph) const {
    const GraphKernelPointer& file = m_file.state().answer;
    return m_file.state().stage == Stage::finished && file && file->graph == graph ? file : nullptr;
}

void GraphSearchDesk::start(std::size_t threads) {
    if (isRunning() || !m_subject) return;
    const auto ticket = m_work.begin();
    m_pause = std::make_shared<tuning::Pause>();
    m_mailbox = std::make_shared<Mailbox>();
    m_mailbox->progress.found = m_table.counts();
    m_work.details().progress = m_mailbox->progress;
    Q_EMIT changed();
    ask<superopt::UnitSearchEnd>(
        m_searcher, this, searchWork,
        [this, mailbox = m_mailbox, pause = m_pause, subject = m_subject,
         threads](const std::stop_token& stop) -> Result<superopt::UnitSearchEnd> {
            std::error_code code;
            std::filesystem::create_directories(subject->store.parent_path(), code); // or opening says why not
            auto store = superopt::openSearchStore(subject->store, subject->source->identity(),
                                                   superopt::toJson(subject->search));
            if (!store) return store.error();
            superopt::UnitSearchWatch watch;
            watch.pause = pause.get();
            watch.progress = [this, mailbox](const superopt::UnitProgress& progress) {
                const std::lock_guard lock(mailbox->mutex);
                mailbox->progress = progress;
                announce(mailbox);
            };
            watch.judged = [this, mailbox](tuning::JudgedKind kind, const tuning::Judged& judged) {
                const std::lock_guard lock(mailbox->mutex);
                mailbox->judged.emplace_back(kind, judged);
                announce(mailbox);
            };
            return superopt::runUnitSearch(*subject->source, *store, {}, {threads, {}}, watch, stop);
        },
        [this, ticket, mailbox = m_mailbox](Result<superopt::UnitSearchEnd> result) {
            collect(mailbox);
            if (!m_work.isOpen(ticket)) return;
            if (result) m_work.details().progress = result->progress;
            m_work.details().paused = false;
            m_work.end(ticket, std::move(result));
            Q_EMIT changed();
        });
}

/// Called with the mailbox locked.
void GraphSearchDesk::announce(const std::shared_ptr<Mailbox>& mailbox) {
    if (std::exchange(mailbox->announced, true)) return;
    deliver(this,
            [this, mailbox] { QTimer::singleShot(graphsHeardEveryMs, this, [this, mailbox] { collect(mailbox); }); });
}

void GraphSearchDesk::collect(const std::shared_ptr<Mailbox>& mailbox) {
    if (mailbox != m_mailbox) return; // of a subject that is not looked at any more
    std::vector<std::pair<tuning::JudgedKind, tuning::Judged>> judged;
    {
        const std::lock_guard lock(mailbox->mutex);
        if (!mailbox->announced) return; // the end has collected it
        mailbox->announced = false;
        judged.swap(mailbox->judged);
        m_work.details().progress = mailbox->progress;
    }
    for (const auto& [kind, one] : judged)
        m_table.take(kind, one);
    if (!judged.empty()) Q_EMIT found();
    Q_EMIT changed();
}

std::size_t GraphSearchDesk::openUnits() const {
    if (!m_subject) return 0;
    const auto done = std::size_t(m_table.counts().units);
    return m_subject->units > done ? m_subject->units - done : 0;
}

void GraphSearchDesk::pause() {
    if (!isRunning() || state().paused) return;
    m_pause->begin();
    m_work.details().paused = true;
    Q_EMIT changed();
}

void GraphSearchDesk::goOn() {
    if (!isRunning() || !state().paused) return;
    m_pause->end();
    m_work.details().paused = false;
    Q_EMIT changed();
}

void GraphSearchDesk::stop() {
    if (isRunning()) m_searcher.cancel(searchWork);
}

} // namespace kernelarium::ui
