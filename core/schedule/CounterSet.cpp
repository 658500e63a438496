// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/CounterSet.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace kernelarium::schedule {

using nlohmann::json;

const CounterSet::Figure* CounterSet::find(std::string_view metric) const {
    const auto found =
        std::find_if(figures.begin(), figures.end(), [&](const Figure& one) { return one.metric == metric; });
    return found == figures.end() ? nullptr : &*found;
}

json toJson(const CounterSet& set) {
    json figures = json::array();
    for (const CounterSet::Figure& one : set.figures)
        figures.push_back({{"metric", one.metric}, {"unit", one.unit}, {"value", one.value}});
    return {{"schedule", set.hash},     {"device", set.device}, {"size", set.size},
            {"launches", set.launches}, {"figures", figures},   {"when", set.when}};
}

Result<tuning::Record> recordOf(const CounterSet& set) {
    json fields = toJson(set);
    fields["key"] = set.hash;
    fields["rank"] = set.figures.size();
    return tuning::recordOf("counters", std::move(fields));
}

Result<CounterSet> counterSetFrom(const tuning::Record& record) {
    try {
        const json& fields = record.fields;
        CounterSet set;
        set.hash = fields.at("schedule");
        set.device = fields.at("device");
        set.size = fields.at("size");
        set.launches = fields.at("launches");
        set.when = fields.at("when");
        for (const json& one : fields.at("figures"))
            set.figures.push_back({one.at("metric"), one.at("unit"), one.at("value")});
        return set;
    } catch (const json::exception& e) {
        return Error{"bad_input", e.what()};
    }
}

} // namespace kernelarium::schedule
