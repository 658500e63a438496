// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/KeptDesk.h"

#include "gpu/protocol/kept/KeptUnits.h"

namespace kernelarium::ui {

KeptDesk::KeptDesk(std::filesystem::path folder, QObject* parent)
    : QObject(parent)
    , m_folder(std::move(folder)) {}

KeptDesk::~KeptDesk() = default;

void KeptDesk::look() {
    start([](files::BoundedCache&) { return Result<void>(); });
}

void KeptDesk::setLimit(int megabytes) {
    start([megabytes](files::BoundedCache& cache) {
        return cache.setLimit(std::uint64_t(megabytes) * files::BoundedCache::megabyte);
    });
}

void KeptDesk::clear() {
    start([](files::BoundedCache& cache) { return cache.clear(); });
}

/// One after the other: a change is never left out for a later one.
void KeptDesk::start(std::function<Result<void>(files::BoundedCache&)> change) {
    const auto ticket = m_work.begin(0, Former::kept);
    Q_EMIT changed();
    ask<KeptView>(
        m_thread, this, {},
        [folder = m_folder, change = std::move(change)](const std::stop_token&) -> Result<KeptView> {
            files::BoundedCache cache(folder);
            if (auto done = change(cache); !done) return done.error();
            return KeptView{QString::fromStdString(protocol::keptText(cache)),
                            int(cache.limit() / files::BoundedCache::megabyte), cache.contents().texts == 0};
        },
        [this, ticket](Result<KeptView> view) {
            if (m_work.end(ticket, std::move(view))) Q_EMIT changed();
        });
}

} // namespace kernelarium::ui
