// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/HostGroups.h"

#include "gpu/compile/SourceScan.h"
#include "gpu/compile/SourceTokens.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

namespace kernelarium::compile {

namespace {

constexpr std::string_view guard = "__CUDACC_RTC__";
constexpr std::string_view never = "KL_NOHOST_HERE"; ///< as long, and defined nowhere
static_assert(guard.size() == never.size());

using Names = std::set<std::string_view>;

/// The first branch of one conditional that NVRTC does not get to see.
struct Group {
    std::string* text;
    std::size_t condition, end; ///< where the guard's name stands; where the #else or #endif does
    SourceTokens tokens;
    std::vector<std::string> includes;
    bool through = false;
};

/// Where "!defined(__CUDACC_RTC__)", or what follows #ifndef, has the guard's name in the directive's rest; npos where
/// it has none.
std::size_t guardIn(const Directive& directive) {
    const std::string_view rest = directive.rest.substr(0, directive.rest.find("//"));
    for (std::size_t at = rest.find(guard); at != rest.npos; at = rest.find(guard, at + 1)) {
        const std::size_t end = at + guard.size();
        if (end < rest.size() && (std::isalnum(static_cast<unsigned char>(rest[end])) || rest[end] == '_')) continue;
        std::string before;
        for (const char c : rest.substr(0, at))
            if (!std::isspace(static_cast<unsigned char>(c))) before += c;
        if (before.ends_with("!defined(") || before.ends_with("!defined") ||
            (directive.name == "ifndef" && before.empty()))
            return at;
    }
    return rest.npos;
}

const char* placeOf(const Token& token) {
    return token.text.data();
}
const char* placeOf(const Directive& directive) {
    return directive.name.data();
}

/// Of tokens or directives in their order, the first that is not before a place in the text.
template <class List> auto firstFrom(const List& list, const char* place) {
    return std::partition_point(list.begin(), list.end(), [&](const auto& one) { return placeOf(one) < place; });
}

/// The part of a text's tokens and directives that lies between two places.
SourceTokens between(const SourceTokens& all, const char* first, const char* last) {
    return {{firstFrom(all.tokens, first), firstFrom(all.tokens, last)},
            {firstFrom(all.directives, first), firstFrom(all.directives, last)}};
}

void findGroups(std::string& text, std::vector<Group>& groups) {
    constexpr std::size_t none = std::string::npos;
    struct Open {
        std::size_t condition, body; ///< npos: another condition, or past its first branch
    };
    std::vector<Open> open;
    const SourceTokens all = tokenize(text);
    const auto close = [&](const Directive& by) {
        if (open.empty() || open.back().condition == none) return;
        const auto end = std::size_t(by.name.data() - text.data());
        Group group{
            &text, open.back().condition, end, between(all, text.data() + open.back().body, by.name.data()), {}};
        group.includes = scan(group.tokens).includes;
        groups.push_back(std::move(group));
        open.back().condition = none;
    };
    for (const Directive& directive : all.directives) {
        if (directive.name.starts_with("if")) {
            const std::size_t found = guardIn(directive);
            const auto rest = std::size_t(directive.rest.data() - text.data());
            open.push_back({found == none ? none : rest + found, rest + directive.rest.size()});
        } else if (directive.name.starts_with("el")) {
            close(directive);
        } else if (directive.name == "endif" && !open.empty()) {
            close(directive);
            open.pop_back();
        }
    }
}

/// cudaStream_t, cuTensorMapEncodeTiled, CUtensorMap, ostream.
bool isOfHost(std::string_view name) {
    if (name == "ostream") return true;
    const auto upper = [&](std::size_t at) {
        return name.size() > at && std::isupper(static_cast<unsigned char>(name[at]));
    };
    return (name.starts_with("cuda") && upper(4)) || (name.starts_with("cu") && upper(2)) ||
           (name.starts_with("CU") && name.size() > 2 && std::islower(static_cast<unsigned char>(name[2])));
}

/// Names that the text declares, as far as they can be told without parsing: `type name(`, struct, class, using and
/// #define.
void addDeclared(const SourceTokens& text, Names& names) {
    static const Names operators{"return", "else", "throw", "case", "new", "delete", "and", "or", "not"};
    for (std::size_t i = 1; i < text.tokens.size(); ++i) {
        const Token &token = text.tokens[i], &before = text.tokens[i - 1];
        if (token.kind != Token::Kind::identifier) continue;
        const bool called = i + 1 < text.tokens.size() && text.tokens[i + 1].text == "(";
        const bool typed = (before.kind == Token::Kind::identifier && !operators.contains(before.text)) ||
                           before.text == "*" || before.text == "&" || before.text == ">";
        if ((called && typed) || before.text == "struct" || before.text == "class" || before.text == "using")
            names.insert(token.text);
    }
    for (const Directive& d : text.directives) {
        if (d.name != "define") continue; // the macro's name is the next token
        const auto name = firstFrom(text.tokens, d.name.data());
        if (name != text.tokens.end()) names.insert(name->text);
    }
}

template <class F> bool anyName(const Group& group, F matches) {
    return std::any_of(group.tokens.tokens.begin(), group.tokens.tokens.end(),
                       [&](const Token& t) { return t.kind == Token::Kind::identifier && matches(t.text); });
}

/// Names that are declared outside all groups.
Names declaredForAll(const std::map<std::string, std::string>& texts, const std::vector<Group>& groups) {
    Names found;
    std::map<const std::string*, std::vector<const Group*>> of;
    for (const Group& group : groups)
        of[group.text].push_back(&group);
    for (const auto& [name, text] : texts) {
        SourceTokens tokens = tokenize(text);
        const auto within = [&, own = of[&text]](std::string_view part) {
            const std::size_t at = std::size_t(part.data() - text.data());
            return std::any_of(own.begin(), own.end(),
                               [at](const Group* group) { return at > group->condition && at < group->end; });
        };
        std::erase_if(tokens.tokens, [&](const Token& t) { return within(t.text); });
        std::erase_if(tokens.directives, [&](const Directive& d) { return within(d.name); });
        addDeclared(tokens, found);
    }
    return found;
}

} // namespace

void letHostGroupsThrough(std::map<std::string, std::string>& texts, bool (*isKnown)(std::string_view name)) {
    std::vector<Group> groups;
    for (auto& [name, text] : texts)
        if (text.find(guard) != text.npos) findGroups(text, groups);
    if (groups.empty()) return;
    for (Group& group : groups)
        group.through = anyName(group, isOfHost);
    const Names common = declaredForAll(texts, groups);
    for (bool more = true; more;) {
        more = false;
        Names own;
        for (const Group& group : groups)
            if (group.through) addDeclared(group.tokens, own);
        std::erase_if(own, [&](std::string_view name) { return common.contains(name); });
        for (Group& group : groups) {
            if (group.through || !anyName(group, [&](std::string_view name) { return own.contains(name); })) continue;
            group.through = more = true;
        }
    }
    std::set<const std::string*> files;
    for (const Group& group : groups)
        if (group.through) files.insert(group.text);
    for (Group& group : groups) {
        if (group.tokens.tokens.empty() && !group.includes.empty())
            group.through =
                files.contains(group.text) || std::all_of(group.includes.begin(), group.includes.end(),
                                                          [&](const std::string& name) { return isKnown(name); });
    }
    for (const Group& group : groups)
        if (group.through) group.text->replace(group.condition, guard.size(), never);
}

} // namespace kernelarium::compile
