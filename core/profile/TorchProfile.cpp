// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/TorchProfile.h"

#include "core/profile/PythonLiteral.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace kernelarium::profile {
namespace {

std::optional<double> firstNumber(const Literal& dict, std::initializer_list<std::string_view> names) {
    for (const auto name : names)
        if (const Literal* value = dict.find(name))
            if (const auto number = value->number(); number && std::isfinite(*number)) return number;
    return std::nullopt;
}

TorchEntry entryFrom(std::string name, const Literal& dict) {
    TorchEntry entry;
    entry.name = std::move(name);
    entry.cpuTotal = firstNumber(dict, {"cpu_time_total", "cpu_time"});
    entry.cpuSelf = firstNumber(dict, {"self_cpu_time_total"});
    entry.deviceTotal = firstNumber(dict, {"device_time_total", "cuda_time_total", "device_time", "cuda_time"});
    entry.deviceSelf = firstNumber(dict, {"self_device_time_total", "self_cuda_time_total"});
    entry.deviceBytes = firstNumber(dict, {"device_memory_usage", "cuda_memory_usage"});
    for (const char* calls : {"count", "calls"})
        if (const Literal* value = dict.find(calls); value != nullptr && !entry.calls) entry.calls = value->whole();
    return entry;
}

Error badTorch(const std::string& why) {
    return {"bad_profile", "The Torch profile cannot be read: " + why};
}

/// Greatest first, what is not known last.
auto rankOf(const TorchEntry& entry) {
    const auto down = [](std::optional<double> first, std::optional<double> second) {
        return -(first ? *first : second.value_or(-1));
    };
    return std::make_tuple(down(entry.deviceSelf, entry.deviceTotal), down(entry.cpuSelf, entry.cpuTotal));
}

} // namespace

Result<TorchProfile> parseTorchProfile(std::string_view cell) {
    auto literal = parseLiteral(cell);
    if (!literal) return badTorch(literal.error().message);
    TorchProfile profile;
    const auto take = [&](const Literal* name, const Literal& dict) {
        if (name == nullptr || name->kind() != Literal::Kind::text || dict.kind() != Literal::Kind::dict) return false;
        profile.entries.push_back(entryFrom(*name->text(), dict));
        return true;
    };
    bool regular = literal->kind() == Literal::Kind::dict || literal->kind() == Literal::Kind::list;
    for (std::size_t i = 0; regular && i < literal->items().size(); ++i) {
        const Literal& item = literal->items()[i];
        const bool keyed = literal->kind() == Literal::Kind::dict;
        const Literal* name = keyed ? &literal->keys()[i] : item.find("name");
        if (!keyed && name == nullptr) name = item.find("key");
        regular = take(name, item);
    }
    if (!regular) return badTorch("it should be a dict from names to dicts of times.");
    std::stable_sort(profile.entries.begin(), profile.entries.end(),
                     [](const TorchEntry& a, const TorchEntry& b) { return rankOf(a) < rankOf(b); });
    return profile;
}

} // namespace kernelarium::profile
