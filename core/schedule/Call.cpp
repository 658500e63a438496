// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/Call.h"

#include <string_view>

namespace kernelarium::schedule {

namespace {

constexpr char between = '\n'; // no word of a compiler or an argument has one

std::string joined(const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& word : words)
        (all.empty() ? all : all += between) += word;
    return all;
}

std::vector<std::string> parted(std::string_view all) {
    std::vector<std::string> words;
    while (!all.empty()) {
        const std::size_t end = all.find(between);
        words.emplace_back(all.substr(0, end));
        all = end == std::string_view::npos ? std::string_view() : all.substr(end + 1);
    }
    return words;
}

} // namespace

std::map<std::string, std::string> fieldsOf(const Call& call) {
    std::map<std::string, std::string> fields{{"file", call.file},
                                              {"options", joined(call.compilerWords)},
                                              {"fast_math", call.fastMath ? "yes" : ""},
                                              {"task", call.task},
                                              {"function", call.function},
                                              {"arguments", joined(call.arguments)},
                                              {"size", call.size},
                                              {"timing", call.timing},
                                              {"device", call.device},
                                              {"card", call.card}};
    std::erase_if(fields, [](const auto& field) { return field.second.empty(); });
    return fields;
}

Call callFrom(const std::map<std::string, std::string>& fields) {
    const auto of = [&fields](const char* name) {
        const auto found = fields.find(name);
        return found == fields.end() ? std::string() : found->second;
    };
    return {of("file"), parted(of("options")), !of("fast_math").empty(),
            of("task"), of("function"),        parted(of("arguments")),
            of("size"), of("timing"),          of("device"),
            of("card")};
}

} // namespace kernelarium::schedule
