// SPDX-License-Identifier: GPL-3.0-or-later
//
// <string.h>, <strings.h> and <ctype.h>: what std_string.h has not.
#pragma once
#include "kernelarium/std_string.h"

inline char* strchr(char* text, int c) {
    return const_cast<char*>(strchr(const_cast<const char*>(text), c));
}
inline char* strstr(char* text, const char* part) {
    return const_cast<char*>(strstr(const_cast<const char*>(text), part));
}
inline const char* strrchr(const char* text, int c) {
    const char* found = nullptr;
    for (;; ++text) {
        if (*text == char(c)) found = text;
        if (!*text) return found;
    }
}
inline char* strrchr(char* text, int c) {
    return const_cast<char*>(strrchr(const_cast<const char*>(text), c));
}
inline char* strcpy(char* to, const char* from) {
    char* at = to;
    while ((*at++ = *from++)) {
    }
    return to;
}
inline char* strncpy(char* to, const char* from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i]; ++i)
        to[i] = from[i];
    for (; i < n; ++i)
        to[i] = 0;
    return to;
}
inline char* strcat(char* to, const char* from) {
    return strcpy(to + strlen(to), from), to;
}
inline char* strncat(char* to, const char* from, size_t n) {
    char* at = to + strlen(to);
    for (; n > 0 && *from; --n)
        *at++ = *from++;
    *at = 0;
    return to;
}
inline size_t strnlen(const char* text, size_t n) {
    size_t i = 0;
    while (i < n && text[i])
        ++i;
    return i;
}
inline int strncasecmp(const char* a, const char* b, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        const int x = tolower((unsigned char)a[i]), y = tolower((unsigned char)b[i]);
        if (x != y || x == 0) return x - y;
    }
    return 0;
}
inline int strcasecmp(const char* a, const char* b) {
    return strncasecmp(a, b, ~size_t(0));
}
inline char* strdup(const char* text) {
    return strcpy(static_cast<char*>(malloc(strlen(text) + 1)), text);
}
inline char* strndup(const char* text, size_t n) {
    n = strnlen(text, n);
    char* copy = static_cast<char*>(memcpy(malloc(n + 1), text, n));
    copy[n] = 0;
    return copy;
}
inline size_t strspn(const char* text, const char* any) {
    size_t n = 0;
    while (text[n] && strchr(any, text[n]))
        ++n;
    return n;
}
inline size_t strcspn(const char* text, const char* any) {
    size_t n = 0;
    while (text[n] && !strchr(any, text[n]))
        ++n;
    return n;
}
inline const char* strpbrk(const char* text, const char* any) {
    text += strcspn(text, any);
    return *text ? text : nullptr;
}
inline char* strtok_r(char* text, const char* any, char** rest) {
    if (!text) text = *rest;
    text += strspn(text, any);
    if (!*text) return *rest = text, nullptr;
    char* end = text + strcspn(text, any);
    *rest = *end ? end + 1 : end;
    *end = 0;
    return text;
}
namespace kl {
inline char* tokensLeft = nullptr;
}
inline char* strtok(char* text, const char* any) {
    return strtok_r(text, any, &kl::tokensLeft);
}
inline void* memchr(const void* where, int c, size_t n) {
    const char* text = static_cast<const char*>(where);
    for (size_t i = 0; i < n; ++i)
        if (text[i] == char(c)) return const_cast<char*>(text + i);
    return nullptr;
}
inline void bzero(void* where, size_t n) {
    memset(where, 0, n);
}
inline const char* strerror(int code) {
    return code == 0    ? "Success"
           : code == 2  ? "No such file or directory"
           : code == 12 ? "Cannot allocate memory"
           : code == 22 ? "Invalid argument"
           : code == 34 ? "Numerical result out of range"
                        : "Error";
}
inline int isxdigit(int c) {
    return isdigit(c) || (toupper(c) >= 'A' && toupper(c) <= 'F');
}
inline int isprint(int c) {
    return c >= 32 && c < 127;
}
inline int isgraph(int c) {
    return c > 32 && c < 127;
}
inline int iscntrl(int c) {
    return (c >= 0 && c < 32) || c == 127;
}
inline int ispunct(int c) {
    return isgraph(c) && !isalnum(c);
}
inline int isblank(int c) {
    return c == ' ' || c == '\t';
}

namespace std {
using ::isprint;
using ::ispunct;
using ::isxdigit;
using ::memchr;
using ::strcat;
using ::strcpy;
using ::strcspn;
using ::strerror;
using ::strncat;
using ::strncpy;
using ::strpbrk;
using ::strrchr;
using ::strspn;
using ::strtok;
} // namespace std
