// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/run/Format.h"

#include "gpu/emulator/run/PrintfSpec.h"

#include <cstdio>

namespace kernelarium::host {

namespace {

class Arguments {
public:
    explicit Arguments(const std::function<void(std::uint64_t, std::span<std::byte>)>& fetch)
        : m_fetch(fetch) {}

    template <class T> T next() {
        m_offset = (m_offset + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        T value{};
        m_fetch(m_offset, std::as_writable_bytes(std::span(&value, 1)));
        m_offset += sizeof(T);
        return value;
    }

private:
    const std::function<void(std::uint64_t, std::span<std::byte>)>& m_fetch;
    std::uint64_t m_offset = 0;
};

template <class T> std::string print(const std::string& spec, T value) {
    const int size = std::snprintf(nullptr, 0, spec.c_str(), value);
    if (size <= 0) return {};
    std::string out(std::size_t(size) + 1, '\0');
    std::snprintf(out.data(), out.size(), spec.c_str(), value);
    out.pop_back();
    return out;
}

/// One conversion: "%-8.3" and what follows it.
struct Conversion {
    std::string flags; ///< from '%' to before the length modifier, '*' already replaced
    std::string length;
    char letter = 0;
    std::size_t end = 0; ///< one past it in the format
};

Conversion parse(std::string_view format, std::size_t at, Arguments& arguments) {
    Conversion c;
    c.flags = "%";
    for (++at; at < format.size(); ++at) {
        const char ch = format[at];
        if (ch == '*') {
            c.flags += std::to_string(arguments.next<int>());
        } else if (std::string_view("-+ #0.123456789").find(ch) != std::string_view::npos) {
            if (c.flags.size() < 32) c.flags += ch;
        } else if (std::string_view("hljztL").find(ch) != std::string_view::npos) {
            c.length += ch;
        } else {
            break;
        }
    }
    c.letter = at < format.size() ? format[at] : 0;
    c.end = at < format.size() ? at + 1 : at;
    return c;
}

std::string convert(const Conversion& c, Arguments& arguments, const std::function<std::string(std::uint64_t)>& text) {
    const std::string flags = emulator::boundedSpec(c.flags);
    const bool wide = c.length.find_first_of("ljzt") != std::string::npos;
    switch (c.letter) {
    case '%': return "%";
    case 'd':
    case 'i': return print(flags + "lld", wide ? arguments.next<long long>() : (long long)arguments.next<int>());
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        return print(flags + "ll" + c.letter,
                     wide ? arguments.next<unsigned long long>() : (unsigned long long)arguments.next<unsigned>());
    case 'c': return print(flags + "c", arguments.next<int>());
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': return print(flags + c.letter, arguments.next<double>());
    case 'p': return print("%s", ("0x" + print("%llx", arguments.next<unsigned long long>())).c_str());
    case 's': return print(flags + "s", text(arguments.next<std::uint64_t>()).c_str());
    default: return c.flags + c.length + (c.letter ? std::string(1, c.letter) : std::string());
    }
}

} // namespace

std::string formatPrintf(std::string_view format, const std::function<void(std::uint64_t, std::span<std::byte>)>& fetch,
                         const std::function<std::string(std::uint64_t)>& text) {
    Arguments arguments(fetch);
    std::string out;
    for (std::size_t at = 0; at < format.size() && out.size() < emulator::longestPrintf;) {
        if (format[at] != '%') {
            out += format[at++];
            continue;
        }
        const Conversion conversion = parse(format, at, arguments);
        out += convert(conversion, arguments, text);
        at = conversion.end;
    }
    return out;
}

} // namespace kernelarium::host
