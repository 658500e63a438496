// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/FileRules.h"

#include <cerrno>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace kernelarium::process {

namespace {

/// The rights, by their numbers: headers of older systems lack the later ones.
enum Right : std::uint64_t {
    execute = 1 << 0,
    writeFile = 1 << 1,
    readFile = 1 << 2,
    readFolder = 1 << 3,
    removeFolder = 1 << 4,
    removeFile = 1 << 5,
    makeCharacterDevice = 1 << 6,
    makeFolder = 1 << 7,
    makeFile = 1 << 8,
    makeSocket = 1 << 9,
    makeFifo = 1 << 10,
    makeBlockDevice = 1 << 11,
    makeLink = 1 << 12,
    refer = 1 << 13,       ///< renaming from folder to folder: version 2, refused before
    truncate = 1 << 14,    ///< version 3
    ioctlDevice = 1 << 15, ///< version 5
};
constexpr std::uint64_t reading = readFile | readFolder;
constexpr std::uint64_t writing =
    writeFile | removeFolder | removeFile | makeFolder | makeFile | makeSocket | makeFifo | makeLink | refer | truncate;
constexpr std::uint64_t devices = makeCharacterDevice | makeBlockDevice | ioctlDevice;
constexpr std::uint64_t ofFiles = execute | writeFile | readFile | truncate | ioctlDevice; ///< the rest is of folders

/// struct landlock_ruleset_attr with what came after Linux 5.13.
struct RuleSet {
    std::uint64_t files = 0;
    std::uint64_t network = 0; ///< version 4
    std::uint64_t scopes = 0;  ///< version 6
};
constexpr std::uint64_t abstractSockets = 1 << 0, signals = 1 << 1;

/// 0 where there is no Landlock.
long version() {
    const long found = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return found > 0 ? found : 0;
}

std::uint64_t rightsOf(long version) {
    std::uint64_t all = execute | reading | writing | devices;
    if (version < 2) all &= ~std::uint64_t(refer);
    if (version < 3) all &= ~std::uint64_t(truncate);
    if (version < 5) all &= ~std::uint64_t(ioctlDevice);
    return all;
}

std::size_t sizeOf(long version) {
    return version >= 6 ? sizeof(RuleSet) : version >= 4 ? 2 * sizeof(std::uint64_t) : sizeof(std::uint64_t);
}

} // namespace

FileRules::FileRules(Fence fence) {
    const long known = version();
    if (known == 0) return;
    m_handled = rightsOf(known) & (fence == Fence::all ? ~std::uint64_t(0) : writing | devices);
    const RuleSet set{m_handled, 0, known >= 6 ? abstractSockets | signals : 0};
    m_rules = Descriptor(int(::syscall(SYS_landlock_create_ruleset, &set, sizeOf(known), 0)));
    if (!m_rules.isOpen()) m_failure = errno;
}

bool FileRules::known() {
    return version() > 0;
}

void FileRules::allow(const std::string& path, std::uint64_t access) {
    if (!m_rules.isOpen()) return;
    const Descriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat what {};
    if (!place.isOpen() || ::fstat(place.number(), &what) != 0) return;
    access &= m_handled & (S_ISDIR(what.st_mode) ? ~std::uint64_t(0) : ofFiles);
    if (access == 0) return; // not what the rules are about
    landlock_path_beneath_attr rule{};
    rule.allowed_access = access;
    rule.parent_fd = place.number();
    // One that is not taken leaves less allowed, never more.
    (void)::syscall(SYS_landlock_add_rule, m_rules.number(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

void FileRules::allowReading(const std::string& path) {
    allow(path, reading);
}

void FileRules::allowRunning(const std::string& path) {
    allow(path, reading | execute);
}

void FileRules::allowWriting(const std::string& path) {
    allow(path, reading | writing);
}

void FileRules::allowDevices(const std::string& path) {
    allow(path, reading | writeFile | truncate | ioctlDevice);
}

bool FileRules::restrictSelf() const {
    errno = m_failure;
    if (m_failure != 0) return false;
    if (!m_rules.isOpen()) return true;
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::syscall(SYS_landlock_restrict_self, m_rules.number(), 0) == 0;
}

} // namespace kernelarium::process
