// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/ToolkitDesk.h"

#include "core/quantities/Quantities.h"

namespace kernelarium::ui {

ToolkitDesk::ToolkitDesk(QObject* parent)
    : QObject(parent) {}

ToolkitDesk::~ToolkitDesk() = default;

void ToolkitDesk::look() {
    const auto ticket = m_looking.begin(0, Former::kept);
    Q_EMIT changed();
    ask<View>(
        m_asking, this, "look",
        [](const std::stop_token&) -> Result<View> {
            auto view = std::make_shared<ToolkitView>();
            view->toolkits = toolkit::findToolkits();
            view->brought = toolkit::broughtToolkit(toolkit::toolkitFolder());
            return View(std::move(view));
        },
        [this, ticket](Result<View> found) {
            if (m_looking.end(ticket, std::move(found))) Q_EMIT changed();
        });
}

void ToolkitDesk::askSource(const toolkit::Source& source, std::function<void(Result<Offered>)> done) {
    ask<Offered>(
        m_asking, this, "source",
        [source](const std::stop_token& stop) -> Result<Offered> {
            auto offer = toolkit::askSource(source, stop);
            if (!offer) return offer.error();
            return Offered(std::make_shared<const toolkit::Offer>(std::move(*offer)));
        },
        std::move(done));
}

void ToolkitDesk::cancelAsking() {
    m_asking.cancel("source");
}

void ToolkitDesk::bring(const toolkit::Offer& offer) {
    if (m_busy) return;
    begin(tr("Getting the CUDA toolkit"));
    ask<toolkit::BroughtToolkit>(
        m_bringing, this, "bring",
        [this, offer](const std::stop_token& stop) {
            const auto tell = [this](const toolkit::BringProgress& progress) {
                deliver(this, [this, text = QString::fromStdString(toolkit::progressText(progress)),
                               fraction = progress.fraction()] {
                    if (!m_busy) return;
                    m_text = text;
                    m_fraction = fraction;
                    Q_EMIT progressChanged();
                });
            };
            return toolkit::bring({offer, toolkit::toolkitFolder(), true, {}}, tell, stop);
        },
        [this](const Result<toolkit::BroughtToolkit>& brought) {
            if (brought) {
                end(tr("The CUDA toolkit %1 is installed in %2. Kernels are compiled with it from now on.")
                        .arg(QString::fromStdString(brought->version), QString::fromStdString(brought->root.string())),
                    true);
                Q_EMIT toolkitChanged();
            } else if (brought.error().code == "cancelled") {
                end(tr("Getting the CUDA toolkit was cancelled. What came is kept: getting it again resumes from "
                       "there."),
                    false);
            } else {
                end(QString::fromStdString(brought.error().text()), false);
            }
        });
}

void ToolkitDesk::remove() {
    if (m_busy) return;
    begin(tr("Removing the CUDA toolkit"));
    ask<std::uint64_t>(
        m_bringing, this, "remove",
        [](const std::stop_token&) { return toolkit::removeToolkit(toolkit::toolkitFolder()); },
        [this](const Result<std::uint64_t>& removed) {
            if (removed)
                end(tr("Removed %1.").arg(QString::fromStdString(quantities::bytes(double(*removed)))), true);
            else
                end(QString::fromStdString(removed.error().text()), false);
            Q_EMIT toolkitChanged();
        });
}

void ToolkitDesk::cancel() {
    m_bringing.cancel("bring");
}

void ToolkitDesk::begin(const QString& text) {
    m_busy = true;
    m_text = text;
    m_fraction = -1;
    Q_EMIT progressChanged();
}

void ToolkitDesk::end(const QString& summary, bool ok) {
    m_busy = false;
    m_text.clear();
    m_fraction = -1;
    Q_EMIT progressChanged();
    Q_EMIT ended(summary, ok);
    look();
}

} // namespace kernelarium::ui
