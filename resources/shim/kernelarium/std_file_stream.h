// SPDX-License-Identifier: GPL-3.0-or-later
//
// <fstream>: no file can be opened.
#pragma once
#include "kernelarium/libc_numbers.h"
#include "kernelarium/std_stream.h"

namespace std {
class ofstream : public ostream {
public:
    ofstream() { close(); }
    template <class S>
    explicit ofstream(const S&, int = 0)
        : ofstream() {
        errno = EACCES;
    }
    template <class S> void open(const S&, int = 0) { errno = EACCES; }
    bool is_open() const { return false; }
    void close() {
        m_into = &m_lost;
        m_good = false;
    }

private:
    string m_lost;
};
class ifstream : public istream {
public:
    ifstream() = default;
    template <class S> explicit ifstream(const S& name, int = 0) { open(name); }
    template <class S> void open(const S&, int = 0) {
        m_state = failbit;
        errno = ENOENT;
    }
    bool is_open() const { return false; }
    void close() {}
};
class fstream : public ofstream {
public:
    fstream() = default;
    template <class S> explicit fstream(const S& name, int = 0) { open(name); }
    template <class S> void open(const S&, int = 0) { errno = ENOENT; }
    template <class T> fstream& operator>>(T&) { return *this; }
    fstream& read(char*, streamsize) { return *this; }
    fstream& seekg(long, int = 0) { return *this; }
    long tellg() const { return -1; }
    enum : int { in = 1, out = 2, app = 4, ate = 8, trunc = 16, binary = 32 };
};
inline fstream& getline(fstream& in, string& line, char = '\n') {
    return line.clear(), in;
}
} // namespace std
