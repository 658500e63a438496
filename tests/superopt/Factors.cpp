// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/superopt/Factors.h"

#include <algorithm>
#include <fmt/format.h>
#include <thread>

namespace kernelarium::superopt {

namespace {

struct FactorWalk {
    const Factors& space;
    Exploration& exploration;
    std::vector<int> chosen;

    void visit(int left) {
        const std::uint64_t state = ++exploration.counts.states;
        if (left == 1) {
            std::vector<int> sorted = chosen;
            std::sort(sorted.begin(), sorted.end());
            std::string digits, hash;
            double sum = 0;
            for (const int digit : sorted) {
                digits += fmt::format("{}{}", digits.empty() ? "" : ",", digit);
                hash += char('0' + digit);
                sum += digit;
            }
            exploration.found.push_back({hash, fmt::format("{{\"digits\":[{}]}}", digits), state, sum * 1e-6});
        }
        if (int(chosen.size()) == space.digits) {
            ++exploration.counts.pruned["length"];
            return;
        }
        for (int digit = 1; digit <= 9; ++digit) {
            if (left % digit != 0) {
                ++exploration.counts.pruned["no factor"];
                continue;
            }
            chosen.push_back(digit);
            visit(left / digit);
            chosen.pop_back();
        }
    }
};

} // namespace

std::map<std::string, std::string> Factors::identity() const {
    return {{"target", std::to_string(target)}, {"digits", std::to_string(digits)}, {"salt", salt}};
}

Result<std::vector<std::string>> Factors::units(const std::stop_token& /*stop*/) {
    std::vector<std::string> keys;
    for (int a = 1; a <= 9; ++a)
        for (int b = 1; b <= 9; ++b)
            keys.push_back(fmt::format("{}{}", a, b));
    return keys;
}

Result<Exploration> Factors::explore(const std::string& unit, const std::function<void(const StateCounts&)>& tell,
                                     const std::stop_token& stop) const {
    Exploration exploration;
    const int a = unit.at(0) - '0', b = unit.at(1) - '0';
    for (auto waited = std::chrono::milliseconds(0); waited < unitTime; waited += std::chrono::milliseconds(2)) {
        if (stop.stop_requested()) return Error{"cancelled", "Stopped."};
        tell(exploration.counts);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    if (target % (a * b) != 0) {
        ++exploration.counts.pruned["no factor"];
        return exploration;
    }
    FactorWalk{*this, exploration, {a, b}}.visit(target / a / b);
    return exploration;
}

Result<Climb> Factors::climb(const FoundGraph& graph, const std::stop_token& /*stop*/) const {
    const auto has = [&](char digit) { return graph.hash.find(digit) != std::string::npos; };
    using Standing = RungVerdict::Standing;
    Climb climb;
    climb.rungs.push_back({"divides", Standing::stood, graph.hash});
    if (has('6') && has('7'))
        climb.rungs.push_back({"taste", Standing::fell, "a 6 beside a 7"});
    else
        climb.rungs.push_back({"taste", has('9') ? Standing::undecided : Standing::stood, ""});
    climb.proven = climb.rungs.back().standing == Standing::stood;
    return climb;
}

} // namespace kernelarium::superopt
