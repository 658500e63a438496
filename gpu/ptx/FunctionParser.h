// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/ParserBase.h"

namespace kernelarium::ptx {

/// Reads `.entry` and `.func`: signature, directives and body.
class FunctionParser : ParserBase {
public:
    FunctionParser(Lexer& lexer, Module& module)
        : ParserBase(lexer, module) {}
    /// After the word `.entry` or `.func`.
    Function function(bool isKernel);

private:
    struct Range {
        int first = 0;
        int count = 0; ///< 0: one register of exactly this name
    };
    struct Scope {
        std::unordered_map<std::string_view, Range> registers;
        std::unordered_map<std::string_view, int> variables;
        int firstLine = 0;
        std::vector<std::size_t> labels; ///< indices
    };
    void closeScope(Function& f);

    std::vector<Variable> parameterList();
    void directives(Function& f);
    void body(Function& f);
    void statement(Function& f);
    void directive(Function& f);
    void registers(Function& f);
    void labelled(Function& f, std::string_view name);
    void instruction(Function& f, std::string_view opcode);
    Operand operand();
    Operand wordOperand();
    Operand addressOperand();
    Operand group(OperandKind kind, char close);
    int findRegister(std::string_view name) const;
    int findVariable(std::string_view name) const;

    std::vector<Scope> m_scopes;
    int m_location = -1;
    int m_predicate = -1;
    int m_operandDepth = 0;
    bool m_predicateNegated = false;
};

} // namespace kernelarium::ptx
