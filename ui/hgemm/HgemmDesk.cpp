// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hgemm/HgemmDesk.h"

#include "core/hgemm/HgemmStore.h"
#include "ui/threads/Ask.h"

#include <QFileInfo>
#include <filesystem>

namespace kernelarium::ui {

struct HgemmDesk::Answer {
    std::shared_ptr<const Results> results;
    QString imported; ///< a sentence; empty: nothing was
};

namespace {

QString importSentence(const std::vector<hgemm::HgemmTable>& tables) {
    if (tables.size() > 3) {
        std::size_t shapes = 0;
        for (const auto& table : tables)
            shapes += table.shapes.size();
        return HgemmDesk::tr("Imported %1 tables with %2 shapes.").arg(tables.size()).arg(shapes);
    }
    QStringList titles;
    for (const auto& table : tables)
        titles << HgemmDesk::tr("%1 (%2 shapes)").arg(QString::fromStdString(table.title())).arg(table.shapes.size());
    return HgemmDesk::tr("Imported: %1.").arg(titles.join(QStringLiteral(", ")));
}

} // namespace

HgemmDesk::HgemmDesk(QString store, QObject* parent)
    : QObject(parent)
    , m_store(std::move(store)) {}

HgemmDesk::~HgemmDesk() = default;

void HgemmDesk::load() {
    if (!m_loaded) ask_({});
}

void HgemmDesk::import(const QStringList& files) {
    if (!files.isEmpty()) ask_(files);
}

void HgemmDesk::ask_(const QStringList& files) {
    m_loaded = true;
    ++m_pending;
    m_stage = Stage::running;
    Q_EMIT changed();
    using Pointer = std::shared_ptr<const Answer>;
    ask<Pointer>(
        m_thread, this, {},
        [this, files,
         path = std::filesystem::path(m_store.toStdString())](const std::stop_token& stop) -> Result<Pointer> {
            std::vector<hgemm::HgemmTable> tables;
            for (const QString& file : files) {
                if (stop.stop_requested()) return cancelledError();
                tell(tr("reading %1").arg(QFileInfo(file).fileName()), qsizetype(tables.size()), files.size());
                auto table = hgemm::readHgemmTable(file.toStdString());
                if (!table) return table.error();
                tables.push_back(std::move(*table));
            }
            if (stop.stop_requested()) return cancelledError(); // from here on they are there
            if (!tables.empty()) tell(tr("saving them"), files.size(), files.size());
            auto answer = std::make_shared<Answer>();
            auto results = std::make_shared<Results>();
            std::error_code code;
            if (!tables.empty() || std::filesystem::exists(path, code)) {
                auto store = hgemm::HgemmStore::open(path);
                if (!store) return store.error();
                if (!tables.empty()) {
                    if (auto put = store->put(tables); !put) return put.error();
                    answer->imported = importSentence(tables);
                }
                auto all = store->tables();
                if (!all) return all.error();
                for (auto& table : *all) {
                    auto summaries = hgemm::summarise(table);
                    results->push_back({std::move(table), std::move(summaries)});
                }
            }
            answer->results = std::move(results);
            return Pointer(std::move(answer));
        },
        [this](Result<Pointer> answer) { take(std::move(answer)); });
}

/// From the thread; at most a few times a second, and the first.
void HgemmDesk::tell(const QString& what, qsizetype done, qsizetype all) {
    const auto now = std::chrono::steady_clock::now();
    if (done > 0 && done < all && now - m_told < std::chrono::milliseconds(100)) return;
    m_told = now;
    deliver(this, [this, text = tr("HGEMM tables: %1, %2 of %3").arg(what).arg(done).arg(all),
                   fraction = double(done) / double(all)] {
        if (isBusy(m_stage)) Q_EMIT progressed(text, fraction);
    });
}

void HgemmDesk::take(Result<std::shared_ptr<const Answer>> answer) {
    --m_pending;
    QString sentence;
    if (answer) {
        m_results = (*answer)->results;
        sentence = (*answer)->imported;
        m_error = {};
    } else {
        m_error = answer.error();
    }
    const Stage ended = m_stage = endOf(answer);
    if (m_pending > 0 && ended == Stage::finished) m_stage = Stage::running;
    Q_EMIT changed();
    if (!sentence.isEmpty()) Q_EMIT imported(sentence);
}

void HgemmDesk::cancel() {
    m_thread.cancelAll();
}

} // namespace kernelarium::ui
