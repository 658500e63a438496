// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/service/KeptMemory.h"

#include "gpu/emulator/memory/DeviceMemory.h"

#include <algorithm>
#include <system_error>

namespace kernelarium::service {

KeptMemory::~KeptMemory() {
    m_watcher = {};
    release();
}

KeptMemory::Use KeptMemory::begin(std::uint64_t expected) {
    const std::scoped_lock lock(m_mutex);
    m_until.reset();
    if (!m_reuse) m_reuse.emplace();
    tensor::MemoryReuse::keepOnly(std::min(expected, m_most));
    return Use(*this);
}

void KeptMemory::end() {
    const std::scoped_lock lock(m_mutex);
    tensor::MemoryReuse::keepOnly(m_most);
    m_until = std::chrono::steady_clock::now() + patience;
    try {
        if (!m_watcher.joinable()) m_watcher = std::jthread([this](const std::stop_token& stop) { watch(stop); });
    } catch (const std::system_error&) { // no thread is to be had, and nobody would give it back later
        drop();
        return;
    }
    m_changed.notify_all();
}

void KeptMemory::release() {
    const std::scoped_lock lock(m_mutex);
    drop();
}

void KeptMemory::drop() {
    m_until.reset();
    m_pages.reset();
    m_reuse.reset();
}

std::shared_ptr<emulator::MemoryPages> KeptMemory::pagesFor(std::uint64_t capacity) {
    const std::scoped_lock lock(m_mutex);
    if (m_pages && (m_pages.use_count() > 1 || !m_pages->suit(capacity))) m_pages.reset();
    if (!m_pages) m_pages = emulator::DeviceMemory::makePages(capacity);
    return m_pages;
}

void KeptMemory::watch(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    while (!stop.stop_requested()) {
        if (!m_until)
            m_changed.wait(lock, stop, [this] { return m_until.has_value(); });
        else if (std::chrono::steady_clock::now() >= *m_until)
            drop();
        else
            m_changed.wait_until(lock, stop, *m_until, [this] { return !m_until; });
    }
}

} // namespace kernelarium::service
