// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/emit/Dispatch.h"

#include "core/tuning/emit/VersionParts.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::tuning {

namespace {

/// One extent of a tensor that differs between the shapes.
struct Axis {
    std::size_t argument = 0, dimension = 0;
    std::vector<std::int64_t> extents; ///< of each shape, at least 1
};

/// `all`: those that are the same in all shapes, or differ as another one does, too.
Result<std::vector<Axis>> axesOf(const std::vector<DispatchShape>& shapes, const VersionParts& parts, bool all) {
    std::vector<Axis> axes;
    const std::size_t arguments = std::min(parts.parameters.size(), shapes.front().extents.size());
    for (std::size_t a = 0; a < arguments; ++a) {
        if (!parts.parameters[a].isTensor) continue;
        for (std::size_t d = 0; d < shapes.front().extents[a].size(); ++d) {
            Axis axis{a, d, {}};
            for (const DispatchShape& shape : shapes) {
                if (shape.extents.size() <= a || shape.extents[a].size() != shapes.front().extents[a].size())
                    return notMergeable(
                        fmt::format("parameter `{}` has another rank at {}", parts.parameters[a].name, shape.name));
                axis.extents.push_back(std::max<std::int64_t>(1, shape.extents[a][d]));
            }
            const bool differs = std::any_of(axis.extents.begin(), axis.extents.end(),
                                             [&](std::int64_t e) { return e != axis.extents.front(); });
            const bool known =
                std::any_of(axes.begin(), axes.end(), [&](const Axis& other) { return other.extents == axis.extents; });
            if (all || (differs && !known)) axes.push_back(std::move(axis));
        }
    }
    for (std::size_t i = 0; i < shapes.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (shapes[i].version != shapes[j].version &&
                std::all_of(axes.begin(), axes.end(), [&](const Axis& a) { return a.extents[i] == a.extents[j]; }))
                return notMergeable(fmt::format("{} and {} cannot be told apart by the extents of `{}`'s tensors",
                                                shapes[j].name, shapes[i].name, parts.name));
    return axes;
}

/// Lines that are the same in all versions, or includes; those of the first version first.
std::vector<HoistedLine> commonLines(const std::vector<VersionParts>& all) {
    std::vector<HoistedLine> lines;
    for (const VersionParts& parts : all)
        for (const HoistedLine& line : parts.lines) {
            if (std::find(lines.begin(), lines.end(), line) != lines.end()) continue;
            const bool everywhere = std::all_of(all.begin(), all.end(), [&](const VersionParts& other) {
                return std::find(other.lines.begin(), other.lines.end(), line) != other.lines.end();
            });
            if (line.isInclude || everywhere) lines.push_back(line);
        }
    return lines;
}

std::vector<std::string> commonUsings(const std::vector<VersionParts>& all) {
    std::vector<std::string> usings;
    for (const std::string& statement : all.front().usings)
        if (std::all_of(all.begin(), all.end(), [&](const VersionParts& other) {
                return std::find(other.usings.begin(), other.usings.end(), statement) != other.usings.end();
            }))
            usings.push_back(statement);
    return usings;
}

std::vector<std::string> wordsOf(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
            ++end;
        if (end > at) words.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

/// What the choosing function may use of the file: nothing but what the usings say, which use nothing else of it.
Result<std::vector<std::string>> usableUsings(const std::vector<VersionParts>& all,
                                              const std::vector<HoistedLine>& lines) {
    std::set<std::string> foreign = all.front().names;
    for (const HoistedLine& line : lines)
        foreign.erase(line.macro);
    std::vector<std::string> usings;
    for (const std::string& statement : commonUsings(all)) {
        const std::vector<std::string> words = wordsOf(statement);
        const std::size_t equals = statement.find('=');
        // "using A::B;" brings B, "using N = ...;" and "namespace N = ...;" bring N, "using namespace N;" nothing.
        const std::string named = equals != std::string::npos                   ? words.at(1)
                                  : words.size() > 1 && words[1] != "namespace" ? words.back()
                                                                                : std::string();
        const bool own = std::any_of(words.begin(), words.end(),
                                     [&](const std::string& w) { return w != named && foreign.contains(w); });
        if (own) continue;
        foreign.erase(named);
        usings.push_back(statement);
    }
    for (const std::string& word : all.front().foreignWords)
        if (foreign.contains(word) && word != all.front().name)
            return notMergeable(fmt::format("the signature of `{}` or the module uses `{}`, which the file declares",
                                            all.front().name, word));
    return usings;
}

std::string listed(std::size_t count, const auto& one) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", one(i));
    return text;
}

std::string chooser(const VersionParts& parts, const std::vector<DispatchShape>& shapes, const std::vector<Axis>& axes,
                    const std::vector<DispatchVersion>& versions, const DispatchRest& rest) {
    const auto& named = parts.parameters;
    const std::string parameters = listed(named.size(), [&](std::size_t i) { return named[i].text; });
    const std::string arguments = listed(named.size(), [&](std::size_t i) { return named[i].name; });
    const std::string called = listed(axes.size(), [&](std::size_t i) {
        return fmt::format("tuned_extent({}, {})", named[axes[i].argument].name, axes[i].dimension);
    });
    std::string known;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        known += fmt::format("        {{{}}}, // {}\n",
                             listed(axes.size(), [&](std::size_t a) { return axes[a].extents[i]; }), shapes[i].name);
    const bool conditions = std::any_of(versions.begin(), versions.end(),
                                        [](const DispatchVersion& version) { return !version.takes.empty(); });
    std::string text =
        "template <class T> double tuned_extent(const T& tensor, int dimension) {\n"
        "    return dimension < tensor.dim() && tensor.size(dimension) > 0 ? double(tensor.size(dimension)) : 1.0;\n"
        "}\n\n";
    text += rest.nearest
                ? "// Takes the version of the shape that it is called with; for other shapes that of the nearest "
                  "one, with the\n// least product, over these extents, of the larger by the smaller of the two; "
                  "the first of equals.\n"
                : "// Takes the version of the shape that it is called with.\n";
    if (rest.otherwise)
        text += fmt::format("// Calls that none of these serves go to tuned_{}.\n", *rest.otherwise + 1);
    text += fmt::format("{} {}({}) {{\n"
                        "    const double tuned_called[{}] = {{{}}};\n"
                        "    const double tuned_shapes[{}][{}] = {{\n{}    }};\n"
                        "    const int tuned_version[{}] = {{{}}};\n",
                        parts.result, parts.name, parameters, axes.size(), called, shapes.size(), axes.size(), known,
                        shapes.size(), listed(shapes.size(), [&](std::size_t i) { return shapes[i].version + 1; }));
    if (conditions) {
        text += fmt::format("    const bool tuned_takes[{}] = {{\n", versions.size());
        for (const DispatchVersion& version : versions)
            text += fmt::format("        {},\n", version.takes.empty() ? "true" : version.takes);
        text += "    };\n";
    }
    text += fmt::format("    int tuned_chosen = {};\n"
                        "    double tuned_least = 0; // 0: none yet\n"
                        "    for (int shape = 0; shape < {}; ++shape) {{\n",
                        rest.otherwise.value_or(0) + 1, shapes.size());
    if (conditions) text += "        if (!tuned_takes[tuned_version[shape] - 1]) continue;\n";
    text += fmt::format("        double distance = 1;\n"
                        "        for (int i = 0; i < {}; ++i) {{\n"
                        "            const double a = tuned_called[i], b = tuned_shapes[shape][i];\n"
                        "            distance *= a > b ? a / b : b / a;\n"
                        "        }}\n"
                        "        if ({}tuned_least == 0 || distance < tuned_least{}) {{\n"
                        "            tuned_least = distance;\n"
                        "            tuned_chosen = tuned_version[shape];\n"
                        "        }}\n"
                        "    }}\n"
                        "    switch (tuned_chosen) {{\n",
                        axes.size(), rest.nearest ? "" : "distance == 1 && (", rest.nearest ? "" : ")");
    for (std::size_t v = 1; v < versions.size(); ++v)
        text += fmt::format("    case {0}: return tuned_{0}::{1}({2});\n", v + 1, parts.function, arguments);
    text += fmt::format("    default: return tuned_1::{}({});\n    }}\n}}\n", parts.function, arguments);
    return text;
}

/// Namespaces and macros must not be the file's own names.
bool isTaken(const std::vector<VersionParts>& all) {
    for (const VersionParts& parts : all)
        for (const std::string& name : parts.names)
            if (name.starts_with("tuned_")) return true;
    return false;
}

} // namespace

Result<std::string> dispatchingText(const std::vector<DispatchVersion>& versions,
                                    const std::vector<DispatchShape>& shapes, std::string_view function,
                                    const DispatchRest& rest) {
    if (versions.empty() || shapes.empty()) return notMergeable("there is no version");
    if (versions.size() == 1) return versions.front().text;
    std::vector<VersionParts> all;
    for (const DispatchVersion& version : versions) {
        Result<VersionParts> parts = versionParts(version.text, function);
        if (!parts) return parts.error();
        all.push_back(std::move(*parts));
    }
    const VersionParts& first = all.front();
    for (const VersionParts& other : all) {
        const bool same =
            other.result == first.result && other.function == first.function &&
            std::equal(other.parameters.begin(), other.parameters.end(), first.parameters.begin(),
                       first.parameters.end(), [](const auto& a, const auto& b) { return a.text == b.text; });
        if (!same) return notMergeable(fmt::format("the versions' `{}` have different signatures", first.name));
    }
    if (isTaken(all)) return notMergeable("the file has names that begin with tuned_");
    const Result<std::vector<Axis>> axes = axesOf(shapes, first, rest.otherwise.has_value());
    if (!axes) return axes.error();
    const std::vector<HoistedLine> lines = commonLines(all);
    const Result<std::vector<std::string>> usings = usableUsings(all, lines);
    if (!usings) return usings.error();

    std::string text = "// Several versions of one kernel, each the best for some shapes:\n";
    for (std::size_t v = 0; v < versions.size(); ++v) {
        std::string served;
        for (const DispatchShape& shape : shapes)
            if (shape.version == v) served += (served.empty() ? "" : "; ") + shape.name;
        if (rest.otherwise == v) served += served.empty() ? "all others" : "; and all others";
        text += fmt::format("//   tuned_{}  {}  for {}\n", v + 1, versions[v].said, served);
    }
    for (const HoistedLine& line : lines)
        text += line.text + '\n';
    for (std::size_t v = 0; v < all.size(); ++v) {
        text += fmt::format("\nnamespace tuned_{} {{ // {}\n\n", v + 1, versions[v].said);
        for (const std::string& name : all[v].hidden)
            text += fmt::format("using ::{}; // which the one below would hide\n", name);
        text += all[v].body(lines);
        text += fmt::format("\n}} // namespace tuned_{}\n", v + 1);
        for (const std::string& macro : all[v].macros)
            if (std::none_of(lines.begin(), lines.end(), [&](const HoistedLine& l) { return l.macro == macro; }))
                text += fmt::format("#undef {}\n", macro);
    }
    text += '\n';
    for (const std::string& statement : *usings)
        text += statement + '\n';
    text += chooser(first, shapes, *axes, versions, rest);
    return text + '\n' + first.moduleBefore + first.name + first.moduleBehind + '\n';
}

} // namespace kernelarium::tuning
