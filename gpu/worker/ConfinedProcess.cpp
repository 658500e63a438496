// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/worker/ConfinedProcess.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace kernelarium::worker {

namespace {

namespace fs = std::filesystem;
using ConfinedClock = std::chrono::steady_clock;

/// Closed when it goes.
class Descriptor {
public:
    explicit Descriptor(int number = -1)
        : m_number(number) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int number() const { return m_number; }
    void close() {
        if (m_number >= 0) ::close(std::exchange(m_number, -1));
    }
    void take(int number) {
        close();
        m_number = number;
    }

private:
    int m_number;
};

std::vector<char*> pointers(const std::vector<std::string>& words) {
    std::vector<char*> all;
    for (const std::string& word : words)
        all.push_back(const_cast<char*>(word.c_str()));
    all.push_back(nullptr);
    return all;
}

struct Becoming {
    char* const* arguments;
    char* const* environment;
    const char* folder;
    const Confinement* confinement; ///< null: none
    int socket;
    int report;
    int nowhere;
    pid_t parent;
};

/// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void becomeConfined(const Becoming& how) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != how.parent) ::_exit(126); // the parent died before that took effect
    ::dup2(how.socket, STDIN_FILENO);
    ::dup2(how.socket, STDOUT_FILENO);
    ::dup2(how.nowhere, STDERR_FILENO);
    ::signal(SIGPIPE, SIG_DFL);
    if (::chdir(how.folder) == 0 && (!how.confinement || how.confinement->apply())) {
        ::close_range(3, unsigned(how.report) - 1, 0);
        ::close_range(unsigned(how.report) + 1, ~0U, 0);
        ::execve(how.arguments[0], how.arguments, how.environment);
    }
    const int failure = errno;
    const ssize_t ignored = ::write(how.report, &failure, sizeof failure);
    (void)ignored;
    ::_exit(127);
}

