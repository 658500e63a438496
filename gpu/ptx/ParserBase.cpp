// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/ParserBase.h"

#include <bit>
#include <fmt/format.h>

namespace kernelarium::ptx {

namespace {
/// A variable larger than this is refused: the text of a hostile file could otherwise ask for any amount.
constexpr std::uint64_t largestVariable = 1ull << 33;
/// Initial values are held in full.
constexpr std::uint64_t largestInitialised = 1ull << 28;
constexpr std::uint64_t largestParameter = 1ull << 20;
constexpr std::int64_t largestAlignment = 1 << 20; // NVRTC passes on what a kernel asks for, as 16384 of shared memory
} // namespace

void ParserBase::fail(const std::string& expected) const {
    const Token& t = m_lexer.peek();
    const std::string found = t.kind == TokenKind::end ? "the end of the text" : fmt::format("\"{}\"", t.text);
    throw ParseFailure(fmt::format("PTX line {}: found {} where {} was expected.", t.line, found, expected));
}

void ParserBase::expect(char c) {
    if (!m_lexer.peek().is(c)) fail(fmt::format("\"{}\"", c));
    m_lexer.next();
}

bool ParserBase::accept(char c) {
    if (!m_lexer.peek().is(c)) return false;
    m_lexer.next();
    return true;
}

bool ParserBase::accept(std::string_view text) {
    if (!m_lexer.peek().is(text)) return false;
    m_lexer.next();
    return true;
}

std::string_view ParserBase::word(const char* what) {
    if (m_lexer.peek().kind != TokenKind::word) fail(what);
    return m_lexer.next().text;
}

std::int64_t ParserBase::integer(const char* what) {
    const bool negative = accept('-');
    if (m_lexer.peek().kind != TokenKind::number) fail(what);
    const auto literal = parseLiteral(m_lexer.peek().text);
    if (!literal || literal->isFloat32 || literal->isFloat64) fail(what);
    m_lexer.next();
    const std::uint64_t bits = literal->bits;
    return std::int64_t(negative ? 0 - bits : bits); // the least number has no positive twin
}

std::uint32_t ParserBase::alignment() {
    const std::int64_t value = integer("an alignment");
    if (value <= 0 || value > largestAlignment || (value & (value - 1)))
        fail("an alignment that is a power of two up to 1048576");
    return std::uint32_t(value);
}

void ParserBase::skipTo(char c) {
    while (!m_lexer.peek().is(c)) {
        if (m_lexer.peek().kind == TokenKind::end) fail(fmt::format("\"{}\"", c));
        m_lexer.next();
    }
    m_lexer.next();
}

std::vector<Variable> ParserBase::variables(Space space, bool isExtern) {
    Variable pattern;
    pattern.space = space;
    pattern.isExtern = isExtern;
    std::uint32_t lanes = 1;
    bool aligned = false;
    while (m_lexer.peek().kind == TokenKind::word && m_lexer.peek().text[0] == '.') {
        const std::string_view directive = m_lexer.next().text.substr(1);
        if (directive == "align") {
            pattern.alignment = alignment();
            aligned = true;
        } else if (directive == "v2" || directive == "v4") {
            lanes = directive == "v2" ? 2 : 4;
        } else if (directive == "attribute") {
            expect('(');
            skipTo(')');
        } else if (const auto type = parseType(directive)) {
            pattern.type = *type;
        } else {
            fail(fmt::format("a type (not .{})", directive));
        }
    }
    if (!aligned) pattern.alignment = std::max(1u, byteSize(pattern.type) * lanes);
    std::vector<Variable> all;
    do {
        Variable v = pattern;
        v.name = word("a variable name");
        v.bytes = std::uint64_t(byteSize(v.type)) * lanes;
        while (accept('[')) {
            if (accept(']')) {
                v.isUnsized = true;
                v.bytes = 0;
                continue;
            }
            const std::int64_t extent = integer("an array size");
            if (extent < 0 || (extent > 0 && v.bytes > largestVariable / std::uint64_t(extent)))
                fail("an array of at most 8 GiB");
            v.bytes *= std::uint64_t(extent);
            expect(']');
        }
        if (accept('=')) initialiser(v);
        all.push_back(std::move(v));
    } while (accept(','));
    expect(';');
    return all;
}

void ParserBase::initialiser(Variable& v) {
    if (v.bytes > largestInitialised) fail("an initialised variable of at most 256 MiB");
    v.initial.assign(v.bytes, 0);
    std::uint64_t position = 0;
    int depth = 0;
    do {
        if (accept('{'))
            ++depth;
        else if (accept('}'))
            --depth;
        else if (!accept(','))
            initialElement(v, position);
    } while (depth > 0);
}

void ParserBase::initialElement(Variable& v, std::uint64_t& position) {
    std::uint32_t bytes = byteSize(v.type);
    std::uint64_t bits = 0;
    const Token& t = m_lexer.peek();
    if (t.kind == TokenKind::word) {
        // An address: name, name+offset, generic(name)[+offset], or mask(name) for one byte of it.
        std::string_view symbol = word("a symbol");
        const bool wrapped = symbol == "generic" && accept('(');
        if (wrapped) {
            symbol = word("a symbol");
        }
        std::int64_t addend = 0;
        if (accept('+')) addend = integer("an offset");
        if (wrapped) expect(')');
        if (accept('+')) addend += integer("an offset");
        v.relocations.push_back({position, symbol, addend, bytes});
    } else {
        const bool negative = accept('-');
        const auto literal = parseLiteral(m_lexer.peek().text);
        if (m_lexer.peek().kind != TokenKind::number || !literal) fail("an initial value");
        std::string_view text = m_lexer.next().text;
        bits = literal->bits;
        if (text.substr(0, 2) == "0x" && m_lexer.peek().is('(')) {
            // 0xFF00(name): one byte of an address, selected by the mask.
            if (bits == 0) fail("a mask that selects a byte");
            expect('(');
            const std::string_view symbol = word("a symbol");
            std::int64_t addend = 0;
            if (accept('+')) addend = integer("an offset");
            expect(')');
            const std::int64_t shift = std::countr_zero(bits) / 8;
            v.relocations.push_back({position, symbol, addend, std::uint32_t(0x100 + shift)});
            bits = 0;
            bytes = 1;
        } else if (literal->isFloat64 && v.type == Type::f32) {
            bits = std::bit_cast<std::uint32_t>(float(std::bit_cast<double>(bits)));
            if (negative) bits ^= 0x80000000u;
        } else if (negative) {
            bits = literal->isFloat64 ? bits ^ (1ull << 63) : literal->isFloat32 ? bits ^ 0x80000000u : 0 - bits;
        }
    }
    if (position + bytes > v.bytes) fail("no more initial values than the variable holds");
    for (std::uint32_t i = 0; i < bytes && i < 8; ++i)
        v.initial[position + i] = std::uint8_t(bits >> (8 * i));
    position += bytes;
}

Variable ParserBase::parameter() {
    Variable v;
    v.space = Space::param;
    bool aligned = false;
    if (!accept(".param") && !accept(".reg")) fail("\".param\"");
    while (m_lexer.peek().kind == TokenKind::word && m_lexer.peek().text[0] == '.') {
        const std::string_view directive = m_lexer.next().text.substr(1);
        if (directive == "align") {
            // In ".ptr .align 4" it is the alignment of what is pointed at.
            const std::uint32_t n = alignment();
            if (v.type == Type::b8 && v.bytes == 0) {
                v.alignment = n;
                aligned = true;
            }
        } else if (const auto type = parseType(directive)) {
            v.type = *type;
            v.bytes = byteSize(*type);
        } else if (directive != "ptr" && !parseSpace(directive)) {
            fail(fmt::format("a parameter type (not .{})", directive));
        }
    }
    if (!aligned) v.alignment = std::max(1u, byteSize(v.type));
    v.name = word("a parameter name");
    while (accept('[')) {
        if (accept(']')) {
            v.isUnsized = true;
            continue;
        }
        const std::int64_t extent = integer("an array size");
        if (extent < 0 || (extent > 0 && v.bytes > largestParameter / std::uint64_t(extent)))
            fail("a parameter of at most 1 MiB");
        v.bytes *= std::uint64_t(extent);
        expect(']');
    }
    return v;
}

int ParserBase::location() {
    Location l;
    l.file = int(integer("a file number"));
    l.line = int(integer("a line"));
    l.column = int(integer("a column"));
    const auto key = [](int file, int line, int column) {
        return (std::uint64_t(file) << 48) ^ (std::uint64_t(line) << 16) ^ std::uint64_t(column & 0xffff);
    };
    while (accept(',')) {
        const std::string_view attribute = word("function_name or inlined_at");
        if (attribute == "inlined_at") {
            Location caller;
            caller.file = int(integer("a file number"));
            caller.line = int(integer("a line"));
            caller.column = int(integer("a column"));
            // The call site may itself be inlined code: its latest location knows.
            const auto seen = m_seen.find(key(caller.file, caller.line, caller.column));
            if (seen != m_seen.end()) {
                l.inlinedAt = seen->second;
            } else {
                l.inlinedAt = int(m_module.locations.size());
                m_module.locations.push_back(caller);
            }
        } else {
            word("a label");
            if (accept('+')) integer("an offset");
        }
    }
    const int index = int(m_module.locations.size());
    m_module.locations.push_back(l);
    m_seen[key(l.file, l.line, l.column)] = index;
    return index;
}

} // namespace kernelarium::ptx
