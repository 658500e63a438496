// SPDX-License-Identifier: GPL-3.0-or-later
//
// <time.h>, <sys/time.h>: wall time of the run, from the first of January 2026 on, so that what a program seeds with
// the time of day is the same in every run. sleep() does not wait.
#pragma once
#include "kernelarium/cuda_api.h"
#include "kernelarium/libc_strings.h"

using time_t = long long int;
typedef long suseconds_t;
typedef unsigned useconds_t;
typedef int clockid_t;
#define CLOCKS_PER_SEC 1000000l
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_MONOTONIC_RAW 4
#define TIME_UTC 1
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};
struct timezone {
    int tz_minuteswest, tz_dsttime;
};
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
};

namespace kl {
inline long nanoseconds() {
    long passed = 0;
    kl::cuda("host.time", {&passed});
    return passed;
}
enum : long { firstSecond = 1767225600 };
inline tm brokenDown;
} // namespace kl

inline int clock_gettime(clockid_t which, timespec* t) {
    const long now = kl::nanoseconds();
    t->tv_sec = now / 1000000000 + (which == CLOCK_REALTIME ? kl::firstSecond : 0);
    t->tv_nsec = now % 1000000000;
    return 0;
}
inline int timespec_get(timespec* t, int base) {
    return clock_gettime(CLOCK_REALTIME, t), base;
}
inline int gettimeofday(timeval* t, void*) {
    const long now = kl::nanoseconds();
    t->tv_sec = now / 1000000000 + kl::firstSecond;
    t->tv_usec = now % 1000000000 / 1000;
    return 0;
}
inline time_t time(time_t* t) {
    const time_t now = kl::nanoseconds() / 1000000000 + kl::firstSecond;
    if (t) *t = now;
    return now;
}
inline double difftime(time_t a, time_t b) {
    return double(a - b);
}
__noinline__ inline tm* gmtime_r(const time_t* when, tm* out) {
    long days = *when / 86400, rest = *when % 86400;
    out->tm_hour = int(rest / 3600);
    out->tm_min = int(rest % 3600 / 60);
    out->tm_sec = int(rest % 60);
    out->tm_wday = int((days + 4) % 7);
    out->tm_isdst = 0;
    int year = 1970;
    const auto length = [](int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0 ? 366 : 365; };
    for (; days >= length(year); ++year)
        days -= length(year);
    out->tm_year = year - 1900;
    out->tm_yday = int(days);
    int month = 0;
    const auto daysOf = [&](int m) {
        return m == 1 ? length(year) - 337 : m == 3 || m == 5 || m == 8 || m == 10 ? 30 : 31;
    };
    for (; days >= daysOf(month); ++month)
        days -= daysOf(month);
    out->tm_mon = month;
    out->tm_mday = int(days) + 1;
    return out;
}
inline tm* gmtime(const time_t* when) {
    return gmtime_r(when, &kl::brokenDown);
}
inline tm* localtime(const time_t* when) {
    return gmtime(when);
}
inline tm* localtime_r(const time_t* when, tm* out) {
    return gmtime_r(when, out);
}
__noinline__ inline char* asctime(const tm* t) {
    char* text = static_cast<char*>(kl_alloc(32));
    const char* days = "SunMonTueWedThuFriSat";
    const char* months = "JanFebMarAprMayJunJulAugSepOctNovDec";
    struct {
        char day[4], month[4];
    } names{};
    memcpy(names.day, days + 3 * t->tm_wday, 3);
    memcpy(names.month, months + 3 * t->tm_mon, 3);
    snprintf(text, 32, "%s %s %2d %02d:%02d:%02d %d\n", names.day, names.month, t->tm_mday, t->tm_hour, t->tm_min,
             t->tm_sec, t->tm_year + 1900);
    return text;
}
inline char* ctime(const time_t* when) {
    return asctime(gmtime(when));
}
__noinline__ inline size_t strftime(char* out, size_t capacity, const char* format, const tm* t) {
    std::string text;
    const auto two = [&](int v) { text += char('0' + v / 10 % 10), text += char('0' + v % 10); };
    for (; *format; ++format) {
        if (*format != '%') {
            text += *format;
            continue;
        }
        switch (*++format) {
        case 'Y': text += std::to_string(t->tm_year + 1900); break;
        case 'm': two(t->tm_mon + 1); break;
        case 'd': two(t->tm_mday); break;
        case 'H': two(t->tm_hour); break;
        case 'M': two(t->tm_min); break;
        case 'S': two(t->tm_sec); break;
        case 'F':
            text += std::to_string(t->tm_year + 1900) + "-", two(t->tm_mon + 1), text += '-', two(t->tm_mday);
            break;
        case 'T': two(t->tm_hour), text += ':', two(t->tm_min), text += ':', two(t->tm_sec); break;
        case '%': text += '%'; break;
        default: text += *format; break;
        }
    }
    if (text.size() + 1 > capacity) return 0;
    strcpy(out, text.c_str());
    return text.size();
}
inline int nanosleep(const timespec*, timespec*) {
    return 0;
}
inline unsigned sleep(unsigned) {
    return 0;
}
inline int usleep(useconds_t) {
    return 0;
}

namespace std {
using ::asctime;
using ::clock;
using ::clock_t;
using ::ctime;
using ::difftime;
using ::gmtime;
using ::localtime;
using ::strftime;
using ::time;
using ::time_t;
using ::timespec;
using ::tm;
} // namespace std
