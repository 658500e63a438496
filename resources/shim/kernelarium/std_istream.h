// SPDX-License-Identifier: GPL-3.0-or-later
//
// <istream>, and <sstream>'s readers. Standard input is at its end.
#pragma once
#include "kernelarium/std_stream.h"

namespace std {
class istream : public ios {
public:
    /// Without a text there is nothing to read.
    constexpr explicit istream(const string* from = nullptr)
        : m_from(from) {}
    explicit operator bool() const { return !(m_state & (failbit | badbit)); }
    bool operator!() const { return (m_state & (failbit | badbit)) != 0; }
    bool good() const { return m_state == 0; }
    bool fail() const { return !*this; }
    bool bad() const { return (m_state & badbit) != 0; }
    bool eof() const { return (m_state & eofbit) != 0; }
    int rdstate() const { return m_state; }
    void clear(int state = 0) { m_state = state; }
    void setstate(int state) { m_state |= state; }
    int peek() { return m_from && m_at < m_from->size() ? (unsigned char)(*m_from)[m_at] : (m_state |= eofbit, -1); }
    int get() {
        const int c = peek();
        if (c < 0)
            m_state |= failbit;
        else
            ++m_at;
        m_read = c >= 0;
        return c;
    }
    istream& get(char& c) {
        const int next = get();
        if (next >= 0) c = char(next);
        return *this;
    }
    istream& unget() {
        if (m_at > 0) --m_at;
        return *this;
    }
    istream& putback(char) { return unget(); }
    istream& ignore(streamsize count = 1, int end = -1) {
        for (; count > 0; --count) {
            const int c = peek();
            if (c < 0) break;
            ++m_at;
            if (c == end) break;
        }
        return *this;
    }
    istream& read(char* to, streamsize count) {
        m_read = 0;
        while (m_read < count && peek() >= 0)
            to[m_read++] = (*m_from)[m_at++];
        if (m_read < count) m_state |= failbit;
        return *this;
    }
    istream& getline(char* to, streamsize count, char end = '\n') {
        streamsize n = 0;
        if (peek() < 0) m_state |= failbit;
        while (peek() >= 0 && n + 1 < count) {
            const char c = (*m_from)[m_at++];
            if (c == end) break;
            to[n++] = c;
        }
        if (count > 0) to[n] = 0;
        return *this;
    }
    streamsize gcount() const { return m_read; }
    long tellg() const { return fail() ? -1 : long(m_at); }
    istream& seekg(long at, int from = 0) {
        m_state &= ~eofbit;
        m_at = size_t(from == 0 ? at : from == 1 ? long(m_at) + at : long(m_from ? m_from->size() : 0) + at);
        return *this;
    }
    /// The next characters that are no spaces; fails where there are none.
    __noinline__ string word() {
        skipSpaces();
        string text;
        for (int c = peek(); c >= 0 && !isSpace(c); c = peek())
            text += char(c), ++m_at;
        if (text.empty()) m_state |= failbit;
        return text;
    }
    istream& operator>>(string& text) {
        string next = word();
        if (!next.empty()) text = next;
        return *this;
    }
    istream& operator>>(char* text) {
        const string next = word();
        memcpy(text, next.c_str(), next.size() + 1);
        return *this;
    }
    istream& operator>>(char& c) {
        skipSpaces();
        return get(c);
    }
    istream& operator>>(bool& v) {
        int number = 0;
        *this >> number;
        v = number != 0;
        return *this;
    }
    template <class T, class = enable_if_t<is_arithmetic<T>::value>> istream& operator>>(T& value) {
        const string text = numberText(is_floating_point<T>::value);
        if (text.empty()) {
            m_state |= failbit;
            value = T(0);
        } else if constexpr (is_floating_point<T>::value) {
            value = T(stod(text));
        } else {
            value = T(stol(text));
        }
        return *this;
    }
    istream& operator>>(istream& (*manipulator)(istream&)) { return manipulator(*this); }
    void skipSpaces() {
        while (peek() >= 0 && isSpace(peek()))
            ++m_at;
    }

protected:
    static bool isSpace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
    __noinline__ string numberText(bool floating) {
        skipSpaces();
        string text;
        if (peek() == '-' || peek() == '+') text += char(get());
        const auto digits = [&] {
            while (peek() >= '0' && peek() <= '9')
                text += char(get());
        };
        digits();
        if (floating && peek() == '.') {
            text += char(get());
            digits();
        }
        if (floating && !text.empty() && (peek() == 'e' || peek() == 'E')) {
            text += char(get());
            if (peek() == '-' || peek() == '+') text += char(get());
            digits();
        }
        bool any = false;
        for (char c : text)
            any = any || (c >= '0' && c <= '9');
        return any ? text : string();
    }
    const string* m_from;
    size_t m_at = 0;
    streamsize m_read = 0;
    int m_state = 0;
};
inline istream& ws(istream& in) {
    return in.skipSpaces(), in;
}
inline istream& getline(istream& in, string& line, char end = '\n') {
    line.clear();
    if (in.peek() < 0) {
        in.setstate(ios_base::failbit);
        return in;
    }
    for (int c = in.peek(); c >= 0; c = in.peek()) {
        in.get();
        if (c == end) break;
        line += char(c);
    }
    return in;
}
inline istream cin;

class istringstream : public istream {
public:
    istringstream() { m_from = &m_text; }
    explicit istringstream(const string& text, int = 0)
        : m_text(text) {
        m_from = &m_text;
    }
    istringstream(const istringstream& other)
        : istream(other)
        , m_text(other.m_text) {
        m_from = &m_text;
    }
    string str() const { return m_text; }
    void str(const string& text) {
        m_text = text;
        m_at = 0;
    }

private:
    string m_text;
};
class stringstream : public ostringstream {
public:
    stringstream()
        : ostringstream() {}
    explicit stringstream(const string& text, int = 0)
        : ostringstream(text) {}
    stringstream(const stringstream& other)
        : ostringstream(other)
        , m_reader(other.m_reader) {}
    using ostringstream::str;
    void str(const string& text) {
        m_text = text;
        m_reader = istream();
    }
    void clear(int state = 0) { m_reader.clear(state); }
    explicit operator bool() const { return bool(m_reader); }
    bool operator!() const { return !m_reader; }
    bool fail() const { return m_reader.fail(); }
    bool good() const { return m_reader.good(); }
    bool eof() const { return m_reader.eof(); }
    int peek() { return reader().peek(); }
    int get() { return reader().get(); }
    stringstream& ignore(streamsize count = 1, int end = -1) { return reader().ignore(count, end), *this; }
    template <class T> stringstream& operator>>(T& value) {
        reader() >> value;
        return *this;
    }
    operator istream&() { return reader(); }
    istream& klReader() { return reader(); }

private:
    /// Reads what has been written so far.
    istream& reader() {
        class Reader : public istream {
        public:
            void from(const string* text) { m_from = text; }
        };
        static_cast<Reader&>(m_reader).from(&m_text);
        return m_reader;
    }
    istream m_reader;
};
inline stringstream& getline(stringstream& in, string& line, char end = '\n') {
    getline(in.klReader(), line, end);
    return in;
}
} // namespace std
