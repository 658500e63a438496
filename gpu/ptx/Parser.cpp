// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/Parser.h"

#include "gpu/ptx/FunctionParser.h"

#include <charconv>
#include <fmt/format.h>

namespace kernelarium::ptx {

namespace {

class ModuleParser : ParserBase {
public:
    ModuleParser(Lexer& lexer, Module& module)
        : ParserBase(lexer, module)
        , m_functions(lexer, module) {}

    void run() {
        while (m_lexer.peek().kind != TokenKind::end)
            declaration();
        if (m_module.versionMajor == 0) fail("\".version\" somewhere in the text");
    }

private:
    void declaration() {
        if (accept(';')) return;
        bool isExtern = false;
        std::string_view name = word("a directive");
        while (name == ".visible" || name == ".weak" || name == ".common" || name == ".extern") {
            isExtern |= name == ".extern";
            name = word("a directive");
        }
        if (name == ".entry" || name == ".func") {
            // Attributes stand between the word and the signature.
            while (accept(".noreturn") || accept(".unique")) {
            }
            m_module.functions.push_back(m_functions.function(name == ".entry"));
        } else if (const auto space = parseSpace(name.substr(1)); space && name[0] == '.') {
            for (Variable& v : variables(*space, isExtern))
                m_module.variables.push_back(std::move(v));
        } else {
            moduleDirective(name);
        }
    }

    void moduleDirective(std::string_view name) {
        if (name == ".version") {
            const std::string_view text = m_lexer.peek().text;
            const std::size_t dot = text.find('.');
            std::from_chars(text.data(), text.data() + text.size(), m_module.versionMajor);
            if (m_lexer.peek().kind != TokenKind::number || m_module.versionMajor <= 0) fail("a PTX version");
            if (dot != std::string_view::npos)
                std::from_chars(text.data() + dot + 1, text.data() + text.size(), m_module.versionMinor);
            m_lexer.next();
        } else if (name == ".target") {
            m_module.target = word("a target");
            while (accept(','))
                word("a target option");
        } else if (name == ".address_size") {
            if (integer("64") != 64) fail("64-bit addresses");
        } else if (name == ".file") {
            file();
        } else if (name == ".section") {
            word("a section name");
            expect('{');
            skipTo('}');
        } else if (name == ".pragma" || name == ".alias") {
            skipTo(';');
        } else if (name == ".loc") {
            location();
        } else {
            fail(fmt::format("a directive of a module (not {})", name));
        }
    }

    void file() {
        SourceFile f;
        f.number = int(integer("a file number"));
        if (m_lexer.peek().kind != TokenKind::string) fail("a file name");
        f.path = std::string(m_lexer.next().text);
        while (accept(','))
            integer("a number");
        m_module.files.push_back(std::move(f));
    }

    FunctionParser m_functions;
};

} // namespace

Result<std::unique_ptr<Module>> parse(std::string_view text) {
    auto module = std::make_unique<Module>();
    module->text = std::string(text);
    // NVRTC ends the text with a zero byte.
    std::string_view view = module->text;
    while (!view.empty() && view.back() == '\0')
        view.remove_suffix(1);
    try {
        Lexer lexer(view);
        ModuleParser(lexer, *module).run();
    } catch (const ParseFailure& failure) {
        return Error{"bad_ptx", failure.what(), "If the compiler wrote this text, please report it.", {}};
    }
    return module;
}

} // namespace kernelarium::ptx
