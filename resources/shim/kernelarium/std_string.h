// SPDX-License-Identifier: GPL-3.0-or-later
//
// <string>: characters on the run's heap, never freed.
#pragma once
#include "kernelarium/std_limits.h"
#include "kernelarium/std_memory.h"

namespace kl {
constexpr unsigned long length(const char* text) {
    unsigned long n = 0;
    while (text[n])
        ++n;
    return n;
}
} // namespace kl

namespace std {
class string;
class string_view {
public:
    enum : size_t { npos = size_t(-1) };
    constexpr string_view() noexcept = default;
    constexpr string_view(const char* text)
        : m_data(text)
        , m_size(kl::length(text)) {}
    constexpr string_view(const char* text, size_t size)
        : m_data(text)
        , m_size(size) {}
    constexpr const char* data() const noexcept { return m_data; }
    constexpr size_t size() const noexcept { return m_size; }
    constexpr size_t length() const noexcept { return m_size; }
    constexpr bool empty() const noexcept { return m_size == 0; }
    constexpr const char* begin() const noexcept { return m_data; }
    constexpr const char* end() const noexcept { return m_data + m_size; }
    constexpr char operator[](size_t i) const { return m_data[i]; }
    constexpr string_view substr(size_t at, size_t count = npos) const {
        return {m_data + at, count < m_size - at ? count : m_size - at};
    }
    __noinline__ size_t find(string_view wanted, size_t from = 0) const {
        for (size_t i = from; i + wanted.m_size <= m_size; ++i)
            if (same(i, wanted)) return i;
        return npos;
    }
    __noinline__ size_t rfind(string_view wanted, size_t from = npos) const {
        for (size_t i = m_size + 1; i-- > 0;)
            if (i <= from && i + wanted.m_size <= m_size && same(i, wanted)) return i;
        return npos;
    }
    size_t find(char c, size_t from = 0) const { return find(string_view(&c, 1), from); }
    size_t rfind(char c, size_t from = npos) const { return rfind(string_view(&c, 1), from); }
    __noinline__ int compare(string_view other) const {
        for (size_t i = 0; i < m_size && i < other.m_size; ++i)
            if (m_data[i] != other.m_data[i]) return (unsigned char)m_data[i] < (unsigned char)other.m_data[i] ? -1 : 1;
        return m_size < other.m_size ? -1 : m_size > other.m_size;
    }
    constexpr char front() const { return m_data[0]; }
    constexpr char back() const { return m_data[m_size - 1]; }
    void remove_prefix(size_t n) { m_data += n, m_size -= n; }
    void remove_suffix(size_t n) { m_size -= n; }
    friend constexpr bool operator==(string_view a, string_view b) { return a.m_size == b.m_size && a.same(0, b); }
    friend constexpr bool operator!=(string_view a, string_view b) { return !(a == b); }
    friend bool operator<(string_view a, string_view b) { return a.compare(b) < 0; }

private:
    constexpr bool same(size_t at, string_view wanted) const {
        for (size_t i = 0; i < wanted.m_size; ++i)
            if (m_data[at + i] != wanted.m_data[i]) return false;
        return true;
    }
    const char* m_data = "";
    size_t m_size = 0;
};

class string {
public:
    using value_type = char;
    using iterator = char*;
    using const_iterator = const char*;
    enum : size_t { npos = size_t(-1) };
    constexpr string() noexcept = default;
    string(const char* text) { append(text, kl::length(text)); }
    string(const char* text, size_t size) { append(text, size); }
    string(size_t count, char c) {
        for (size_t i = 0; i < count; ++i)
            push_back(c);
    }
    explicit string(string_view text) { append(text.data(), text.size()); }
    string(initializer_list<char> list) { append(list.begin(), list.size()); }
    template <class I> string(I first, I last) {
        for (; first != last; ++first)
            push_back(*first);
    }
    string(const string& other) { append(other.m_data, other.m_size); }
    string(string&& other) noexcept
        : m_data(other.m_data)
        , m_size(other.m_size)
        , m_capacity(other.m_capacity) {
        other.forget();
    }
    string& operator=(const string& other) {
        if (this != &other) {
            forget();
            append(other.m_data, other.m_size);
        }
        return *this;
    }
    string& operator=(const char* text) { return *this = string(text); }
    operator string_view() const noexcept { return {m_data, m_size}; }
    const char* c_str() const noexcept { return m_data; }
    const char* data() const noexcept { return m_data; }
    constexpr size_t size() const noexcept { return m_size; }
    constexpr size_t length() const noexcept { return m_size; }
    constexpr bool empty() const noexcept { return m_size == 0; }
    char* begin() noexcept { return m_data; }
    char* end() noexcept { return m_data + m_size; }
    const char* begin() const noexcept { return m_data; }
    const char* end() const noexcept { return m_data + m_size; }
    char& operator[](size_t i) { return m_data[i]; }
    const char& operator[](size_t i) const { return m_data[i]; }
    char& front() { return m_data[0]; }
    char& back() { return m_data[m_size - 1]; }
    const char& back() const { return m_data[m_size - 1]; }
    void clear() noexcept { forget(); }
    void push_back(char c) { append(&c, 1); }
    void pop_back() { m_data[--m_size] = 0; }
    void reserve(size_t) {}
    void resize(size_t size, char c = 0) {
        while (m_size < size)
            push_back(c);
        m_size = size;
        if (m_capacity) m_data[size] = 0;
    }
    __noinline__ string& append(const char* text, size_t size) {
        if (m_size + size + 1 > m_capacity) {
            const size_t capacity = (m_size + size) * 2 + 16;
            char* data = kl::allocate<char>(capacity);
            memcpy(data, m_data, m_size);
            m_data = data;
            m_capacity = capacity;
        }
        memcpy(m_data + m_size, text, size);
        m_size += size;
        m_data[m_size] = 0;
        return *this;
    }
    string& append(string_view text) { return append(text.data(), text.size()); }
    string& append(size_t count, char c) { return append(string(count, c)); }
    string& operator+=(string_view text) { return append(text.data(), text.size()); }
    string& operator+=(const string& text) { return append(text.m_data, text.m_size); }
    string& operator+=(const char* text) { return append(text, kl::length(text)); }
    string& operator+=(char c) { return append(&c, 1); }
    string& insert(size_t at, string_view text) {
        string tail = substr(at);
        return erase(at).append(text).append(string_view(tail));
    }
    string& erase(size_t at = 0, size_t count = npos) {
        string tail = count < m_size - at ? substr(at + count) : string();
        resize(at);
        return append(string_view(tail));
    }
    string& replace(size_t at, size_t count, string_view text) {
        erase(at, count);
        return insert(at, text);
    }
    string& assign(string_view text) { return *this = string(text); }
    string& assign(const char* text, size_t size) { return *this = string(text, size); }
    string& assign(size_t count, char c) { return *this = string(count, c); }
    string& operator=(char c) { return *this = string(1, c); }
    string& insert(size_t at, size_t count, char c) { return insert(at, string_view(string(count, c))); }
    char* erase(const char* where) { return erase(where, where + 1); }
    char* erase(const char* first, const char* last) {
        const size_t at = first - m_data;
        erase(at, size_t(last - first));
        return m_data + at;
    }
    void shrink_to_fit() {}
    void swap(string& other) { std::swap(*this, other); }
    char* data() noexcept { return m_data; }
    size_t find_first_of(string_view any, size_t from = 0) const {
        for (size_t i = from; i < m_size; ++i)
            if (any.find(m_data[i]) != npos) return i;
        return npos;
    }
    size_t find_last_of(string_view any, size_t from = npos) const {
        for (size_t i = m_size; i-- > 0;)
            if (i <= from && any.find(m_data[i]) != npos) return i;
        return npos;
    }
    size_t find_first_of(char c, size_t from = 0) const { return find(c, from); }
    size_t find_last_of(char c, size_t from = npos) const { return rfind(c, from); }
    size_t find_first_not_of(char c, size_t from = 0) const { return find_first_not_of(string_view(&c, 1), from); }
    size_t find_last_not_of(char c) const { return find_last_not_of(string_view(&c, 1)); }
    size_t find_first_not_of(string_view any, size_t from = 0) const {
        for (size_t i = from; i < m_size; ++i)
            if (any.find(m_data[i]) == npos) return i;
        return npos;
    }
    size_t find_last_not_of(string_view any) const {
        for (size_t i = m_size; i-- > 0;)
            if (any.find(m_data[i]) == npos) return i;
        return npos;
    }
    char& at(size_t i) { return m_data[i]; }
    const char& at(size_t i) const { return m_data[i]; }
    const char& front() const { return m_data[0]; }
    size_t capacity() const noexcept { return m_capacity; }
    string substr(size_t at, size_t count = npos) const { return string(string_view(*this).substr(at, count)); }
    size_t find(string_view wanted, size_t from = 0) const { return string_view(*this).find(wanted, from); }
    size_t find(char c, size_t from = 0) const { return string_view(*this).find(c, from); }
    size_t rfind(string_view wanted, size_t from = npos) const { return string_view(*this).rfind(wanted, from); }
    size_t rfind(char c, size_t from = npos) const { return string_view(*this).rfind(c, from); }
    int compare(string_view other) const { return string_view(*this).compare(other); }
    int compare(size_t at, size_t count, string_view other) const {
        return string_view(*this).substr(at, count).compare(other);
    }

private:
    void forget() noexcept {
        m_data = const_cast<char*>("");
        m_size = m_capacity = 0;
    }
    char* m_data = const_cast<char*>("");
    size_t m_size = 0;
    size_t m_capacity = 0;
};
#define KL_COMPARE(op)                                                                                                 \
    inline bool operator op(const string& a, const string& b) {                                                        \
        return string_view(a) op string_view(b);                                                                       \
    }                                                                                                                  \
    inline bool operator op(const string& a, const char* b) {                                                          \
        return string_view(a) op string_view(b);                                                                       \
    }                                                                                                                  \
    inline bool operator op(const char* a, const string& b) {                                                          \
        return string_view(a) op string_view(b);                                                                       \
    }
KL_COMPARE(==) KL_COMPARE(!=) KL_COMPARE(<) inline bool operator>(const string& a, const string& b) {
    return b < a;
}
inline bool operator<=(const string& a, const string& b) {
    return !(b < a);
}
inline bool operator>=(const string& a, const string& b) {
    return !(a < b);
}
#undef KL_COMPARE
inline string kl_join(string_view a, string_view b) {
    string whole(a);
    whole.append(b);
    return whole;
}
inline string operator+(const string& a, const string& b) {
    return kl_join(a, b);
}
inline string operator+(const string& a, const char* b) {
    return kl_join(a, b);
}
inline string operator+(const char* a, const string& b) {
    return kl_join(a, b);
}
inline string operator+(const string& a, char b) {
    return kl_join(a, string_view(&b, 1));
}
inline string operator+(char a, const string& b) {
    return kl_join(string_view(&a, 1), b);
}
} // namespace std

