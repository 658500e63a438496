// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/CardDesk.h"

#include "core/audit/Versions.h"
#include "gpu/protocol/ToolClient.h"

namespace kernelarium::ui {

CardDesk::CardDesk(const QString& program, QString folder, QObject* parent)
    : QObject(parent)
    , m_folder(std::move(folder))
    , m_probes({program.toStdString(), "worker", "tools"})
    , m_exports({program.toStdString(), "worker", "tools"}) {}

CardDesk::~CardDesk() = default;

void CardDesk::lookUp(const audit::RowTask& row, std::function<void(Result<KeptCard>)> done) {
    ask<KeptCard>(
        m_lookups, this, "card",
        [row, folder = m_folder.toStdString()](const std::stop_token&) -> Result<KeptCard> {
            auto card = audit::cardForRow(row, folder);
            if (!card && card.error().code == "unknown_task") return KeptCard();
            if (!card) return card.error();
            std::string version = audit::referenceVersion(task::writeCard(*card));
            return KeptCard{std::make_shared<const task::Card>(std::move(*card)), std::move(version)};
        },
        std::move(done));
}

void CardDesk::read(const QString& path, std::function<void(Result<CardPointer>)> done) {
    ask<CardPointer>(
        m_lookups, this, "read",
        [path = path.toStdString()](const std::stop_token&) -> Result<CardPointer> {
            auto card = audit::readCardFile(path);
            if (!card) return card.error();
            return std::make_shared<const task::Card>(std::move(*card));
        },
        std::move(done));
}

void CardDesk::exportCard(const audit::RowTask& row) {
    const auto ticket = m_export.begin();
    Q_EMIT changed();
    ChildQueue::Call<Exported> call;
    call.tag = "export";
    call.make = [row, folder = m_folder.toStdString(),
                 python = m_python.toStdString()](const auto& child, const auto& options) -> Result<Exported> {
        const auto card = protocol::ToolClient(child).exportCard({row, folder, python}, options);
        return card ? Result<Exported>(Exported()) : card.error();
    };
    call.progress = [this, ticket](const QString& step) {
        if (m_export.progress(ticket, step)) Q_EMIT changed();
    };
    call.ended = [this, ticket](Result<Exported> result) {
        if (!m_export.end(ticket, std::move(result))) return;
        Q_EMIT changed();
        Q_EMIT exported();
    };
    m_exports.submit(std::move(call));
}

void CardDesk::cancel() {
    m_exports.cancelAll();
}

void CardDesk::setPython(const QString& path) {
    if (path == m_python) return;
    m_python = path;
    Q_EMIT pythonChanged();
}

void CardDesk::probe(const QString& path, std::function<void(Result<protocol::Python>)> done) {
    m_probes.submit(
        ChildQueue::Call<protocol::Python>{"probe",
                                           [path = path.toStdString()](const auto& child, const auto& call) {
                                               return protocol::ToolClient(child).findPython(path, call);
                                           },
                                           {},
                                           std::move(done)});
}

} // namespace kernelarium::ui
