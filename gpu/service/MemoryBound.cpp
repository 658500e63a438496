// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/service/MemoryBound.h"

#include "core/quantities/Quantities.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <unistd.h>

namespace kernelarium::service {

namespace {

// For the handler of a signal, which may use nothing else.
std::atomic<const std::string*> wordsAtAbort = nullptr;
std::atomic<std::uint64_t> boundAtAbort = 0;
std::atomic<int> outputAtAbort = -1;

/// A library that gets no memory aborts: NVRTC's code generator does. What doubles its memory has a quarter of the
/// bound or more when that happens.
void onAbort(int) {
    const std::string* words = wordsAtAbort;
    if (words == nullptr || process::heldMemory() < boundAtAbort / 4) return; // then the signal ends the process
    for (std::size_t sent = 0; sent < words->size();) {
        const ssize_t n = ::write(outputAtAbort, words->data() + sent, words->size() - sent);
        if (n <= 0) break;
        sent += std::size_t(n);
    }
    ::_exit(0);
}

} // namespace

Error beyondBound(std::uint64_t bound) {
    return {"out_of_memory",
            "It needed more than the " + quantities::bytes(double(bound)) +
                " of memory that this process may take, and was ended.",
            "Use a smaller size, or allow more memory (--memory)."};
}

MemoryBound::MemoryBound(std::uint64_t bound, protocol::Event answer, EventWriter& writer)
    : m_bound(bound)
    , m_answer(std::move(answer))
    , m_writer(writer) {
    if (bound == 0) return;
    setWords(bound);
    outputAtAbort = m_writer.descriptor();
    std::signal(SIGABRT, onAbort);
    m_watch.emplace(bound, [this] {
        const std::lock_guard lock(m_mutex);
        m_writer.end(m_words.back());
    });
}

MemoryBound::~MemoryBound() {
    if (m_bound == 0) return;
    m_watch.reset();
    wordsAtAbort = nullptr;
    std::signal(SIGABRT, SIG_DFL);
}

void MemoryBound::setWords(std::uint64_t bound) {
    m_answer.kind = protocol::EventKind::failed;
    m_answer.error = beyondBound(bound);
    m_answer.childEnds = true;
    const std::lock_guard lock(m_mutex);
    m_words.push_back(toLine(m_answer) + "\n");
    wordsAtAbort = &m_words.back();
    boundAtAbort = bound;
}

void MemoryBound::allowBeside(std::uint64_t bytes) {
    if (m_bound == 0) return;
    setWords(m_bound + bytes);
    m_watch->setLimit(m_bound + bytes);
}

} // namespace kernelarium::service
