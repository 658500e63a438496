// SPDX-License-Identifier: GPL-3.0-or-later
//
// <stdlib.h>, <unistd.h>, <sys/utsname.h>: memory, the end of a program and what surrounds it. There is no environment,
// no other process, no network.
#pragma once
#include "kernelarium/libc_numbers.h"
#include "kernelarium/std_stdio.h"
#include "kernelarium/unsupported.h"

inline void* calloc(size_t count, size_t size) {
    void* p = malloc(count * size);
    return p ? memset(p, 0, count * size) : p;
}
__noinline__ inline void* realloc(void* old, size_t size) {
    if (!old) return malloc(size);
    unsigned long bytes = 0;
    kl::cuda("host.size", {old, &bytes});
    void* p = malloc(size);
    if (!p) return p;
    memcpy(p, old, bytes < size ? bytes : size);
    free(old);
    return p;
}
/// The heap aligns to 64 bytes.
inline void* aligned_alloc(size_t alignment, size_t size) {
    if (alignment <= 64) return malloc(size);
    kl::cuda("aligned_alloc of more than 64 bytes", {alignment, size});
    return nullptr;
}
inline int posix_memalign(void** p, size_t alignment, size_t size) {
    return (*p = aligned_alloc(alignment, size)) ? 0 : 12;
}
inline void* memalign(size_t alignment, size_t size) {
    return aligned_alloc(alignment, size);
}

inline char* getenv(const char*) {
    return nullptr;
}
inline int setenv(const char*, const char*, int) {
    return 0;
}
inline int putenv(char*) {
    return 0;
}
inline int unsetenv(const char*) {
    return 0;
}
inline int system(const char*) {
    return -1;
}
inline void quick_exit(int status) {
    exit(status);
}
[[noreturn]] inline void _exit(int status) {
    kl::endProcess(status);
}
[[noreturn]] inline void _Exit(int status) {
    kl::endProcess(status);
}
inline int getpid() {
    return 4242;
}
inline int getppid() {
    return 1;
}
inline int isatty(int) {
    return 0;
}
inline int access(const char*, int) {
    return errno = ENOENT, -1;
}
inline int unlink(const char*) {
    return errno = ENOENT, -1;
}
inline int mkdir(const char*, unsigned) {
    return errno = EACCES, -1;
}
inline int gethostname(char* name, size_t size) {
    return strncpy(name, "kernelarium", size), 0;
}
inline char* getcwd(char* text, size_t size) {
    return size > 1 ? strcpy(text, "/") : nullptr;
}
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_ONLN 84
inline long sysconf(int what) {
    return what == _SC_PAGESIZE ? 4096 : what == _SC_NPROCESSORS_ONLN ? 1 : -1;
}
inline int getpagesize() {
    return 4096;
}
#define SIGINT 2
#define SIGABRT 6
#define SIGSEGV 11
#define SIGTERM 15
typedef void (*sighandler_t)(int);
#define SIG_DFL ((sighandler_t)0)
#define SIG_IGN ((sighandler_t)1)
inline sighandler_t signal(int, sighandler_t) {
    return nullptr;
}
inline int optind = 1, opterr = 1, optopt = 0;
inline char* optarg = nullptr;
namespace kl {
inline int optionAt = 1; ///< in the argument that getopt() is in
}
/// Options come before operands here: getopt() stops at the first of these.
__noinline__ inline int getopt(int count, char* const values[], const char* known) {
    if (optind >= count || values[optind][0] != '-' || !values[optind][1]) return -1;
    if (strcmp(values[optind], "--") == 0) return ++optind, -1;
    const char* argument = values[optind];
    const char option = argument[kl::optionAt++];
    const char* found = option == ':' ? nullptr : strchr(known, option);
    const bool last = !argument[kl::optionAt];
    const char* value = last ? nullptr : argument + kl::optionAt;
    if (last || (found && found[1] == ':')) ++optind, kl::optionAt = 1;
    optopt = option;
    if (!found) {
        if (opterr) fprintf(stderr, "%s: invalid option -- '%c'\n", values[0], option);
        return '?';
    }
    if (found[1] != ':') return option;
    if (!value && optind < count && found[2] != ':') value = values[optind++];
    optarg = const_cast<char*>(value);
    if (value || found[2] == ':') return option;
    if (opterr) fprintf(stderr, "%s: option requires an argument -- '%c'\n", values[0], option);
    return known[0] == ':' ? ':' : '?';
}

struct utsname {
    char sysname[65], nodename[65], release[65], version[65], machine[65];
};
inline int uname(utsname* u) {
    strcpy(u->sysname, "Linux");
    strcpy(u->nodename, "kernelarium");
    strcpy(u->release, "6.1.0");
    strcpy(u->version, "#1 SMP");
    strcpy(u->machine, "x86_64");
    return 0;
}

namespace std {
using ::aligned_alloc;
using ::calloc;
using ::free;
using ::getenv;
using ::malloc;
using ::quick_exit;
using ::realloc;
using ::system;
} // namespace std
