// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/Alternative.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace kernelarium::schedule {

using nlohmann::json;

std::vector<std::string> offeredAlternatives(int registers) {
    std::vector<std::string> offered;
    for (const int cap : {168, 128, 96, 80, 64, 48, 40, 32})
        // Half of them and fewer spill more than another block is worth.
        if (registers == 0 || (cap < registers && cap * 2 > registers))
            offered.push_back("--max-registers=" + std::to_string(cap));
    for (const char* word :
         {"-O1", "-O2", "--allow-expensive-optimizations=false", "--register-usage-level=0",
          "--register-usage-level=10", "--dont-merge-basicblocks", "--def-load-cache=cg", "--def-store-cache=cs"})
        offered.emplace_back(word);
    return offered;
}

bool Alternative::isKnown() const {
    return !code.empty() && std::all_of(figures.begin(), figures.end(),
                                        [](const FinalFigure& one) { return one.isTimed() || one.isFaulted; });
}

json toJson(const Alternative& alternative) {
    json figures = json::array();
    for (const FinalFigure& figure : alternative.figures)
        figures.push_back(toJson(figure));
    return {{"words", alternative.words},
            {"registers", alternative.registers},
            {"instructions", alternative.instructions},
            {"static", alternative.staticCost},
            {"code", alternative.code},
            {"same_as", alternative.sameAs},
            {"refusal", alternative.refusal},
            {"figures", figures}};
}

Result<tuning::Record> recordOf(const Alternative& alternative) {
    json fields = toJson(alternative);
    fields["key"] = alternative.words;
    fields["rank"] = alternative.figures.size();
    return tuning::recordOf("alternative", std::move(fields));
}

Result<Alternative> alternativeFrom(const tuning::Record& record) {
    try {
        const json& fields = record.fields;
        Alternative one;
        one.words = fields.at("words");
        one.registers = fields.at("registers");
        one.instructions = fields.at("instructions");
        one.staticCost = fields.at("static");
        one.code = fields.value("code", "");
        one.sameAs = fields.value("same_as", "");
        one.refusal = fields.at("refusal");
        for (const json& figure : fields.at("figures")) {
            Result<FinalFigure> read = finalFigureFrom(figure);
            if (!read) return read.error();
            one.figures.push_back(std::move(*read));
        }
        return one;
    } catch (const json::exception& e) {
        return Error{"bad_input", e.what()};
    }
}

} // namespace kernelarium::schedule