/// A started program; killed with its group and waited for when this goes.
class Running {
public:
    Running() = default;
    ~Running() {
        if (m_pid > 0) end();
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    Result<void> start(const ConfinedCommand& command, const ScratchFolder& scratch, const Confinement* confinement);
    /// Sends the input and reads the output until the program closes it.
    Result<std::string> talk(const ConfinedCommand& command, const std::stop_token& stop);
    ConfinedEnd end(); ///< kills what still runs

private:
    bool sendSome(const std::string& input);
    bool receiveSome(std::string& output);

    pid_t m_pid = -1;
    Descriptor m_socket;
    std::size_t m_sent = 0;
    bool m_whole = false; ///< the program closed its output itself
};

Result<void> Running::start(const ConfinedCommand& command, const ScratchFolder& scratch,
                            const Confinement* confinement) {
    const auto failed = [&](int code) {
        return Error{"missing_component",
                     fmt::format("Cannot start {}: {}.", command.words.at(0), std::strerror(code))};
    };
    std::array<int, 2> sockets{};
    std::array<int, 2> report{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) return failed(errno);
    m_socket.take(sockets[0]);
    Descriptor theirs(sockets[1]);
    if (::pipe2(report.data(), O_CLOEXEC) != 0) return failed(errno);
    const Descriptor reading(report[0]);
    Descriptor writing(report[1]);
    const Descriptor nowhere(::open("/dev/null", O_RDWR | O_CLOEXEC));
    const std::vector<char*> arguments = pointers(command.words);
    const std::vector<char*> environment = pointers(command.environment);
    const std::string folder = scratch.path().string();
    const Becoming how{arguments.data(), environment.data(), folder.c_str(),   confinement,
                       sockets[1],       report[1],          nowhere.number(), ::getpid()};
    m_pid = ::fork();
    if (m_pid == 0) becomeConfined(how);
    if (m_pid < 0) return failed(errno);
    ::setpgid(m_pid, m_pid); // whichever of the two comes first
    theirs.close();
    writing.close();
    int code = 0;
    if (::read(reading.number(), &code, sizeof code) == sizeof code) return failed(code);
    ::fcntl(m_socket.number(), F_SETFL, O_NONBLOCK);
    return {};
}

bool Running::sendSome(const std::string& input) {
    const ssize_t n = ::send(m_socket.number(), input.data() + m_sent, input.size() - m_sent, MSG_NOSIGNAL);
    if (n > 0) m_sent += std::size_t(n);
    if (n < 0 && errno != EAGAIN && errno != EINTR) m_sent = input.size(); // it does not want more
    return m_sent < input.size();
}

/// False at the end.
bool Running::receiveSome(std::string& output) {
    std::array<char, 65536> chunk;
    const ssize_t n = ::recv(m_socket.number(), chunk.data(), chunk.size(), 0);
    if (n > 0) output.append(chunk.data(), std::size_t(n));
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

Result<std::string> Running::talk(const ConfinedCommand& command, const std::stop_token& stop) {
    const ConfinedClock::time_point deadline = ConfinedClock::now() + command.timeLimit;
    std::string output;
    bool sending = !command.input.empty();
    while (true) {
        if (stop.stop_requested()) return Error{"cancelled", "It was cancelled."};
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - ConfinedClock::now()).count();
        if (left <= 0)
            return Error{"timeout",
                         fmt::format("It took longer than {} s and was ended.", command.timeLimit.count() / 1000)};
        pollfd wait{m_socket.number(), short(POLLIN | (sending ? POLLOUT : 0)), 0};
        // In short steps, so that a stop is soon seen.
        if (::poll(&wait, 1, int(std::min<std::int64_t>(left, 50))) <= 0) continue;
        if (wait.revents & POLLOUT) sending = sendSome(command.input);
        if (!(wait.revents & (POLLIN | POLLHUP | POLLERR))) continue;
        const bool more = receiveSome(output);
        if (output.size() > command.longestOutput)
            return Error{"too_large",
                         fmt::format("It wrote more than {} MB and was ended.", command.longestOutput >> 20)};
        if (more) continue;
        m_whole = true;
        return output;
    }
}

ConfinedEnd Running::end() {
    ConfinedEnd result;
    int status = 0;
    pid_t waited = 0;
    // One that closed its output is about to end by itself, and how it does is worth knowing.
    for (int i = 0; m_whole && i < 200 && waited == 0; ++i) {
        waited = ::waitpid(m_pid, &status, WNOHANG);
        if (waited == 0) ::usleep(5000);
    }
    if (waited == 0) {
        ::kill(-m_pid, SIGKILL);
        ::kill(m_pid, SIGKILL);
        while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) {
        }
    }
    m_pid = -1;
    if (WIFSIGNALED(status)) {
        const char* name = ::sigabbrev_np(WTERMSIG(status));
        result.how = fmt::format("was killed by SIG{}", name ? name : "?");
    } else {
        result.code = WEXITSTATUS(status);
        result.how = fmt::format("exited with code {}", result.code);
    }
    return result;
}

} // namespace

Result<ScratchFolder> ScratchFolder::make() {
    std::error_code problem;
    const fs::path parent = fs::temp_directory_path(problem);
    std::string name = ((problem ? fs::path("/tmp") : parent) / "kernelarium-XXXXXX").string();
    if (!::mkdtemp(name.data()))
        return Error{"unwritable_file", fmt::format("Cannot make a folder like {}: {}.", name, std::strerror(errno))};
    ScratchFolder folder;
    folder.m_path = name;
    return folder;
}

ScratchFolder::~ScratchFolder() {
    if (m_path.empty()) return;
    std::error_code ignored;
    // What ran here may have taken away its own right to look into folders.
    for (auto it = fs::recursive_directory_iterator(m_path, fs::directory_options::skip_permission_denied, ignored);
         !ignored && it != fs::recursive_directory_iterator(); it.increment(ignored))
        if (it->is_directory(ignored) && !it->is_symlink(ignored))
            fs::permissions(it->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
    fs::remove_all(m_path, ignored);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : m_path(std::exchange(other.m_path, {})) {}

Result<ConfinedEnd> runConfined(const ConfinedCommand& command, const ScratchFolder& scratch,
                                const std::stop_token& stop) {
    std::optional<Result<Confinement>> confinement;
    if (!command.trusted) confinement.emplace(Confinement::prepare(scratch.path().string(), command.limits));
    if (confinement && !*confinement) return confinement->error();
    Running running;
    if (Result<void> started = running.start(command, scratch, confinement ? &**confinement : nullptr); !started)
        return started.error();
    Result<std::string> output = running.talk(command, stop);
    if (!output) return output.error();
    ConfinedEnd end = running.end();
    end.output = *std::move(output);
    return end;
}

} // namespace kernelarium::worker
