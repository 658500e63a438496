// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/Child.h"

#include "gpu/process/Confinement.h"
#include "gpu/process/Descriptor.h"
#include "gpu/process/FileRules.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kernelarium::process {

namespace {

std::vector<char*> pointersTo(const std::vector<std::string>& words) {
    std::vector<char*> all;
    for (const std::string& word : words)
        all.push_back(const_cast<char*>(word.c_str()));
    all.push_back(nullptr);
    return all;
}

struct Becoming {
    const Start& start;
    const char* program;
    char* const* arguments;
    char* const* environment;
    int report;
    pid_t parent;
};

/// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void becomeProgram(const Becoming& how) {
    const Start& start = how.start;
    if (start.apart) ::setsid(); // and no terminal: nobody types into ours
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != how.parent) ::_exit(126); // the parent died before that took effect
    ::signal(start.apart ? SIGPIPE : SIGINT, start.apart ? SIG_DFL : SIG_IGN);
    if (start.files && !start.files->restrictSelf()) ::_exit(126);
    if (start.input >= 0) ::dup2(start.input, STDIN_FILENO);
    if (start.output >= 0) ::dup2(start.output, STDOUT_FILENO);
    if (start.errors >= 0) ::dup2(start.errors, STDERR_FILENO);
    ExecPass pass;
    if ((start.folder.empty() || ::chdir(start.folder.c_str()) == 0) &&
        (!start.confinement || start.confinement->apply(pass))) {
        if (start.apart) {
            ::close_range(3, unsigned(how.report) - 1, 0);
            ::close_range(unsigned(how.report) + 1, ~0U, 0);
        }
        // A path is taken as it is: what is no program is not given to a shell.
        const bool isPath = std::strchr(how.program, '/') != nullptr;
        if (start.confinement)
            execWith(pass, how.program, how.arguments, how.environment);
        else
            (isPath ? ::execve : ::execvpe)(how.program, how.arguments, how.environment);
    }
    const int failure = errno;
    const ssize_t ignored = ::write(how.report, &failure, sizeof failure);
    (void)ignored;
    ::_exit(127);
}

/// The program of that name on PATH; the name itself where it is a path, or where there is none.
std::string onPath(const std::string& name) {
    const char* path = std::getenv("PATH");
    if (!path || name.find('/') != std::string::npos) return name;
    std::istringstream folders(path);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (std::string file = folder + "/" + name; !folder.empty() && ::access(file.c_str(), X_OK) == 0) return file;
    return name;
}

/// Why the program was not reached; 0 once it runs.
int failureOf(int report) {
    int failure = 0;
    ssize_t got = 0;
    do
        got = ::read(report, &failure, sizeof failure);
    while (got < 0 && errno == EINTR);
    return got == ssize_t(sizeof failure) ? failure : 0;
}

std::string signalName(int signal) {
    const char* abbreviation = ::sigabbrev_np(signal);
    return abbreviation ? std::string("SIG") + abbreviation : "signal " + std::to_string(signal);
}

} // namespace

std::vector<std::string> ownEnvironment() {
    std::vector<std::string> all;
    for (char** variable = environ; variable && *variable; ++variable)
        all.emplace_back(*variable);
    return all;
}

Result<Child> Child::start(const Start& start) {
    const auto failed = [&](int code) {
        return Error{"missing_component", fmt::format("Cannot start {}: {}.", start.words.at(0), std::strerror(code))};
    };
    std::optional<DescriptorPair> report = DescriptorPair::pipe();
    if (!report) return failed(errno);
    const std::vector<char*> arguments = pointersTo(start.words);
    const std::vector<char*> environment = start.environment ? pointersTo(*start.environment) : std::vector<char*>{};
    const std::string program = start.confinement ? onPath(start.words.at(0)) : start.words.at(0);
    const Becoming how{start,
                       program.c_str(),
                       arguments.data(),
                       start.environment ? environment.data() : environ,
                       report->writing.number(),
                       ::getpid()};
    Child child;
    child.m_apart = start.apart;
    // Without a cage nothing is waited for between here and exec, so that the child may borrow this process's memory:
    // fork copies its tables, and meanwhile holds what every other thread needs to allocate.
    child.m_pid = start.confinement ? ::fork() : ::vfork();
    if (child.m_pid == 0) becomeProgram(how);
    if (child.m_pid < 0) return failed(errno);
    report->writing.close();
    if (start.confinement && !start.confinement->admit(child.m_pid)) return failed(errno);
    if (const int code = failureOf(report->reading.number()); code != 0) return failed(code);
    return child;
}

Child::~Child() {
    kill();
    wait();
}

Child::Child(Child&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1))
    , m_apart(other.m_apart)
    , m_end(std::move(other.m_end)) {}

Child& Child::operator=(Child&& other) noexcept {
    std::swap(m_pid, other.m_pid);
    std::swap(m_apart, other.m_apart);
    std::swap(m_end, other.m_end);
    return *this;
}

void Child::kill() {
    if (m_pid <= 0) return;
    if (m_apart) ::kill(-m_pid, SIGKILL);
    ::kill(m_pid, SIGKILL);
}

void Child::ended(int status) {
    m_pid = -1;
    if (WIFSIGNALED(status)) {
        m_end = {"was killed by " + signalName(WTERMSIG(status)), -1};
    } else {
        m_end.code = WEXITSTATUS(status);
        m_end.how = fmt::format("exited with code {}", m_end.code);
    }
}

const End& Child::wait() {
    if (m_pid <= 0) return m_end;
    int status = 0;
    while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) {
    }
    ended(status);
    return m_end;
}

bool Child::endsWithin(std::chrono::milliseconds time) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds step(5);
    if (m_pid <= 0) return true;
    const Descriptor process(int(::syscall(SYS_pidfd_open, m_pid, 0))); // none before Linux 5.3: looks in steps
    for (const Clock::time_point deadline = Clock::now() + time;;) {
        int status = 0;
        if (::waitpid(m_pid, &status, WNOHANG) > 0) {
            ended(status);
            return true;
        }
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
        if (left.count() <= 0) return false;
        pollfd wait{process.number(), POLLIN, 0};
        ::poll(&wait, 1, int((process.isOpen() ? left : std::min(left, step)).count()));
    }
}

} // namespace kernelarium::process
