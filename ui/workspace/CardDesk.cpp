// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/CardDesk.h"

#include "core/audit/Versions.h"

namespace kernelarium::ui {

CardDesk::CardDesk(QString folder, QObject* parent)
    : QObject(parent)
    , m_folder(std::move(folder)) {}

CardDesk::~CardDesk() = default;

void CardDesk::lookUp(const worker::RowTask& row, std::function<void(Result<KeptCard>)> done) {
    ask<KeptCard>(
        m_lookups, this, "card",
        [row, folder = m_folder.toStdString()](const std::stop_token&) -> Result<KeptCard> {
            auto card = worker::cardForRow(row, folder);
            if (!card && card.error().code == "unknown_task") return KeptCard();
            if (!card) return card.error();
            std::string version = audit::referenceVersion(task::writeCard(*card));
            return KeptCard{std::make_shared<const task::Card>(std::move(*card)), std::move(version)};
        },
        std::move(done));
}

void CardDesk::exportCard(const worker::RowTask& row) {
    const auto ticket = m_export.begin();
    Q_EMIT changed();
    worker::ExportOptions options;
    options.python = m_python.toStdString();
    options.progress = [this, ticket](const std::string& what) {
        deliver(this, [this, ticket, step = QString::fromStdString(what)] {
            if (m_export.progress(ticket, step)) Q_EMIT changed();
        });
    };
    ask<Exported>(
        m_exports, this, "export",
        [row, options, folder = m_folder.toStdString()](const std::stop_token& stop) -> Result<Exported> {
            const auto card = worker::cardForRowOrExport(row, folder, options, stop);
            return card ? Result<Exported>(Exported()) : card.error();
        },
        [this, ticket](Result<Exported> result) {
            if (!m_export.end(ticket, std::move(result))) return;
            Q_EMIT changed();
            Q_EMIT exported();
        });
}

void CardDesk::cancel() {
    m_exports.cancelAll();
}

void CardDesk::setPython(const QString& path) {
    if (path == m_python) return;
    m_python = path;
    Q_EMIT pythonChanged();
}

void CardDesk::probe(const QString& path, std::function<void(Result<worker::Python>)> done) {
    ask<worker::Python>(
        m_probes, this, "probe",
        [path = path.toStdString()](const std::stop_token& stop) { return worker::findPython(path, stop); },
        std::move(done));
}

} // namespace kernelarium::ui
