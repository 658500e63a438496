// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/driver/OutputCapture.h"

#include <algorithm>
#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>

namespace kernelarium::device {

OutputCapture::OutputCapture() {
    std::fflush(stdout);
    m_file = ::memfd_create("printed", MFD_CLOEXEC);
    if (m_file < 0) return;
    m_saved = ::dup(STDOUT_FILENO);
    if (m_saved >= 0) ::dup2(m_file, STDOUT_FILENO);
}

OutputCapture::~OutputCapture() {
    restore();
    if (m_file >= 0) ::close(m_file);
}

void OutputCapture::restore() {
    if (m_saved < 0) return;
    std::fflush(stdout);
    ::dup2(m_saved, STDOUT_FILENO);
    ::close(m_saved);
    m_saved = -1;
}

std::string OutputCapture::finish(std::size_t limit) {
    restore();
    if (m_file < 0) return {};
    const off_t size = ::lseek(m_file, 0, SEEK_END);
    std::string text(std::min<std::size_t>(size > 0 ? std::size_t(size) : 0, limit), '\0');
    const ssize_t got = ::pread(m_file, text.data(), text.size(), 0);
    text.resize(got > 0 ? std::size_t(got) : 0);
    return text;
}

} // namespace kernelarium::device
