// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/NativeCodeDesk.h"

#include "ui/threads/Ask.h"

#include <algorithm>

namespace kernelarium::ui {

namespace {

constexpr const char* readTag = "read";

} // namespace

Result<NativeCodePointer> readNativeCode(std::vector<std::byte> cubin, const std::stop_token& stop) {
    Result<sass::Cubin> read = sass::Cubin::read(std::move(cubin));
    if (!read) return read.error();
    if (read->kernels().empty())
        return Error{"bad_input", "There is no kernel in this code.", "Write a __global__ function."};
    NativeCode code;
    const sass::LineTable lines = sass::LineTable::read(read->bytes());
    for (const sass::KernelCode& kernel : read->kernels()) {
        if (stop.stop_requested()) return cancelledError();
        code.kernels.push_back(sass::explain(*read, kernel, lines, sass::minedDistances()));
    }
    std::stable_sort(
        code.kernels.begin(), code.kernels.end(),
        [](const sass::Explanation& a, const sass::Explanation& b) { return !a.loops.empty() && b.loops.empty(); });
    code.cubin = read->bytes();
    return std::make_shared<const NativeCode>(std::move(code));
}

void NativeCodeDesk::read(std::vector<std::byte> cubin, quint64 generation) {
    const auto ticket = m_work.begin(generation, Former::kept);
    Q_EMIT changed();
    ask<NativeCodePointer>(
        m_thread, this, readTag,
        [cubin = std::move(cubin)](const std::stop_token& stop) { return readNativeCode(cubin, stop); },
        [this, ticket](Result<NativeCodePointer> code) {
            if (m_work.end(ticket, std::move(code))) Q_EMIT changed();
        });
}

void NativeCodeDesk::cancel() {
    m_thread.cancel(readTag);
    if (m_work.cancel()) Q_EMIT changed();
}

void NativeCodeDesk::clear() {
    m_thread.cancel(readTag);
    m_work.clear();
    Q_EMIT changed();
}

} // namespace kernelarium::ui
