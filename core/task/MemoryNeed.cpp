// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/MemoryNeed.h"

#include "core/task/Liveness.h"
#include "core/task/ShapeInference.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace kernelarium::task {

namespace {

std::uint64_t bytesOfResults(const std::vector<tensor::Value>& values) {
    std::uint64_t bytes = 0;
    std::vector<tensor::Tensor> tensors;
    for (const tensor::Value& v : values)
        collectTensors(v, tensors);
    for (const tensor::Tensor& t : tensors)
        bytes += t.byteCount();
    return bytes;
}

constexpr std::uint64_t scratchPerOperator = 64ull << 20; ///< columns of convolutions and the like

/// The number after `key` in a file of "key value" lines.
std::optional<std::uint64_t> entryOf(const std::string& file, const std::string& key) {
    std::ifstream stream(file);
    std::uint64_t value = 0;
    for (std::string word; stream >> word;)
        if (word == key) return stream >> value ? std::optional(value) : std::nullopt;
    return std::nullopt;
}
std::optional<std::uint64_t> numberIn(const std::string& file) {
    std::ifstream stream(file);
    std::uint64_t value = 0;
    return stream >> value ? std::optional(value) : std::nullopt; // "max" is no number
}

/// What a control group (version 2) may still allocate; its page cache that nobody uses counts as free.
std::optional<std::uint64_t> leftInGroup(const std::string& folder) {
    const auto most = numberIn(folder + "/memory.max"), now = numberIn(folder + "/memory.current");
    if (!most || !now) return std::nullopt;
    const std::uint64_t cached = entryOf(folder + "/memory.stat", "inactive_file").value_or(0);
    const std::uint64_t held = *now > cached ? *now - cached : 0;
    return *most > held ? *most - held : 0;
}

} // namespace

Result<std::uint64_t> memoryNeeded(const Card& card, const Symbols& symbols, tensor::DType precision) {
    const auto nodes = inferShapes(card, symbols, precision);
    if (!nodes) return nodes.error();
    const auto shapes = tensorShapes(card, symbols);
    const LastUses last = lastUses(card);
    std::vector<std::uint64_t> taken(card.graph.size() + 1, 0), dropped(taken); // before and after each node
    std::uint64_t live = 0;
    for (std::size_t t = 0; t < shapes->size(); ++t) {
        const tensor::DType type = card.tensors[t].dtype;
        const std::uint64_t bytes =
            std::uint64_t(tensor::elementCount((*shapes)[t])) * tensor::byteSize(isFloating(type) ? precision : type);
        taken[last.firstOfTensors[t]] += bytes;
        dropped[last.tensors[t]] += bytes;
    }
    std::uint64_t peak = 0;
    for (std::size_t i = 0; i < card.graph.size(); ++i) {
        const std::uint64_t own = bytesOfResults((*nodes)[i].results);
        live += taken[i] + own;
        dropped[last.nodes.at(card.graph[i].name)] += own;
        peak = std::max(peak, live + own); // operators may hold one more copy while they work
        live -= dropped[i];
    }
    return std::max(peak, live + taken.back()) + scratchPerOperator;
}

std::optional<std::uint64_t> availableMemory() {
    std::optional<std::uint64_t> available;
    if (const auto kib = entryOf("/proc/meminfo", "MemAvailable:")) available = *kib * 1024;
    std::string own;
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);)
        if (line.starts_with("0::")) own = line.substr(3);
    for (const std::string& folder : {"/sys/fs/cgroup" + own, std::string("/sys/fs/cgroup")})
        if (const auto left = leftInGroup(folder)) available = std::min(available.value_or(*left), *left);
    if (available) *available -= *available / 10;
    return available;
}

} // namespace kernelarium::task
