// SPDX-License-Identifier: GPL-3.0-or-later
//
// <stdio.h> for programs: no file exists, and standard input is at its end.
#pragma once
#include "kernelarium/libc_numbers.h"
#include "kernelarium/std_stdio.h"

#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define stdin (reinterpret_cast<FILE*>(3))
typedef long fpos_t;

inline FILE* fopen(const char*, const char*) {
    return errno = ENOENT, nullptr;
}
inline FILE* fopen64(const char* name, const char* mode) {
    return fopen(name, mode);
}
inline FILE* freopen(const char*, const char*, FILE*) {
    return errno = ENOENT, nullptr;
}
inline FILE* tmpfile() {
    return errno = EACCES, nullptr;
}
inline FILE* popen(const char*, const char*) {
    return errno = ENOENT, nullptr;
}
inline int pclose(FILE*) {
    return -1;
}
inline int remove(const char*) {
    return errno = ENOENT, -1;
}
inline int rename(const char*, const char*) {
    return errno = ENOENT, -1;
}
namespace kl {
/// One of the three that exist; what was never opened is followed as any bad pointer.
inline void check(FILE* file) {
    if (reinterpret_cast<unsigned long>(file) - 1 > 2)
        kl_touch(reinterpret_cast<const volatile void*>(*reinterpret_cast<volatile long*>(file)));
}
} // namespace kl
inline int fclose(FILE* file) {
    return kl::check(file), 0;
}
inline size_t fread(void*, size_t, size_t, FILE* file) {
    return kl::check(file), 0;
}
inline size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
    kl::check(file);
    kl_print(static_cast<const char*>(bytes), (long long)(size * count));
    return count;
}
inline char* fgets(char*, int, FILE* file) {
    return kl::check(file), nullptr;
}
inline int fgetc(FILE* file) {
    return kl::check(file), EOF;
}
inline int getc(FILE* file) {
    return fgetc(file);
}
inline int getchar() {
    return EOF;
}
inline int ungetc(int, FILE*) {
    return EOF;
}
inline int fputc(int c, FILE* file) {
    return kl::check(file), putchar(c);
}
inline int putc(int c, FILE* file) {
    return fputc(c, file);
}
inline int feof(FILE* file) {
    return kl::check(file), 1;
}
inline int ferror(FILE* file) {
    return kl::check(file), 0;
}
inline void clearerr(FILE*) {}
inline int fseek(FILE* file, long, int) {
    return kl::check(file), -1;
}
inline long ftell(FILE* file) {
    return kl::check(file), -1;
}
inline void rewind(FILE* file) {
    kl::check(file);
}
inline int fileno(FILE* file) {
    return int(reinterpret_cast<long>(file) % 3);
}
inline int setvbuf(FILE*, char*, int, size_t) {
    return 0;
}
inline void setbuf(FILE*, char*) {}
inline void setlinebuf(FILE*) {}
template <class... A> int fscanf(FILE* file, const char*, A...) {
    return kl::check(file), EOF;
}
template <class... A> int scanf(const char*, A...) {
    return EOF;
}
inline void perror(const char* what) {
    if (what && *what)
        printf("%s: %s\n", what, strerror(errno));
    else
        printf("%s\n", strerror(errno));
}

