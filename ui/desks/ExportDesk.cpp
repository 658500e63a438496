// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/ExportDesk.h"

#include "core/audit/VerdictStore.h"
#include "ui/words/Quantities.h"

namespace kernelarium::ui {

void ExportDesk::start(const QString& archive, std::vector<std::int64_t> kernels, archive::ExportFormat format,
                       const QString& path) {
    if (m_running) return;
    m_running = true;
    ask<archive::ExportReport>(
        m_thread, this, "export",
        [this, file = archive.toStdString(), kernels = std::move(kernels), format,
         target = path.toStdString()](const std::stop_token& stop) -> Result<archive::ExportReport> {
            auto opened = archive::Archive::open(file);
            if (!opened) return opened.error();
            archive::ExportOptions options;
            options.stop = stop;
            auto store = audit::VerdictStore::openExisting(audit::verdictsPathFor(file));
            if (!store) return store.error();
            if (*store) {
                auto all = (*store)->all();
                if (!all) return all.error();
                options.verdicts = audit::ownVerdicts(*all);
            }
            options.progress = [this](std::size_t done, std::size_t all) {
                const QString text =
                    tr("Exporting: %1 of %2 kernels").arg(wholeText(std::int64_t(done)), wholeText(std::int64_t(all)));
                deliver(this, [this, text, fraction = all > 0 ? double(done) / double(all) : -1] {
                    Q_EMIT progress(text, fraction);
                });
            };
            return archive::exportKernels(*opened, kernels, format, target, options);
        },
        [this, path](const Result<archive::ExportReport>& result) {
            m_running = false;
            if (result)
                Q_EMIT ended(tr("%1 kernels exported to %2 (%3).")
                                 .arg(wholeText(std::int64_t(result->kernels)), path, bytesText(double(result->bytes))),
                             true);
            else if (result.error().code == "cancelled")
                Q_EMIT ended(tr("The export was cancelled; an incomplete file was removed."), false);
            else
                Q_EMIT ended(QString::fromStdString(result.error().text()), false);
        });
}

void ExportDesk::cancel() {
    m_thread.cancel("export");
}

} // namespace kernelarium::ui
