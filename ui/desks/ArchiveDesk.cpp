// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/ArchiveDesk.h"

#include <QFileInfo>

namespace kernelarium::ui {

namespace {

QString toQt(const std::optional<std::string>& text) {
    return text ? QString::fromStdString(*text) : QString();
}

Result<QString> textOf(archive::Archive& archive, std::int64_t id, archive::TextKind kind) {
    auto text = archive.text(id, kind);
    if (!text) return text.error();
    return toQt(*text);
}

} // namespace

ArchiveDesk::ArchiveDesk(QObject* parent)
    : QObject(parent) {}

ArchiveDesk::~ArchiveDesk() = default;

struct ArchiveDesk::Opened {
    std::shared_ptr<archive::Archive> reader;
    std::shared_ptr<archive::Archive> searcher;
    Table table;
    std::shared_ptr<const std::unordered_map<std::string, std::int64_t>> rowByLabel;
};

void ArchiveDesk::open(const QString& path) {
    const QString before = m_table ? m_path : QString();
    m_path = QFileInfo(path).absoluteFilePath();
    m_stage = Stage::running;
    Q_EMIT changed();
    ask<Opened>(
        m_texts, this, "open",
        [file = m_path.toStdString()](const std::stop_token&) -> Result<Opened> {
            Opened opened;
            // Two, so that a search never delays the kernel that is being opened.
            for (auto* archive : {&opened.searcher, &opened.reader}) {
                auto found = archive::Archive::open(file);
                if (!found) return found.error();
                *archive = std::make_shared<archive::Archive>(std::move(*found));
            }
            auto table = opened.searcher->sharedTable();
            if (!table) return table.error();
            opened.table = *table;
            auto rows = std::make_shared<std::unordered_map<std::string, std::int64_t>>(opened.table->size());
            for (std::size_t i = 0; i < opened.table->size(); ++i)
                rows->emplace(opened.table->label(i), std::int64_t(i));
            opened.rowByLabel = std::move(rows);
            return opened;
        },
        [this, before](Result<Opened> result) {
            if (!result) {
                if (result.error().code == "cancelled") return;
                if (!m_importing) m_arriving.reset();
                if (!before.isEmpty()) m_path = before; // that one stays open
                m_stage = Stage::failed;
                m_error = result.error();
                Q_EMIT changed();
            } else {
                take(std::move(*result));
            }
        });
}

void ArchiveDesk::take(Opened opened) {
    m_reader = std::move(opened.reader);
    m_searcher = std::move(opened.searcher);
    m_table = std::move(opened.table);
    m_rowByLabel = std::move(opened.rowByLabel);
    m_shown.reset();
    prepareSearch();
    if (!m_importing) m_arriving.reset();
    m_stage = Stage::finished;
    m_error = {};
    Q_EMIT changed();
}

qint64 ArchiveDesk::rowOfLabel(const QString& label) const {
    if (!m_rowByLabel) return -1;
    const auto found = m_rowByLabel->find(label.toStdString());
    return found == m_rowByLabel->end() ? -1 : found->second;
}

void ArchiveDesk::fetch(qint64 id, std::function<void(Result<Fetched>)> done) {
    ask<Fetched>(
        m_texts, this, "fetch",
        [archive = m_reader, id](const std::stop_token& stop) -> Result<Fetched> {
            if (!archive) return Error{"missing_file", "No archive is open.", "Open one with Archive > Open.", {}};
            Fetched fetched;
            auto row = archive->find(std::to_string(id));
            if (!row) return row.error();
            fetched.row = *row;
            const std::pair<archive::TextKind, QString*> wanted[] = {
                {archive::TextKind::cudaCode, &fetched.code},
                {archive::TextKind::moduleCode, &fetched.texts.module},
                {archive::TextKind::functionalCode, &fetched.texts.functional},
                {archive::TextKind::error, &fetched.texts.error},
                {archive::TextKind::ncuProfile, &fetched.texts.ncu},
                {archive::TextKind::torchProfile, &fetched.texts.torch},
                {archive::TextKind::clangTidy, &fetched.texts.tidy}};
            for (const auto& [kind, target] : wanted) {
                if (stop.stop_requested()) return cancelledError();
                auto text = textOf(*archive, id, kind);
                if (!text) return text.error();
                *target = *text;
            }
            return fetched;
        },
        std::move(done));
}

void ArchiveDesk::fetchCode(qint64 id, std::function<void(Result<QString>)> done) {
    ask<QString>(
        m_texts, this, "code",
        [archive = m_reader, id](const std::stop_token&) -> Result<QString> {
            if (!archive) return Error{"missing_file", "No archive is open.", "Open one with Archive > Open.", {}};
            return textOf(*archive, id, archive::TextKind::cudaCode);
        },
        std::move(done));
}

} // namespace kernelarium::ui
