// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/LikeDesk.h"

#include "core/task/Card.h"
#include "ui/threads/Ask.h"

#include <algorithm>
#include <chrono>

namespace kernelarium::ui {

/// The archive of the last question.
struct LikeDesk::Opened {
    Opened(archive::Archive file, const std::filesystem::path& cards)
        : archive(std::move(file))
        , tasks(archive, cards) {}

    archive::Archive archive;
    similar::TaskOperators tasks;
};

namespace {

constexpr auto progressPause = std::chrono::milliseconds(100);

Result<similar::Subject> subjectOf(const LikeQuestion& question, archive::Archive& archive,
                                   similar::TaskOperators& tasks) {
    similar::Subject subject;
    if (question.row != 0) {
        const auto kernel = archive.find(std::to_string(question.row));
        if (!kernel) return kernel.error();
        auto archived = similar::archivedSubject(archive, *kernel);
        if (!archived) return archived.error();
        subject = std::move(*archived);
        const auto table = archive.sharedTable();
        if (!table) return table.error();
        const auto place = std::lower_bound((*table)->id.begin(), (*table)->id.end(), question.row);
        if (const auto* operators = tasks.of(**table, std::size_t(place - (*table)->id.begin())))
            subject.operators = *operators;
    } else {
        subject.code = question.source.toStdString();
        subject.level = question.level;
        subject.task = question.task;
    }
    if (question.card) subject.operators = similar::operatorsOf(*question.card);
    return subject;
}

} // namespace

LikeDesk::LikeDesk(const QString& cards, QObject* parent)
    : QObject(parent)
    , m_cards(cards)
    , m_opened(std::make_shared<std::unique_ptr<Opened>>()) {}

LikeDesk::~LikeDesk() = default;

void LikeDesk::ask(LikeQuestion question) {
    const auto ticket = m_work.begin();
    m_work.progress(ticket, tr("opening the archive"));
    Q_EMIT changed();
    const auto tell = [this, ticket](std::size_t done, std::size_t all) {
        deliver(this, [this, ticket, done, all] {
            if (!m_work.progress(ticket, tr("indexing code: %1 of %2 kernels").arg(done).arg(all))) return;
            m_work.details().fraction = all > 0 ? double(done) / double(all) : -1;
            Q_EMIT changed();
        });
    };
    const auto work = [opened = m_opened, cards = m_cards.toStdString(), question = std::move(question),
                       tell](const std::stop_token& stop) -> Result<LikeAnswerPointer> {
        const std::filesystem::path path = question.archive.toStdString();
        if (!*opened || (*opened)->archive.path() != path || (*opened)->archive.changedOnDisk()) {
            opened->reset();
            auto archive = archive::Archive::open(path);
            if (!archive) return archive.error();
            *opened = std::make_unique<Opened>(std::move(*archive), cards);
        }
        archive::Archive& archive = (*opened)->archive;
        auto subject = subjectOf(question, archive, (*opened)->tasks);
        if (!subject) return subject.error();
        const auto index = similar::PieceIndex::of(path);
        auto told = std::chrono::steady_clock::now();
        const auto progress = [&](std::size_t done, std::size_t all) {
            const auto now = std::chrono::steady_clock::now();
            if (done != all && now - told < progressPause) return;
            told = now;
            tell(done, all);
        };
        if (question.query.byCode)
            if (auto updated = index.update(archive, progress, stop); !updated) return updated.error();
        auto result = similar::kernelsLike(archive, index, (*opened)->tasks, *subject, question.query, stop);
        if (!result) return result.error();
        auto table = archive.sharedTable();
        if (!table) return table.error();
        return std::make_shared<const LikeAnswer>(LikeAnswer{question, std::move(*table), std::move(*result)});
    };
    ui::ask<LikeAnswerPointer>(m_thread, this, "like", work, [this, ticket](Result<LikeAnswerPointer> answer) {
        if (m_work.end(ticket, std::move(answer))) Q_EMIT changed();
    });
}

void LikeDesk::cancel() {
    m_thread.cancel("like");
}

} // namespace kernelarium::ui
