// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/CardDesk.h"

namespace kernelarium::ui {

CardDesk::CardDesk(QString folder, QObject* parent)
    : QObject(parent)
    , m_folder(std::move(folder)) {}

CardDesk::~CardDesk() = default;

void CardDesk::lookUp(const audit::RowTask& row, std::function<void(Result<CardPointer>)> done) {
    ask<CardPointer>(
        m_lookups, this, "card",
        [row, folder = m_folder.toStdString()](const std::stop_token&) -> Result<CardPointer> {
            auto card = audit::cardForRow(row, folder);
            if (card) return std::make_shared<const task::Card>(std::move(*card));
            if (card.error().code == "unknown_task") return CardPointer();
            return card.error();
        },
        std::move(done));
}

void CardDesk::exportCard(const audit::RowTask& row) {
    const quint64 serial = ++m_serial;
    m_exporting = true;
    m_error = {};
    m_step.clear();
    Q_EMIT changed();
    tools::ExportOptions options;
    options.python = m_python.toStdString();
    options.progress = [this, serial](const std::string& what) {
        deliver(this, [this, serial, step = QString::fromStdString(what)] {
            if (serial != m_serial || !m_exporting) return;
            m_step = step;
            Q_EMIT changed();
        });
    };
    ask<task::Card>(
        m_exports, this, "export",
        [row, options, folder = m_folder.toStdString()](const std::stop_token& stop) {
            return tools::cardForRowOrExport(row, folder, options, stop);
        },
        [this, serial](const Result<task::Card>& card) {
            if (serial != m_serial) return;
            m_exporting = false;
            m_step.clear();
            m_error = card ? Error{} : card.error();
            Q_EMIT changed();
            Q_EMIT exported(card.ok());
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

void CardDesk::probe(const QString& path, std::function<void(Result<protocol::Python>)> done) {
    ask<protocol::Python>(
        m_probes, this, "probe",
        [path = path.toStdString()](const std::stop_token& stop) { return tools::findPython(path, stop); },
        std::move(done));
}

} // namespace kernelarium::ui
