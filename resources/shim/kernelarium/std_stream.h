// SPDX-License-Identifier: GPL-3.0-or-later
//
// <iostream>, <sstream>, <iomanip>, <ostream>.
#pragma once
#include "kernelarium/std_string.h"

namespace std {
using streamsize = long;
class ostream;
struct ios_base {
    enum fmtflags { kl_default = 0, kl_fixed = 1, kl_scientific = 2, kl_hex = 4, kl_boolalpha = 8 };
};
struct ios : ios_base {};

struct kl_setprecision { int value; };
struct kl_setw { int value; };
struct kl_setfill { char value; };
inline kl_setprecision setprecision(int value) { return {value}; }
inline kl_setw setw(int value) { return {value}; }
inline kl_setfill setfill(char value) { return {value}; }

class ostream : public ios {
public:
    /// Without a buffer the text goes to the run's output.
    constexpr explicit ostream(string* into = nullptr) : m_into(into) {}
    __noinline__ ostream& write(const char* text, streamsize size) {
        if (m_into) m_into->append(text, size);
        else kl_print(text, size);
        return *this;
    }
    __noinline__ ostream& put(string_view text) {
        for (long pad = m_width - (long)text.size(); pad > 0; --pad) write(&m_fill, 1);
        m_width = 0;
        return write(text.data(), text.size());
    }
    ostream& operator<<(const char* text) { return put(text); }
    ostream& operator<<(const string& text) { return put(text); }
    ostream& operator<<(string_view text) { return put(text); }
    ostream& operator<<(char c) { return put(string_view(&c, 1)); }
    ostream& operator<<(bool v) { return put(m_flags & kl_boolalpha ? (v ? "true" : "false") : (v ? "1" : "0")); }
    ostream& operator<<(int v) { return put(to_string(v)); }
    ostream& operator<<(short v) { return put(to_string(int(v))); }
    ostream& operator<<(unsigned short v) { return put(to_string(int(v))); }
    ostream& operator<<(unsigned v) { return put(to_string(v)); }
    ostream& operator<<(long v) { return put(to_string(v)); }
    ostream& operator<<(unsigned long v) { return put(to_string(v)); }
    ostream& operator<<(long long v) { return put(to_string(v)); }
    ostream& operator<<(unsigned long long v) { return put(to_string(v)); }
    ostream& operator<<(float v) { return *this << double(v); }
    __noinline__ ostream& operator<<(double v) {
        const char* format = m_flags & kl_fixed ? "%.*f" : m_flags & kl_scientific ? "%.*e" : "%.*g";
        return put(kl::formatDouble(format, m_precision, v));
    }
    ostream& operator<<(const void* p) { return put("0x") << (unsigned long)p; }
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
};
inline ostream& endl(ostream& o) { return o << '\n'; }
inline ostream& flush(ostream& o) { return o; }
inline ostream& fixed(ostream& o) {
    o.klFlag(ios_base::kl_fixed);
    return o;
}
inline ostream& scientific(ostream& o) {
    o.klFlag(ios_base::kl_scientific);
    return o;
}
inline ostream& boolalpha(ostream& o) {
    o.klFlag(ios_base::kl_boolalpha);
    return o;
}
inline ostream cout;
inline ostream cerr;
inline ostream clog;

class ostringstream : public ostream {
public:
    ostringstream() : ostream(nullptr) { m_into = &m_text; }
    string str() const { return m_text; }
    void str(const string& text) { m_text = text; }

private:
    string m_text;
};
using stringstream = ostringstream;
} // namespace std