namespace kl {
/// What sscanf stores into: the kind of number behind a pointer.
struct ScanTarget {
    void* at;
    int bytes;
    bool isFloating;
    template <class T>
    constexpr ScanTarget(T* p)
        : at(p)
        , bytes(sizeof(T))
        , isFloating(std::is_floating_point<T>::value) {}
};
inline bool store(const ScanTarget& to, unsigned long value) {
    if (to.bytes == 1)
        *static_cast<unsigned char*>(to.at) = (unsigned char)value;
    else if (to.bytes == 2)
        *static_cast<unsigned short*>(to.at) = (unsigned short)value;
    else if (to.bytes == 4)
        *static_cast<unsigned*>(to.at) = unsigned(value);
    else
        *static_cast<unsigned long*>(to.at) = value;
    return true;
}
__noinline__ inline int scan(const char* text, const char* format, const ScanTarget* targets, int count) {
    int done = 0, used = 0;
    const char* const begin = text;
    for (; *format; ++format) {
        if (isspace((unsigned char)*format)) {
            while (isspace((unsigned char)*text))
                ++text;
            continue;
        }
        if (*format != '%' || format[1] == '%') {
            if (*format == '%') ++format;
            if (*text != *format) return done;
            ++text;
            continue;
        }
        ++format;
        const bool skipped = *format == '*';
        if (skipped) ++format;
        size_t width = 0;
        while (isdigit(*format))
            width = width * 10 + (*format++ - '0');
        while (*format == 'l' || *format == 'h' || *format == 'z' || *format == 'L')
            ++format;
        if (!skipped && used >= count) return done;
        const ScanTarget* to = skipped ? nullptr : &targets[used++];
        if (*format == 'n') {
            if (to) store(*to, text - begin);
            continue;
        }
        if (*format != 'c' && *format != '[')
            while (isspace((unsigned char)*text))
                ++text;
        if (!*text) return done ? done : EOF;
        if (*format == 'c') {
            if (width == 0) width = 1;
            if (to) memcpy(to->at, text, strnlen(text, width));
            text += strnlen(text, width);
        } else if (*format == 's' || *format == '[') {
            const char* end = text;
            if (*format == 's') {
                while (*end && !isspace((unsigned char)*end) && (width == 0 || size_t(end - text) < width))
                    ++end;
            } else {
                const bool inverted = format[1] == '^';
                const char* set = format + (inverted ? 2 : 1);
                const char* close = strchr(*set == ']' ? set + 1 : set, ']');
                if (!close) return done;
                const auto among = [&](char c) {
                    for (const char* p = set; p < close; ++p) {
                        if (p + 2 < close && p[1] == '-' && c >= p[0] && c <= p[2]) return true;
                        if (*p == c) return true;
                    }
                    return false;
                };
                while (*end && among(*end) != inverted && (width == 0 || size_t(end - text) < width))
                    ++end;
                format = close;
                if (end == text) return done;
            }
            if (to) {
                memcpy(to->at, text, end - text);
                static_cast<char*>(to->at)[end - text] = 0;
            }
            text = end;
        } else {
            char number[64];
            const size_t most = width > 0 && width < 63 ? width : 63;
            memcpy(number, text, strnlen(text, most));
            number[strnlen(text, most)] = 0;
            char* end = number;
            if (strchr("fegaFEGA", *format)) {
                const double value = strtod(number, &end);
                if (end == number) return done;
                if (to && to->bytes == 4)
                    *static_cast<float*>(to->at) = float(value);
                else if (to)
                    *static_cast<double*>(to->at) = value;
            } else {
                const int base = *format == 'x' || *format == 'X' || *format == 'p' ? 16
                                 : *format == 'o'                                   ? 8
                                 : *format == 'i'                                   ? 0
                                                                                    : 10;
                const unsigned long value = *format == 'd' || *format == 'i' ? (unsigned long)strtol(number, &end, base)
                                                                             : strtoul(number, &end, base);
                if (end == number) return done;
                if (to) store(*to, value);
            }
            text += end - number;
        }
        done += skipped ? 0 : 1;
    }
    return done;
}
} // namespace kl
template <class... A> int sscanf(const char* text, const char* format, A... targets) {
    const kl::ScanTarget list[] = {kl::ScanTarget(targets)..., kl::ScanTarget((char*)nullptr)};
    return kl::scan(text, format, list, int(sizeof...(A)));
}

namespace std {
using ::fclose;
using ::fgetc;
using ::fgets;
using ::fopen;
using ::fputc;
using ::fputs;
using ::fread;
using ::fwrite;
using ::getchar;
using ::perror;
using ::putchar;
using ::remove;
using ::scanf;
using ::sscanf;
} // namespace std
