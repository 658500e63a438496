// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/FunctionParser.h"

#include <charconv>
#include <fmt/format.h>

namespace kernelarium::ptx {

namespace {
constexpr std::int64_t mostRegisters = 1 << 20;
constexpr std::size_t deepestScope = 256;
/// Calls hold lists of operands; a list of vectors is the deepest form there is.
constexpr int deepestOperand = 4;
} // namespace

std::vector<Variable> FunctionParser::parameterList() {
    std::vector<Variable> list;
    expect('(');
    if (accept(')')) return list;
    do
        list.push_back(parameter());
    while (accept(','));
    expect(')');
    return list;
}

Function FunctionParser::function(bool isKernel) {
    Function f;
    f.isKernel = isKernel;
    f.textLine = m_lexer.peek().line;
    if (!isKernel && m_lexer.peek().is('(')) f.results = parameterList();
    f.name = word("a function name");
    if (m_lexer.peek().is('(')) f.parameters = parameterList();
    directives(f);
    if (accept(';')) return f;
    f.isDefined = true;
    m_location = -1;
    body(f);
    return f;
}

void FunctionParser::directives(Function& f) {
    while (m_lexer.peek().kind == TokenKind::word && m_lexer.peek().text[0] == '.') {
        const std::string_view name = m_lexer.next().text;
        if (name == ".maxntid" || name == ".reqntid") {
            for (int i = 0; i < 3; ++i) {
                f.maxThreads[i] = std::uint32_t(integer("a thread count"));
                if (!accept(',')) break;
            }
        } else if (name == ".reqnctapercluster") {
            std::fill_n(f.clusterShape, 3, 1u);
            for (std::uint32_t& blocks : f.clusterShape) {
                const std::int64_t count = integer("a block count");
                if (count < 1 || count > 1024) fail("a block count of 1 to 1024");
                blocks = std::uint32_t(count);
                if (!accept(',')) break;
            }
        } else if (name == ".pragma") {
            skipTo(';');
        } else if (m_lexer.peek().kind == TokenKind::number) {
            // .maxnreg 64, .minnctapersm 2, ...: what ptxas is told.
            std::int64_t number = 0;
            do
                number = integer("a number");
            while (accept(','));
            if (name == ".maxnreg" && number > 0 && number <= 256) f.mostRegisters = std::uint32_t(number);
            if (name == ".minnctapersm" && number > 0 && number <= 64) f.leastBlocks = std::uint32_t(number);
        }
    }
}

void FunctionParser::body(Function& f) {
    expect('{');
    m_scopes.assign(1, {});
    while (true) {
        if (accept('{')) {
            if (m_scopes.size() > deepestScope) fail("fewer nested blocks");
            m_scopes.emplace_back();
            m_scopes.back().firstLine = m_lexer.peek().line;
        } else if (m_lexer.peek().is('}')) {
            closeScope(f);
            expect('}');
            if (m_scopes.empty()) return;
        } else {
            statement(f);
        }
    }
}

void FunctionParser::closeScope(Function& f) {
    for (const std::size_t k : m_scopes.back().labels) {
        f.labels[k].firstLine = m_scopes.back().firstLine;
        f.labels[k].lastLine = m_lexer.peek().line;
    }
    m_scopes.pop_back();
}

void FunctionParser::statement(Function& f) {
    if (accept(';')) return;
    m_predicate = -1;
    m_predicateNegated = false;
    if (accept('@')) {
        m_predicateNegated = accept('!');
        const std::string_view name = word("a predicate register");
        m_predicate = findRegister(name);
        if (m_predicate < 0) fail(fmt::format("a declared predicate register (not {})", name));
        instruction(f, word("an instruction"));
        return;
    }
    if (m_lexer.peek().kind != TokenKind::word) fail("an instruction");
    if (m_lexer.peek().text[0] == '.') return directive(f);
    const std::string_view name = m_lexer.next().text;
    if (accept(':')) return labelled(f, name);
    instruction(f, name);
}

void FunctionParser::directive(Function& f) {
    const std::string_view name = m_lexer.next().text;
    if (name == ".reg") return registers(f);
    if (name == ".loc") {
        m_location = location();
        if (f.location < 0) f.location = m_location;
        return;
    }
    if (name == ".pragma") return skipTo(';');
    const auto space = parseSpace(name.substr(1));
    if (!space) fail(fmt::format("an instruction or declaration (not {})", name));
    for (Variable& v : variables(*space, false)) {
        m_scopes.back().variables[v.name] = int(f.variables.size());
        f.variables.push_back(std::move(v));
    }
}

void FunctionParser::registers(Function& f) {
    Type type = Type::b32;
    while (m_lexer.peek().kind == TokenKind::word && m_lexer.peek().text[0] == '.') {
        const std::string_view text = m_lexer.next().text.substr(1);
        const auto parsed = parseType(text);
        if (!parsed) fail(fmt::format("a register type (not .{})", text));
        type = *parsed;
    }
    do {
        const std::string_view name = word("a register name");
        std::int64_t count = 0;
        if (accept('<')) {
            count = integer("a register count");
            expect('>');
        }
        if (count < 0 || count > mostRegisters - std::int64_t(f.registers.size()))
            fail("fewer than a million registers");
        m_scopes.back().registers[name] = {int(f.registers.size()), int(count)};
        for (std::int64_t i = 0; i < std::max<std::int64_t>(count, 1); ++i)
            f.registers.push_back({name, type});
    } while (accept(','));
    expect(';');
}

void FunctionParser::labelled(Function& f, std::string_view name) {
    if (accept(".branchtargets")) {
        BranchTable table{name, {}};
        do
            table.targets.push_back(word("a label"));
        while (accept(','));
        expect(';');
        f.branchTables.push_back(std::move(table));
    } else if (accept(".callprototype")) {
        Prototype prototype{name, {}, {}};
        if (m_lexer.peek().is('(')) prototype.results = parameterList();
        word("\"_\"");
        if (m_lexer.peek().is('(')) prototype.parameters = parameterList();
        skipTo(';');
        f.prototypes.push_back(std::move(prototype));
    } else {
        m_scopes.back().labels.push_back(f.labels.size());
        f.labels.push_back({name, std::uint32_t(f.instructions.size())});
    }
}

void FunctionParser::instruction(Function& f, std::string_view text) {
    Instruction i;
    i.predicate = m_predicate;
    i.predicateNegated = m_predicateNegated;
    i.location = m_location;
    i.textLine = m_lexer.peek().line;
    std::size_t dot = text.find('.');
    i.opcode = text.substr(0, dot);
    while (dot != std::string_view::npos) {
        const std::size_t start = dot + 1;
        dot = text.find('.', start);
        i.modifiers.push_back(text.substr(start, dot == std::string_view::npos ? dot : dot - start));
    }
    if (!accept(';')) {
        do
            i.operands.push_back(operand());
        while (accept(','));
        expect(';');
    }
    f.instructions.push_back(std::move(i));
}

Operand FunctionParser::group(OperandKind kind, char close) {
    Operand o;
    o.kind = kind;
    if (accept(close)) return o;
    if (++m_operandDepth > deepestOperand) fail("fewer nested operands");
    do
        o.items.push_back(operand());
    while (accept(','));
    --m_operandDepth;
    expect(close);
    return o;
}

Operand FunctionParser::operand() {
    Operand o;
    if (accept('{')) return group(OperandKind::vector, '}');
    if (accept('(')) return group(OperandKind::list, ')');
    if (accept('[')) return addressOperand();
    if (accept('!')) {
        o = wordOperand();
        o.negated = true;
        return o;
    }
    const bool negative = accept('-');
    if (m_lexer.peek().kind == TokenKind::number) {
        const auto literal = parseLiteral(m_lexer.peek().text);
        if (!literal) fail("a number");
        m_lexer.next();
        o.kind = literal->isFloat32   ? OperandKind::float32
                 : literal->isFloat64 ? OperandKind::float64
                                      : OperandKind::integer;
        o.bits = literal->bits;
        if (negative)
            o.bits = literal->isFloat32   ? o.bits ^ 0x80000000u
                     : literal->isFloat64 ? o.bits ^ (1ull << 63)
                                          : 0 - o.bits;
        return o;
    }
    if (negative) fail("a number");
    o = wordOperand();
    if (accept('|')) {
        Operand pair;
        pair.kind = OperandKind::pair;
        pair.items.push_back(std::move(o));
        pair.items.push_back(wordOperand());
        return pair;
    }
    return o;
}

Operand FunctionParser::wordOperand() {
    Operand o;
    const std::string_view name = word("an operand");
    if (name == "_") {
        o.kind = OperandKind::wildcard;
        return o;
    }
    o.name = name;
    o.reg = findRegister(name);
    if (o.reg >= 0) {
        o.kind = OperandKind::reg;
    } else if (name[0] == '%') {
        o.kind = OperandKind::special;
    } else {
        o.kind = OperandKind::symbol;
        o.variable = findVariable(name);
    }
    if (accept('+'))
        o.offset = integer("an offset");
    else if (m_lexer.peek().is('-'))
        o.offset = integer("an offset");
    return o;
}

Operand FunctionParser::addressOperand() {
    Operand o;
    if (m_lexer.peek().kind == TokenKind::number || m_lexer.peek().is('-'))
        o.offset = integer("an address");
    else
        o = wordOperand();
    o.kind = OperandKind::address;
    // Coordinates of a texture or of a tensor map, which whoever decodes the instruction refuses.
    while (accept(','))
        o.items.push_back(m_lexer.peek().is('{') ? operand() : wordOperand());
    expect(']');
    return o;
}

int FunctionParser::findRegister(std::string_view name) const {
    std::size_t stem = name.size();
    while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9')
        --stem;
    int number = 0;
    std::from_chars(name.data() + stem, name.data() + name.size(), number);
    for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope) {
        const auto exact = scope->registers.find(name);
        if (exact != scope->registers.end() && exact->second.count == 0) return exact->second.first;
        if (stem == name.size()) continue;
        const auto range = scope->registers.find(name.substr(0, stem));
        if (range != scope->registers.end() && number < range->second.count) return range->second.first + number;
    }
    return -1;
}

int FunctionParser::findVariable(std::string_view name) const {
    for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope) {
        const auto found = scope->variables.find(name);
        if (found != scope->variables.end()) return found->second;
    }
    return -1;
}

} // namespace kernelarium::ptx
