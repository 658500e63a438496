// SPDX-License-Identifier: GPL-3.0-or-later
// Exports a card as an ordinary user at a terminal would, with another program of that user running, and says what came
// of it:  export_as_user PYTHON PACKAGES USER
// PACKAGES is a folder that PYTHONPATH names: the terminal's name and the other program's number are written there for
// what tries to reach them.
#include "gpu/tools/PythonExport.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <grp.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kernelarium;

namespace {

bool becomeUser(uid_t user) {
    if (::getuid() == user) return true;
    return ::setgroups(0, nullptr) == 0 && ::setresgid(user, user, user) == 0 && ::setresuid(user, user, user) == 0;
}

void writeFile(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
}

/// A program of the user that does nothing.
pid_t startBystander(uid_t user) {
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!becomeUser(user)) ::_exit(1);
    for (;;)
        ::pause();
}

nlohmann::json exportOne(const std::string& python) {
    const audit::RowTask row{9, 1, "double", "import torch\n\n\ndef module_fn(x):\n    return x * 2\n", ""};
    tools::ExportOptions options;
    options.python = python;
    options.timeLimit = std::chrono::seconds(60);
    options.memory = std::uint64_t(2) << 30;
    const auto card = tools::exportCard(row, options);
    return {{"code", card ? "" : card.error().code},
            {"message", card ? "" : card.error().message},
            {"user", ::getuid()},
            {"terminal", ::isatty(STDERR_FILENO) == 1 && ::tcgetpgrp(STDERR_FILENO) == ::getpgrp()}};
}

/// In the process at the terminal.
[[noreturn]] void exportAt(const char* terminal, uid_t user, const std::string& python, int answers) {
    ::setsid();
    const int slave = ::open(terminal, O_RDWR); // becomes the controlling terminal
    if (slave >= 0) {
        ::fchown(slave, user, user) == 0 ? (void)0 : (void)std::perror("fchown");
        ::dup2(slave, STDERR_FILENO);
    }
    if (!becomeUser(user)) ::_exit(1);
    const std::string text = exportOne(python).dump();
    const bool written = ::write(answers, text.data(), text.size()) == ssize_t(text.size());
    ::_exit(written ? 0 : 1);
}

std::string readAll(int file) {
    std::string all;
    char part[4096];
    for (ssize_t n = 0; (n = ::read(file, part, sizeof part)) > 0;)
        all.append(part, std::size_t(n));
    return all;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    const std::string python = argv[1], packages = argv[2];
    const auto user = uid_t(std::strtoul(argv[3], nullptr, 10));
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) return 3;
    const std::string terminal = ::ptsname(master);
    const pid_t bystander = startBystander(user);
    writeFile(packages + "/terminal", terminal);
    writeFile(packages + "/bystander", std::to_string(bystander));
    int ends[2];
    if (::pipe(ends) != 0) return 3;
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        exportAt(terminal.c_str(), user, python, ends[1]);
    }
    ::close(ends[1]);
    auto answer = nlohmann::json::parse(readAll(ends[0]), nullptr, false);
    if (!answer.is_object()) answer = {{"code", "no_answer"}};
    // What is typed is echoed, and what is written comes here as well.
    pollfd typed{master, POLLIN, 0};
    answer["typed"] = ::poll(&typed, 1, 0) == 1 && (typed.revents & POLLIN);
    int status = 0;
    answer["bystander"] = ::waitpid(bystander, &status, WNOHANG) == 0;
    ::kill(bystander, SIGKILL);
    ::waitpid(bystander, &status, 0);
    ::waitpid(child, &status, 0);
    answer["ended"] = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    std::puts(answer.dump().c_str());
    return 0;
}