namespace kl {
__noinline__ inline std::string decimal(unsigned long long value, bool negative) {
    char digits[24];
    int at = 24;
    do {
        digits[--at] = char('0' + value % 10);
        value /= 10;
    } while (value);
    if (negative) digits[--at] = '-';
    return std::string(digits + at, 24 - at);
}
/// printf of one double; the format may hold a '*' for an int before it.
__noinline__ inline std::string formatDouble(const char* format, int precision, double value) {
    struct {
        int precision;
        int pad;
        double value;
    } arguments{precision, 0, value};
    char text[400];
    const int size = kl_format(text, sizeof text, format, &arguments);
    return std::string(text, size > 0 ? size : 0);
}
} // namespace kl

namespace std {
inline string to_string(int v) {
    return kl::decimal(v < 0 ? 0ull - (unsigned long long)(long long)v : v, v < 0);
}
inline string to_string(long v) {
    return kl::decimal(v < 0 ? 0ull - (unsigned long long)v : v, v < 0);
}
inline string to_string(long long v) {
    return kl::decimal(v < 0 ? 0ull - (unsigned long long)v : v, v < 0);
}
inline string to_string(unsigned v) {
    return kl::decimal(v, false);
}
inline string to_string(unsigned long v) {
    return kl::decimal(v, false);
}
inline string to_string(unsigned long long v) {
    return kl::decimal(v, false);
}
inline string to_string(double v) {
    return kl::formatDouble("%.*f", 6, v);
}
inline string to_string(float v) {
    return kl::formatDouble("%.*f", 6, v);
}
__noinline__ inline long stol(const string& text) {
    size_t i = 0;
    while (i < text.size() && (text[i] == ' ' || text[i] == '+'))
        ++i;
    const bool negative = i < text.size() && text[i] == '-';
    unsigned long value = 0;
    for (i += negative; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
        value = value * 10 + (text[i] - '0');
    return negative ? -long(value) : long(value);
}
inline long long stoll(const string& text) {
    return stol(text);
}
/// Through the decimal digits: right to the last place of a double for the short numbers that names and sizes hold.
__noinline__ inline double stod(const string& text) {
    size_t i = 0;
    while (i < text.size() && (text[i] == ' ' || text[i] == '+'))
        ++i;
    const bool negative = i < text.size() && text[i] == '-';
    double value = 0;
    long scale = 0;
    bool point = false;
    for (i += negative; i < text.size() && ((text[i] >= '0' && text[i] <= '9') || (text[i] == '.' && !point)); ++i) {
        if (text[i] == '.')
            point = true;
        else
            value = value * 10 + (text[i] - '0'), scale -= point;
    }
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) scale += stol(text.substr(i + 1));
    double power = 1;
    for (long n = scale < 0 ? -scale : scale; n > 0; --n)
        power *= 10;
    value = scale < 0 ? value / power : value * power;
    return negative ? -value : value;
}
inline float stof(const string& text) {
    return float(stod(text));
}
__noinline__ inline int stoi(const string& text) {
    size_t i = 0;
    while (i < text.size() && (text[i] == ' ' || text[i] == '+'))
        ++i;
    const bool negative = i < text.size() && text[i] == '-';
    int value = 0;
    for (i += negative; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
        value = value * 10 + (text[i] - '0');
    return negative ? -value : value;
}
} // namespace std

inline int tolower(int c) {
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}
inline int toupper(int c) {
    return c >= 'a' && c <= 'z' ? c - 32 : c;
}
inline int isdigit(int c) {
    return c >= '0' && c <= '9';
}
inline int isalpha(int c) {
    return toupper(c) >= 'A' && toupper(c) <= 'Z';
}
inline int isalnum(int c) {
    return isdigit(c) || isalpha(c);
}
inline int isupper(int c) {
    return c >= 'A' && c <= 'Z';
}
inline int islower(int c) {
    return c >= 'a' && c <= 'z';
}
inline int isspace(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}
inline size_t strlen(const char* text) {
    return kl::length(text);
}
inline int strncmp(const char* a, const char* b, size_t n) {
    for (size_t i = 0; i < n; ++i)
        if (a[i] != b[i] || a[i] == 0) return (unsigned char)a[i] - (unsigned char)b[i];
    return 0;
}
inline int memcmp(const void* a, const void* b, size_t n) {
    const unsigned char *p = static_cast<const unsigned char*>(a), *q = static_cast<const unsigned char*>(b);
    for (size_t i = 0; i < n; ++i)
        if (p[i] != q[i]) return p[i] - q[i];
    return 0;
}
inline const char* strstr(const char* text, const char* part) {
    const size_t at = std::string_view(text).find(std::string_view(part));
    return at == std::string_view::npos ? nullptr : text + at;
}
inline const char* strchr(const char* text, int c) {
    while (*text && *text != char(c))
        ++text;
    return *text == char(c) ? text : nullptr;
}
inline void* memmove(void* to, const void* from, size_t n) {
    char* t = static_cast<char*>(to);
    const char* f = static_cast<const char*>(from);
    if (t < f)
        for (size_t i = 0; i < n; ++i)
            t[i] = f[i];
    else
        for (size_t i = n; i-- > 0;)
            t[i] = f[i];
    return to;
}
inline int strcmp(const char* a, const char* b) {
    return std::string_view(a).compare(std::string_view(b));
}
namespace std {
using ::isalnum;
using ::isalpha;
using ::isdigit;
using ::islower;
using ::isspace;
using ::isupper;
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
using ::strchr;
using ::strcmp;
using ::strlen;
using ::strncmp;
using ::strstr;
using ::tolower;
using ::toupper;
} // namespace std
