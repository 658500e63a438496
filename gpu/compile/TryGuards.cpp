// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/TryGuards.h"

#include <algorithm>

namespace kernelarium::compile {

namespace {

bool standsAt(const Diagnostic& d, const TryGuard& guard) {
    return d.file == "kernel.cu" && d.line == guard.line && (d.column == guard.column || d.column == 0);
}

bool mentions(const Diagnostic& d, const std::string& name) {
    return d.text.find("\"" + name + "\"") != std::string::npos;
}

/// "'this' may only be used inside a nonstatic member function"
bool saysThis(const Diagnostic& d) {
    return d.text.find("'this'") != std::string::npos;
}

/// What to leave out after an error that names nothing: first what is merely used, then everything.
void leaveOutUnnamed(TryGuard& guard) {
    const auto firstSure =
        std::stable_partition(guard.names.begin(), guard.names.end(), [](const TryName& n) { return !n.sure; });
    if (firstSure != guard.names.begin()) {
        guard.names.erase(guard.names.begin(), firstSure);
        return;
    }
    for (const TryName& n : guard.names)
        guard.failed.push_back(n.name);
    guard.names.clear();
}

bool correct(TryGuard& guard, const std::vector<Diagnostic>& found) {
    if (guard.names.empty()) return false;
    const std::size_t before = guard.names.size();
    bool unnamed = false;
    for (const Diagnostic& d : found) {
        if (d.severity != Severity::error || !standsAt(d, guard)) continue;
        const auto mistaken = [&](const TryName& n) {
            return mentions(d, n.name) || (n.name == "this" && saysThis(d));
        };
        const auto end = std::remove_if(guard.names.begin(), guard.names.end(), mistaken);
        unnamed = unnamed || end == guard.names.end();
        guard.names.erase(end, guard.names.end());
    }
    // A name that is undefined is reported once for all its places, so the named ones go before anything else does.
    if (unnamed && guard.names.size() == before) leaveOutUnnamed(guard);
    return guard.names.size() != before;
}

} // namespace

std::string guardDefinitions(const std::vector<TryGuard>& guards) {
    std::string out;
    for (const TryGuard& guard : guards) {
        out += "#define " + guard.macro + " if (::kl::TryScope kl_scope((";
        for (const TryName& n : guard.names)
            out += "::kl::touch(" + (n.name == "this" ? std::string("*this") : n.name) + "), ";
        out += "::kl_try())); !kl_scope.caught)\n";
    }
    return out.empty() ? out : out + "#line 1 \"kernel.cu\"\n";
}

bool leaveOutMistaken(std::vector<TryGuard>& guards, const std::vector<Diagnostic>& found) {
    bool changed = false;
    for (TryGuard& guard : guards)
        changed = correct(guard, found) || changed;
    return changed;
}

bool isAboutGuard(const std::vector<TryGuard>& guards, const Diagnostic& d) {
    return d.severity != Severity::error && d.text.find("before its value is set") != std::string::npos &&
           std::any_of(guards.begin(), guards.end(), [&](const TryGuard& guard) {
               return standsAt(d, guard) && std::any_of(guard.names.begin(), guard.names.end(),
                                                        [&](const TryName& n) { return mentions(d, n.name); });
           });
}

std::vector<Diagnostic> unguarded(const std::vector<TryGuard>& guards) {
    std::vector<Diagnostic> out;
    for (const TryGuard& guard : guards) {
        if (guard.failed.empty()) continue;
        std::string names;
        for (const std::string& name : guard.failed)
            names += (names.empty() ? "" : ", ") + name;
        out.push_back(
            {"kernel.cu", guard.line, guard.column, Severity::warning,
             "may change inside try: " + names + "; after an exception they may have their value from before it"});
    }
    return out;
}

} // namespace kernelarium::compile
