// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/ToolProcess.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kernelarium::compile {

namespace {

struct Pipe {
    int ends[2] = {-1, -1};
    Pipe() {
        if (::pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
    }
    ~Pipe() {
        shut(0);
        shut(1);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    void shut(int end) {
        if (ends[end] >= 0) ::close(ends[end]);
        ends[end] = -1;
    }
};

/// False at the end of the stream.
bool readSome(int file, std::string& into) {
    std::array<char, 65536> chunk;
    const ssize_t got = ::read(file, chunk.data(), chunk.size());
    if (got > 0) into.append(chunk.data(), std::size_t(got));
    return got > 0 || (got < 0 && errno == EINTR);
}

} // namespace

ToolOutput runTool(const std::string& program, const std::vector<std::string>& arguments, std::stop_token stop) {
    std::vector<char*> words{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments)
        words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    ToolOutput out;
    Pipe text, messages;
    if (text.ends[0] < 0 || messages.ends[0] < 0) return out;
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) return out;
    if (child == 0) {
        // Nothing of it is left behind when this process is killed.
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(127);
        ::dup2(text.ends[1], STDOUT_FILENO);
        ::dup2(messages.ends[1], STDERR_FILENO);
        ::execv(program.c_str(), words.data());
        ::_exit(127);
    }
    text.shut(1);
    messages.shut(1);
    std::array<pollfd, 2> waited{pollfd{text.ends[0], POLLIN, 0}, pollfd{messages.ends[0], POLLIN, 0}};
    std::string* const streams[] = {&out.text, &out.messages};
    while (waited[0].fd >= 0 || waited[1].fd >= 0) {
        if (stop.stop_requested()) {
            ::kill(child, SIGKILL);
            break;
        }
        if (::poll(waited.data(), waited.size(), 20) <= 0) continue;
        for (std::size_t i = 0; i < waited.size(); ++i)
            if (waited[i].fd >= 0 && waited[i].revents != 0 && !readSome(waited[i].fd, *streams[i])) waited[i].fd = -1;
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status)) out.status = WEXITSTATUS(status);
    return out;
}

TemporaryFile::TemporaryFile(const void* bytes, std::size_t size) {
    std::error_code failed;
    std::string path = (std::filesystem::temp_directory_path(failed) / "kernelarium-XXXXXX").string();
    const int file = failed ? -1 : ::mkostemp(path.data(), O_CLOEXEC);
    if (file < 0) return;
    std::size_t written = 0;
    while (written < size) {
        const ssize_t some = ::write(file, static_cast<const char*>(bytes) + written, size - written);
        if (some <= 0) break;
        written += std::size_t(some);
    }
    ::close(file);
    if (written == size)
        m_path = std::move(path);
    else
        std::filesystem::remove(path, failed);
}

TemporaryFile::~TemporaryFile() {
    std::error_code ignored;
    if (!m_path.empty()) std::filesystem::remove(m_path, ignored);
}

std::vector<std::byte> TemporaryFile::bytes() const {
    std::ifstream file(m_path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

} // namespace kernelarium::compile
