// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/RecordedSteps.h"

#include "core/recording/Words.h"

#include <bit>
#include <stdexcept>

namespace kernelarium::protocol {

namespace {

using nlohmann::json;
using recording::Access;
using recording::RegisterChange;
using recording::Space;
using recording::Step;

/// `group` values for each lane; once where all lanes agree.
template <class T> json lanesJson(const std::vector<T>& values, std::size_t group) {
    bool same = group > 0 && values.size() > group;
    for (std::size_t k = group; same && k < values.size(); ++k)
        same = values[k] == values[k - group];
    return same ? json(std::vector<T>(values.begin(), values.begin() + std::ptrdiff_t(group))) : json(values);
}

template <class T> std::vector<T> lanesFrom(const json& j, std::size_t lanes, std::size_t group) {
    auto values = j.get<std::vector<T>>();
    if (values.size() == lanes * group) return values;
    if (values.size() != group) throw std::invalid_argument("a list has values for some lanes only");
    const std::vector<T> one = values;
    for (std::size_t k = 1; k < lanes; ++k)
        values.insert(values.end(), one.begin(), one.end());
    return values;
}

std::size_t countOf(std::uint32_t lanes) {
    return std::size_t(std::popcount(lanes));
}

json changeJson(const RegisterChange& c) {
    const std::size_t words = c.lanes ? c.after.size() / countOf(c.lanes) : 1;
    return {{"register", c.reg},
            {"lanes", c.lanes},
            {"fresh", c.fresh},
            {"words", words},
            {"before", lanesJson(c.before, words)},
            {"after", lanesJson(c.after, words)}};
}

RegisterChange changeFrom(const json& j) {
    RegisterChange c;
    c.reg = j.at("register").get<std::uint32_t>();
    c.lanes = j.at("lanes").get<std::uint32_t>();
    c.fresh = j.at("fresh").get<std::uint32_t>();
    const auto words = j.at("words").get<std::size_t>();
    if (words != 1 && words != 2) throw std::invalid_argument("a register's width");
    c.before = lanesFrom<std::uint64_t>(j.at("before"), countOf(c.lanes), words);
    c.after = lanesFrom<std::uint64_t>(j.at("after"), countOf(c.lanes), words);
    return c;
}

json accessJson(const Access& a) {
    json j = {{"space", recording::name(a.space)},
              {"reads", a.reads},
              {"writes", a.writes},
              {"bytes", a.bytes},
              {"lanes", a.lanes},
              {"known", a.known},
              {"addresses", lanesJson(a.addresses, 1)},
              {"values", lanesJson(a.values, a.bytes)}};
    if (a.space == Space::shared) {
        j["wavefronts"] = a.wavefronts;
        j["ideal_wavefronts"] = a.idealWavefronts;
    }
    return j;
}

Space spaceFrom(const std::string& text) {
    for (const Space s : {Space::global, Space::shared, Space::local})
        if (recording::name(s) == text) return s;
    throw std::invalid_argument("no space is called " + text);
}

Access accessFrom(const json& j) {
    Access a;
    a.space = spaceFrom(j.at("space").get<std::string>());
    a.reads = j.at("reads").get<bool>();
    a.writes = j.at("writes").get<bool>();
    a.bytes = j.at("bytes").get<std::uint32_t>();
    a.lanes = j.at("lanes").get<std::uint32_t>();
    a.known = j.at("known").get<std::uint32_t>();
    if (a.bytes > 256 || (a.known & ~a.lanes)) throw std::invalid_argument("an access of no lane's bytes");
    a.addresses = lanesFrom<std::uint64_t>(j.at("addresses"), countOf(a.lanes), 1);
    if (a.known) a.values = lanesFrom<std::uint8_t>(j.at("values"), countOf(a.known), a.bytes);
    a.wavefronts = j.value("wavefronts", 0u);
    a.idealWavefronts = j.value("ideal_wavefronts", 0u);
    return a;
}

} // namespace

json stepJson(const Step& s) {
    json j = {{"warp", s.warp},   {"instruction", s.instruction}, {"frame", s.frame},
              {"depth", s.depth}, {"active", s.active},           {"on", s.on}};
    for (const RegisterChange& c : s.registers)
        j["registers"].push_back(changeJson(c));
    for (const recording::SharedChange& c : s.shared)
        j["shared"].push_back({c.word, c.before, c.after, c.fresh ? 1 : 0});
    for (const Access& a : s.accesses)
        j["accesses"].push_back(accessJson(a));
    for (const recording::StepFault& f : s.faults)
        j["faults"].push_back({{"kind", f.kind}, {"message", f.message}, {"lanes", f.lanes}});
    return j;
}

Step stepFromJson(const json& j) {
    const json none = json::array();
    const auto list = [&](const char* key) -> const json& { return j.contains(key) ? j.at(key) : none; };
    Step s;
    s.warp = j.at("warp").get<std::uint32_t>();
    s.instruction = j.at("instruction").get<std::uint32_t>();
    s.frame = j.at("frame").get<std::uint64_t>();
    s.depth = j.at("depth").get<std::uint32_t>();
    s.active = j.at("active").get<std::uint32_t>();
    s.on = j.at("on").get<std::uint32_t>();
    for (const json& c : list("registers"))
        s.registers.push_back(changeFrom(c));
    for (const json& c : list("shared"))
        s.shared.push_back({c.at(0).get<std::uint32_t>(), c.at(1).get<std::uint32_t>(), c.at(2).get<std::uint32_t>(),
                            c.at(3).get<int>() != 0});
    for (const json& a : list("accesses"))
        s.accesses.push_back(accessFrom(a));
    for (const json& f : list("faults"))
        s.faults.push_back(
            {f.at("kind").get<std::string>(), f.at("message").get<std::string>(), f.at("lanes").get<std::uint32_t>()});
    return s;
}

} // namespace kernelarium::protocol
