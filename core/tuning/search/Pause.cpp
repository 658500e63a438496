// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/search/Pause.h"

namespace kernelarium::tuning {

void Pause::begin() {
    const std::scoped_lock lock(m_mutex);
    m_holds = true;
}

void Pause::end() {
    {
        const std::scoped_lock lock(m_mutex);
        m_holds = false;
    }
    m_changed.notify_all();
}

bool Pause::holds() const {
    const std::scoped_lock lock(m_mutex);
    return m_holds;
}

void Pause::wait(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, stop, [&] { return !m_holds; });
}

} // namespace kernelarium::tuning
