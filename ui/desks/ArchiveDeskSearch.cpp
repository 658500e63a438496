// SPDX-License-Identifier: GPL-3.0-or-later
// How the desk searches: the first hits at once, the rest as they come.
#include "ui/desks/ArchiveDesk.h"

#include "core/archive/search/Condition.h"
#include "core/archive/search/TableSelection.h"

#include <chrono>
#include <map>

namespace kernelarium::ui {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t firstHits = 200; ///< what is on the screen and a few pages more
constexpr auto firstWait = std::chrono::milliseconds(30);
constexpr auto betweenParts = std::chrono::milliseconds(100);

/// Collects hits and hands on copies of what there is: the first hits when there are enough of them or have been long
/// enough in coming, and from then on whenever there are twice as many.
class Collector {
public:
    Collector(ArchiveDesk::Table table, std::function<void(ArchiveDesk::Answer)> hand)
        : m_hand(std::move(hand)) {
        m_found->table = std::move(table);
    }

    void take(std::vector<archive::FoundRow>&& hits) {
        for (auto& hit : hits) {
            if (hit.inCode) m_found->places.emplace(hit.row, static_cast<archive::SearchPlace&>(hit));
            if (hit.sameAs) {
                m_found->folded[*hit.sameAs].push_back(hit.row);
                ++m_found->foldedCount;
            } else {
                m_found->rows.push_back(hit.row);
            }
        }
        const auto now = Clock::now();
        const bool waitedEnough =
            m_found->rows.size() < firstHits && m_handed == Clock::time_point() && now - m_began > firstWait;
        if (!waitedEnough && (m_found->rows.size() < m_next || now - m_handed < betweenParts)) return;
        m_next = std::max(firstHits, 2 * m_found->rows.size());
        m_handed = now;
        auto part = std::make_shared<ArchiveDesk::Found>(*m_found);
        part->complete = false;
        m_hand(std::move(part));
    }

    [[nodiscard]] std::shared_ptr<ArchiveDesk::Found> found() const { return m_found; }

private:
    std::shared_ptr<ArchiveDesk::Found> m_found = std::make_shared<ArchiveDesk::Found>();
    std::function<void(ArchiveDesk::Answer)> m_hand;
    std::size_t m_next = firstHits;
    Clock::time_point m_began = Clock::now();
    Clock::time_point m_handed{};
};

/// Without a text there is nothing to look for in the code: the table itself knows everything.
void selectFromTable(const archive::SearchQuery& query, ArchiveDesk::Found& found) {
    const auto& kernels = query.kernels;
    auto rows = archive::selectRows(
        *found.table, {kernels.filter, kernels.sort, kernels.descending, query.condition, query.verdicts});
    if (!query.foldDuplicates) {
        found.rows = std::move(rows);
        return;
    }
    std::map<archive::CodeShape, std::uint32_t> shapes;
    for (const auto row : rows) {
        const auto [first, isNew] = shapes.emplace(found.table->shape[row], row);
        if (isNew) {
            found.rows.push_back(row);
        } else {
            found.folded[first->second].push_back(row);
            ++found.foldedCount;
        }
    }
}

/// A condition whose texts are looked for in names alone.
archive::Condition inNames(archive::Condition condition) {
    if (condition.kind == archive::Condition::Kind::text && !condition.regex) {
        condition.kind = archive::Condition::Kind::kernels;
        condition.filter.name = condition.text;
    }
    for (archive::Condition& part : condition.parts)
        part = inNames(std::move(part));
    return condition;
}

/// Of rows that are still on their way only the names are there; a text that is not a regular expression is looked for
/// there.
void selectByName(const archive::SearchQuery& query, ArchiveDesk::Found& found) {
    archive::SearchQuery fields = query;
    if (!query.regex && fields.kernels.filter.name.empty()) fields.kernels.filter.name = query.text;
    if (query.condition) fields.condition = std::make_shared<const archive::Condition>(inNames(*query.condition));
    selectFromTable(fields, found);
    found.codeSearched = !query.looksIntoTexts();
}

} // namespace

/// On the searches' thread, before the first of them: what goes wrong there, a search says as well.
void ArchiveDesk::prepareSearch() {
    ask<bool>(
        m_searches, this, "prepare",
        [searcher = m_searcher](const std::stop_token&) -> Result<bool> {
            if (auto prepared = searcher->prepareSearch(); !prepared) return prepared.error();
            return true;
        },
        [](const Result<bool>&) {});
}

void ArchiveDesk::find(archive::SearchQuery query, std::function<void(Answer)> part,
                       std::function<void(Result<Answer>)> done) {
    const quint64 number = ++m_search;
    query.urgentHits = firstHits;
    const bool isArriving = m_arriving != nullptr;
    const Table table = isArriving ? m_arriving : m_table;
    if (!table) {
        auto none = std::make_shared<Found>();
        none->table = std::make_shared<const archive::KernelTable>();
        done(Answer(none));
        return;
    }
    auto hand = [this, number, part = std::move(part)](Answer answer) {
        deliver(this, [this, number, part, answer = std::move(answer)] {
            if (number == m_search && part) part(answer);
        });
    };
    ask<Answer>(
        m_searches, this, "find",
        [table, isArriving, searcher = m_searcher, query = std::move(query),
         hand = std::move(hand)](const std::stop_token& stop) -> Result<Answer> {
            Collector collector(table, hand);
            const auto found = collector.found();
            if (isArriving) {
                selectByName(query, *found);
            } else if (!query.looksIntoTexts()) {
                selectFromTable(query, *found);
            } else {
                auto walked = searcher->walk(
                    query,
                    [&](std::vector<archive::FoundRow>&& hits) {
                        collector.take(std::move(hits));
                        return true;
                    },
                    stop);
                if (!walked) return walked.error();
            }
            return Answer(found);
        },
        [this, table, number, done = std::move(done)](Result<Answer> found) {
            if (found && table == m_table && number == m_search) {
                m_shown = *found;
                Q_EMIT shownChanged();
            }
            done(std::move(found));
        });
}

} // namespace kernelarium::ui
