// SPDX-License-Identifier: GPL-3.0-or-later
//
// <iostream>, <sstream>, <iomanip>, <ostream>.
#pragma once
#include "kernelarium/std_string.h"

namespace std {
using streamsize = long;
class ostream;
struct ios_base {
    using fmtflags = int;
    using openmode = int;
    using iostate = int;
    using seekdir = int;
    enum : int {
        kl_default = 0,
        kl_fixed = 1,
        kl_scientific = 2,
        kl_hex = 4,
        kl_boolalpha = 8,
        kl_oct = 16,
        kl_left = 32,
        kl_showpos = 64,
        kl_showbase = 128,
        kl_uppercase = 256,
        kl_internal = 512,
        kl_showpoint = 1024,
    };
    enum : int {
        fixed = kl_fixed,
        scientific = kl_scientific,
        floatfield = kl_fixed | kl_scientific,
        hex = kl_hex,
        oct = kl_oct,
        dec = 0,
        basefield = kl_hex | kl_oct,
        left = kl_left,
        right = 0,
        internal = kl_internal,
        adjustfield = kl_left | kl_internal,
        boolalpha = kl_boolalpha,
        showpos = kl_showpos,
        showbase = kl_showbase,
        uppercase = kl_uppercase,
        showpoint = kl_showpoint,
    };
    enum : int { in = 1, out = 2, app = 4, ate = 8, trunc = 16, binary = 32 };
    enum : int { goodbit = 0, eofbit = 1, failbit = 2, badbit = 4 };
    enum : int { beg = 0, cur = 1, end = 2 };
    static bool sync_with_stdio(bool = true) { return true; }
};
struct ios : ios_base {};

struct kl_setprecision {
    int value;
};
struct kl_setw {
    int value;
};
struct kl_setfill {
    char value;
};
inline kl_setprecision setprecision(int value) {
    return {value};
}
inline kl_setw setw(int value) {
    return {value};
}
inline kl_setfill setfill(char value) {
    return {value};
}

class ostream : public ios {
public:
    /// Without a buffer the text goes to the run's output.
    constexpr explicit ostream(string* into = nullptr)
        : m_into(into) {}
    __noinline__ ostream& write(const char* text, streamsize size) {
        if (m_into)
            m_into->append(text, size);
        else
            kl_print(text, size);
        return *this;
    }
    __noinline__ ostream& put(string_view text) {
        const long pad = m_width - (long)text.size();
        m_width = 0;
        if (m_flags & kl_left) write(text.data(), text.size());
        for (long i = 0; i < pad; ++i)
            write(&m_fill, 1);
        return m_flags & kl_left ? *this : write(text.data(), text.size());
    }
    ostream& put(char c) { return write(&c, 1); }
    __noinline__ ostream& putInteger(unsigned long long value, bool negative) {
        if (!(m_flags & (kl_hex | kl_oct)) && !(m_flags & kl_showpos)) return put(kl::decimal(value, negative));
        const unsigned base = m_flags & kl_hex ? 16 : m_flags & kl_oct ? 8 : 10;
        if (negative && base != 10) value = 0 - value, negative = false;
        char digits[32];
        int at = 32;
        do {
            const unsigned digit = unsigned(value % base);
            digits[--at] = char(digit < 10 ? '0' + digit : (m_flags & kl_uppercase ? 'A' : 'a') + digit - 10);
            value /= base;
        } while (value);
        if ((m_flags & kl_showbase) && base == 16) digits[--at] = m_flags & kl_uppercase ? 'X' : 'x';
        if ((m_flags & kl_showbase) && base != 10) digits[--at] = '0';
        if (negative)
            digits[--at] = '-';
        else if ((m_flags & kl_showpos) && base == 10)
            digits[--at] = '+';
        return put(string_view(digits + at, 32 - at));
    }
    template <class T> ostream& putNumber(T v) {
        if constexpr (is_signed<T>::value) {
            if (v < 0 && (m_flags & (kl_hex | kl_oct))) return putInteger(static_cast<make_unsigned_t<T>>(v), false);
            return putInteger(v < 0 ? 0ull - (unsigned long long)v : (unsigned long long)v, v < 0);
        } else {
            return putInteger(v, false);
        }
    }
    ostream& operator<<(const char* text) { return put(text); }
    ostream& operator<<(const string& text) { return put(text); }
    ostream& operator<<(string_view text) { return put(text); }
    ostream& operator<<(char c) { return put(string_view(&c, 1)); }
    ostream& operator<<(bool v) { return put(m_flags & kl_boolalpha ? (v ? "true" : "false") : (v ? "1" : "0")); }
    ostream& operator<<(signed char c) { return *this << char(c); }
    ostream& operator<<(unsigned char c) { return *this << char(c); }
    ostream& operator<<(int v) { return putNumber(v); }
    ostream& operator<<(short v) { return putNumber(v); }
    ostream& operator<<(unsigned short v) { return putNumber(v); }
    ostream& operator<<(unsigned v) { return putNumber(v); }
    ostream& operator<<(long v) { return putNumber(v); }
    ostream& operator<<(unsigned long v) { return putNumber(v); }
    ostream& operator<<(long long v) { return putNumber(v); }
    ostream& operator<<(unsigned long long v) { return putNumber(v); }
    ostream& operator<<(float v) { return *this << double(v); }
    __noinline__ ostream& operator<<(double v) {
        const char* format = m_flags & kl_fixed ? "%.*f" : m_flags & kl_scientific ? "%.*e" : "%.*g";
        string text = kl::formatDouble(m_flags & kl_showpoint && !(m_flags & 3) ? "%#.*g" : format, m_precision, v);
        if ((m_flags & kl_showpos) && !(v < 0)) text = "+" + text;
        return put(text);
    }
    ostream& operator<<(const void* p) {
        const int flags = m_flags;
        m_flags = (m_flags & ~kl_oct) | kl_hex | kl_showbase;
        putNumber((unsigned long)p);
        m_flags = flags;
        return *this;
    }
    ostream& operator<<(nullptr_t) { return put("nullptr"); }
    ostream& operator<<(kl_setprecision p) {
        m_precision = p.value;
        return *this;
    }
    ostream& operator<<(kl_setw w) {
        m_width = w.value;
        return *this;
    }
    ostream& operator<<(kl_setfill f) {
        m_fill = f.value;
        return *this;
    }
    ostream& operator<<(ostream& (*manipulator)(ostream&)) { return manipulator(*this); }
    ostream& flush() { return *this; }
    explicit operator bool() const { return m_good; }
    bool operator!() const { return !m_good; }
    bool good() const { return m_good; }
    bool fail() const { return !m_good; }
    bool bad() const { return false; }
    bool eof() const { return false; }
    void clear(int = 0) {}
    void setstate(int state) { m_good &= !(state & (failbit | badbit)); }
    int flags() const { return m_flags; }
    int flags(int flags) { return std::exchange(m_flags, flags); }
    int setf(int flags) { return std::exchange(m_flags, m_flags | flags); }
    int setf(int flags, int mask) { return std::exchange(m_flags, (m_flags & ~mask) | (flags & mask)); }
    void unsetf(int flags) { m_flags &= ~flags; }
    long width() const { return m_width; }
    long width(long width) { return std::exchange(m_width, width); }
    char fill() const { return m_fill; }
    char fill(char fill) { return std::exchange(m_fill, fill); }
    long precision() const { return m_precision; }
    long precision(long p) {
        const long old = m_precision;
        m_precision = int(p);
        return old;
    }
    void klFlag(int flag) { m_flags = (m_flags & ~3) | flag; }

protected:
    string* m_into;
    int m_precision = 6;
    int m_flags = 0;
    long m_width = 0;
    char m_fill = ' ';
    bool m_good = true;
};
/// For those who write std::operator<<(stream, text); the member is the better match otherwise.
template <class = void> ostream& operator<<(ostream& o, const char* text) {
    return o.put(text);
}
inline ostream& endl(ostream& o) {
    return o << '\n';
}
inline ostream& flush(ostream& o) {
    return o;
}
inline ostream& fixed(ostream& o) {
    o.klFlag(ios_base::kl_fixed);
    return o;
}
inline ostream& scientific(ostream& o) {
    o.klFlag(ios_base::kl_scientific);
    return o;
}
#define KL_MANIPULATOR(name, on, off)                                                                                  \
    inline ostream& name(ostream& o) {                                                                                 \
        o.unsetf(off);                                                                                                 \
        o.setf(on);                                                                                                    \
        return o;                                                                                                      \
    }
KL_MANIPULATOR(boolalpha, ios_base::kl_boolalpha, 0)
KL_MANIPULATOR(noboolalpha, 0, ios_base::kl_boolalpha)
KL_MANIPULATOR(defaultfloat, 0, ios_base::floatfield)
KL_MANIPULATOR(hex, ios_base::kl_hex, ios_base::basefield)
KL_MANIPULATOR(oct, ios_base::kl_oct, ios_base::basefield)
KL_MANIPULATOR(dec, 0, ios_base::basefield)
KL_MANIPULATOR(left, ios_base::kl_left, ios_base::adjustfield)
KL_MANIPULATOR(right, 0, ios_base::adjustfield)
KL_MANIPULATOR(internal, ios_base::kl_internal, ios_base::adjustfield)
KL_MANIPULATOR(showpos, ios_base::kl_showpos, 0)
KL_MANIPULATOR(noshowpos, 0, ios_base::kl_showpos)
KL_MANIPULATOR(showbase, ios_base::kl_showbase, 0)
KL_MANIPULATOR(noshowbase, 0, ios_base::kl_showbase)
KL_MANIPULATOR(showpoint, ios_base::kl_showpoint, 0)
KL_MANIPULATOR(noshowpoint, 0, ios_base::kl_showpoint)
KL_MANIPULATOR(uppercase, ios_base::kl_uppercase, 0)
KL_MANIPULATOR(nouppercase, 0, ios_base::kl_uppercase)
KL_MANIPULATOR(unitbuf, 0, 0)
#undef KL_MANIPULATOR
inline ostream cout;
inline ostream cerr;
inline ostream clog;

class ostringstream : public ostream {
public:
    ostringstream()
        : ostream(nullptr) {
        m_into = &m_text;
    }
    ostringstream(const ostringstream& other)
        : ostream(other)
        , m_text(other.m_text) {
        m_into = &m_text;
    }
    explicit ostringstream(const string& text, int = 0)
        : ostringstream() {
        m_text = text;
    }
    explicit ostringstream(int)
        : ostringstream() {}
    string str() const { return m_text; }
    void str(const string& text) { m_text = text; }

protected:
    string m_text;
};
} // namespace std
#include "kernelarium/std_istream.h"
