// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/worker/ChildProcess.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace kernelarium::worker {

namespace {

std::string signalName(int signal) {
    const char* abbreviation = ::sigabbrev_np(signal);
    return abbreviation ? std::string("SIG") + abbreviation : "signal " + std::to_string(signal);
}

/// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void becomeProgram(char* const* arguments, int socket, int errors, int report, pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(126); // the parent died before that took effect
    ::signal(SIGINT, SIG_IGN);               // Ctrl-C reaches everyone at a terminal; the parent decides what it means
    ::dup2(socket, STDIN_FILENO);
    ::dup2(socket, STDOUT_FILENO);
    if (errors >= 0) ::dup2(errors, STDERR_FILENO);
    ::execvp(arguments[0], arguments);
    const int failure = errno;
    const ssize_t ignored = ::write(report, &failure, sizeof failure);
    (void)ignored;
    ::_exit(127);
}

} // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command, Errors errors) {
    const auto failed = [&](int code) {
        return Error{"missing_component", "Cannot start " + command.at(0) + ": " + std::strerror(code) + "."};
    };
    std::array<int, 2> sockets{};
    std::array<int, 2> report{-1, -1};
    std::array<int, 2> said{-1, -1};
    const auto closeAll = [](std::initializer_list<int> files) {
        for (const int file : files)
            if (file >= 0) ::close(file);
    };
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) return failed(errno);
    if (::pipe2(report.data(), O_CLOEXEC) != 0 || (errors == Errors::kept && ::pipe2(said.data(), O_CLOEXEC) != 0)) {
        const int code = errno;
        closeAll({sockets[0], sockets[1], report[0], report[1]});
        return failed(code);
    }
    std::vector<char*> arguments;
    for (const std::string& word : command)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid == 0) becomeProgram(arguments.data(), sockets[1], said[1], report[1], parent);
    closeAll({sockets[1], report[1], said[1]});
    int code = pid < 0 ? errno : 0;
    if (pid > 0 && ::read(report[0], &code, sizeof code) != sizeof code) code = 0;
    ::close(report[0]);
    if (code != 0) {
        closeAll({sockets[0], said[0]});
        if (pid > 0) ::waitpid(pid, nullptr, 0);
        return failed(code);
    }
    ::fcntl(sockets[0], F_SETFL, O_NONBLOCK);
    if (said[0] >= 0) ::fcntl(said[0], F_SETFL, O_NONBLOCK);
    ChildProcess child;
    child.m_pid = pid;
    child.m_socket = sockets[0];
    child.m_errors = said[0];
    return child;
}

ChildProcess::~ChildProcess() {
    release();
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept {
    *this = std::move(other);
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
    if (this == &other) return *this;
    release();
    m_pid = std::exchange(other.m_pid, -1);
    m_socket = std::exchange(other.m_socket, -1);
    m_outgoing = std::move(other.m_outgoing);
    m_sent = other.m_sent;
    m_incoming = std::move(other.m_incoming);
    m_ended = other.m_ended;
    m_errors = std::exchange(other.m_errors, -1);
    m_errorText = std::move(other.m_errorText);
    m_status = other.m_status;
    return *this;
}

void ChildProcess::release() {
    if (m_pid > 0) {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    if (m_socket >= 0) ::close(m_socket);
    if (m_errors >= 0) ::close(m_errors);
    m_pid = m_socket = m_errors = -1;
}

void ChildProcess::send(const std::string& line) {
    m_outgoing += line;
    m_outgoing += '\n';
}

void ChildProcess::sendSome() {
    const ssize_t n = ::send(m_socket, m_outgoing.data() + m_sent, m_outgoing.size() - m_sent, MSG_NOSIGNAL);
    if (n > 0) m_sent += std::size_t(n);
    // A child that is gone shows when reading; what was meant for it is dropped.
    if ((n < 0 && errno != EAGAIN && errno != EINTR) || m_sent == m_outgoing.size()) {
        m_outgoing.clear();
        m_sent = 0;
    }
}

bool ChildProcess::receiveSome() {
    std::array<char, 65536> chunk;
    const ssize_t n = ::recv(m_socket, chunk.data(), chunk.size(), 0);
    if (n > 0) m_incoming.append({chunk.data(), std::size_t(n)});
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) m_ended = true;
    return n > 0;
}

void ChildProcess::receiveErrors() {
    constexpr std::size_t most = 8192;
    std::array<char, 4096> chunk;
    while (m_errors >= 0) {
        const ssize_t n = ::read(m_errors, chunk.data(), chunk.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return;
        if (n <= 0) {
            ::close(m_errors);
            m_errors = -1;
            return;
        }
        m_errorText.append(chunk.data(), std::size_t(n));
        if (m_errorText.size() > most) m_errorText.erase(0, m_errorText.size() - most);
    }
}

/// Waits once for the socket. False when the time is over.
bool ChildProcess::exchange(std::chrono::milliseconds timeout) {
    std::array<pollfd, 2> waits{pollfd{m_socket, short(POLLIN | (m_outgoing.empty() ? 0 : POLLOUT)), 0},
                                pollfd{m_errors, POLLIN, 0}};
    const pollfd& wait = waits[0];
    const int ready = ::poll(waits.data(), waits.size(), int(std::min<std::int64_t>(timeout.count(), 1 << 30)));
    if (ready == 0) return false;
    if (ready < 0) return errno == EINTR;
    if (waits[1].revents) receiveErrors();
    if (wait.revents & POLLOUT) sendSome();
    if (wait.revents & (POLLIN | POLLHUP | POLLERR)) receiveSome();
    return true;
}

ChildProcess::Read ChildProcess::read(std::string& line, std::chrono::milliseconds timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (true) {
        if (auto next = m_incoming.next()) {
            line = std::move(next->text);
            return Read::line;
        }
        if (m_ended) return Read::ended;
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        if (left.count() < 0 || !exchange(left)) return Read::timeout;
    }
}

void ChildProcess::kill() {
    if (m_pid > 0) ::kill(m_pid, SIGKILL);
}

void ChildProcess::waitForEnd() {
    if (m_pid <= 0) return;
    int status = 0;
    while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) {
    }
    m_pid = -1;
    m_status = status;
    receiveErrors(); // said after the last look
}

std::string ChildProcess::howItEnded() {
    waitForEnd();
    if (!m_status) return "has ended";
    if (WIFSIGNALED(*m_status)) return "was killed by " + signalName(WTERMSIG(*m_status));
    return "exited with code " + std::to_string(WEXITSTATUS(*m_status));
}

int ChildProcess::exitCode() {
    waitForEnd();
    return m_status && WIFEXITED(*m_status) ? WEXITSTATUS(*m_status) : -1;
}

} // namespace kernelarium::worker
