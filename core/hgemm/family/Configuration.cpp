// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/family/Configuration.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace kernelarium::hgemm {

namespace {

constexpr int sharedOfMultiprocessor = 228 << 10; ///< of compute capability 9.0; each block takes one more KiB
constexpr int sharedOfBlock = 227 << 10;
constexpr std::int64_t mostOfExtent = std::int64_t(1) << 30;

/// f(name, member) of what is a number or a flag, in the key's order.
template <class C, class F> void eachMember(C& c, F f) {
    f("half_sums", c.halfSums);
    f("tile_rows", c.tileRows);
    f("tile_columns", c.tileColumns);
    f("depth", c.depth);
    f("stages", c.stages);
    f("splits", c.splits);
    f("splits_in_cluster", c.splitsInCluster);
    f("raster_group", c.rasterGroup);
    f("raster_along_rows", c.rasterAlongRows);
    if (c.engine == Engine::mma) {
        f("warps_of_rows", c.warpsOfRows);
        f("warps_of_columns", c.warpsOfColumns);
        f("warps_of_depth", c.warpsOfDepth);
        return;
    }
    f("consumers", c.consumers);
    f("ping_pong", c.pingPong);
    f("cluster_rows", c.clusterRows);
    f("cluster_columns", c.clusterColumns);
    f("swapped", c.swapped);
    f("persistent", c.persistent);
    f("stores_boxes", c.storesBoxes);
}

bool readMember(std::string_view text, int& out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc() && end == text.data() + text.size();
}

bool readMember(std::string_view text, bool& out) {
    out = text == "true";
    return out || text == "false";
}

int partialBytes(const Configuration& c) {
    const bool gathers = c.engine == Engine::mma ? c.splits > 1 || c.warpsOfDepth > 1 : c.splitsInCluster;
    return gathers ? c.tileRows * (c.tileColumns + 8) * 4 * (c.engine == Engine::mma ? c.warpsOfDepth : 1) : 0;
}

/// Registers of a thread that hold sums.
int sumRegisters(const Configuration& c) {
    const int elements = c.engine == Engine::mma ? c.tileRows * c.tileColumns / (c.warpsOfRows * c.warpsOfColumns * 32)
                                                 : c.tileRows * c.tileColumns / (128 * (c.pingPong ? 1 : c.consumers));
    return c.halfSums ? elements / 2 : elements;
}

} // namespace

int Configuration::threads() const {
    return engine == Engine::mma ? warpsOfRows * warpsOfColumns * warpsOfDepth * 32 : consumers * 128 + 32;
}

int Configuration::sharedBytes() const {
    const int staged = stages * (tileRows + tileColumns) * depth * 2;
    const int most = std::max(staged, partialBytes(*this));
    if (engine == Engine::mma) return most;
    return most + (storesBoxes ? 2 * 8192 * consumers : 0) + 16 * stages + 16;
}

int Configuration::blocksPerMultiprocessor() const {
    const int byShared = sharedOfMultiprocessor / (sharedBytes() + 1024);
    const int needed = (sumRegisters(*this) + (engine == Engine::mma ? 72 : 48) + 7) / 8 * 8;
    const int byRegisters = 65536 / (threads() * needed);
    return std::clamp(std::min(byShared, byRegisters), 1, engine == Engine::mma ? 8 : 4);
}

std::string Configuration::key() const {
    std::string text =
        fmt::format("engine={} layout={}", engine == Engine::mma ? "mma" : "wgmma", layout == Layout::tn ? "tn" : "nn");
    eachMember(*this, [&](const char* name, const auto& value) { text += fmt::format(" {}={}", name, value); });
    return text;
}

std::optional<Configuration> configurationOf(std::string_view key) {
    Configuration c;
    std::vector<std::pair<std::string_view, std::string_view>> words;
    while (!key.empty()) {
        const std::string_view word = key.substr(0, key.find(' '));
        key.remove_prefix(std::min(key.size(), word.size() + 1));
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos) return {};
        words.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
    if (words.size() < 2 || words[0].first != "engine" || words[1].first != "layout") return {};
    if (words[0].second != "mma" && words[0].second != "wgmma") return {};
    if (words[1].second != "tn" && words[1].second != "nn") return {};
    c.engine = words[0].second == "mma" ? Engine::mma : Engine::wgmma;
    c.layout = words[1].second == "tn" ? Layout::tn : Layout::nn;
    std::size_t next = 2;
    bool good = true;
    eachMember(c, [&](const char* name, auto& value) {
        good = good && next < words.size() && words[next].first == name && readMember(words[next].second, value);
        ++next;
    });
    if (!good || next != words.size()) return {};
    return c;
}

std::string Configuration::title() const {
    std::string text = fmt::format("{} {}x{}x{}, {} stages", engine == Engine::mma ? "mma" : "wgmma", tileRows,
                                   tileColumns, depth, stages);
    if (engine == Engine::mma) {
        text += fmt::format(", warps {}x{}x{}", warpsOfRows, warpsOfColumns, warpsOfDepth);
    } else {
        text += pingPong ? ", ping-pong" : consumers == 2 ? ", cooperative" : "";
        if (clusterRows * clusterColumns > 1) text += fmt::format(", cluster {}x{}", clusterRows, clusterColumns);
        if (swapped) text += ", swapped";
        if (persistent) text += ", persistent";
        text += storesBoxes ? ", stores boxes" : "";
    }
    if (splits > 1) text += fmt::format(", split {}{}", splits, splitsInCluster ? " in a cluster" : " by last arriver");
    if (halfSums) text += ", float16 sums";
    return text + fmt::format(", raster {}{}", rasterGroup, rasterAlongRows ? " along rows" : "");
}

namespace {

std::string refusalOfMma(const Configuration& c) {
    if (c.depth != 32 && c.depth != 64 && c.depth != 128) return "A stage has 32, 64 or 128 elements of k.";
    if (c.warpsOfRows < 1 || c.warpsOfColumns < 1 || c.warpsOfDepth < 1 || c.threads() > 512)
        return "A block has 1 to 16 warps.";
    if (c.tileRows % (16 * c.warpsOfRows) || c.tileColumns % (16 * c.warpsOfColumns))
        return "A warp's share of a tile is a multiple of 16 by 16.";
    if (c.depth / 16 % c.warpsOfDepth) return "A stage's k has to divide among the warps that share it.";
    if (c.layout == Layout::nn && c.tileColumns != 16 && c.tileColumns != 32 && c.tileColumns % 64)
        return "With B as [k, n] a tile has 16, 32 or a multiple of 64 columns.";
    if (c.splits > 1 && !c.splitsInCluster) return "The mma template adds up splits in clusters only.";
    if (c.halfSums && (c.splits > 1 || c.warpsOfDepth > 1)) return "Sums in float16 are not split.";
    if (c.stages < 2) return "It takes two stages at least.";
    if (sumRegisters(c) > 128) return "A warp's share of a tile takes more registers than there are.";
    return {};
}

std::string refusalOfWgmma(const Configuration& c) {
    const int members = c.pingPong ? 1 : c.consumers;
    if (c.depth != 64) return "A stage of wgmma has 64 elements of k.";
    if (c.consumers < 1 || c.consumers > 2) return "One or two warpgroups multiply.";
    if (c.pingPong && (c.consumers != 2 || !c.persistent || c.splits > 1))
        return "Ping-pong takes two warpgroups, persistent blocks and undivided sums.";
    if (c.tileRows % (64 * members) || c.tileRows > 256) return "A warpgroup's share is a multiple of 64 rows.";
    if (c.tileColumns % 8 || c.tileColumns < 8 || c.tileColumns > 256) return "A tile has 8 to 256 columns, by eights.";
    if (!c.yKInner() && c.tileColumns % 64) return "With B as [k, n] a tile has a multiple of 64 columns.";
    if (c.clusterRows < 1 || c.clusterColumns < 1 || c.clusterRows * c.clusterColumns > 8)
        return "A cluster has up to 8 blocks.";
    if (c.clusterColumns > 1 && c.tileRows / c.clusterColumns % 8) return "A block's share of a tile is eight lines.";
    if (c.clusterRows > 1 && c.yKInner() && (c.tileColumns % c.clusterRows || c.tileColumns / c.clusterRows % 8))
        return "A block's share of a tile is eight lines.";
    if (c.clusterRows > 4 || c.clusterColumns > 4) return "Up to four blocks bring one another a tile.";
    if (c.splitsInCluster && (c.clusterRows * c.clusterColumns > 1 || c.persistent || c.storesBoxes))
        return "A cluster that splits k does nothing else, and stores from registers.";
    if (c.splitsInCluster && c.tileRows % (2 * c.splits)) return "Each split adds up two rows at least.";
    if (!c.splitsInCluster && c.splits > 1 && c.clusterRows * c.clusterColumns > 1)
        return "Splits by last arriver go without multicast.";
    if (!c.splitsInCluster && c.splits > 1 && c.persistent)
        return "Splits by last arriver go without persistent blocks.";
    if (c.halfSums && c.splits > 1) return "Sums in float16 are not split.";
    if (c.storesBoxes &&
        (c.swapped ? c.tileColumns % 16 || (c.tileColumns > 64 && c.tileColumns % 64) : c.tileColumns % 64 != 0))
        return "Boxes of C are 64 columns wide (swapped: 16, 32, 48 or 64 lines).";
    if (c.halfSums && c.tileColumns % 16) return "Sums in float16 take a multiple of 16 columns.";
    if (c.stages < 2) return "It takes two stages at least.";
    if (sumRegisters(c) > (c.threads() > 200 ? 128 : 160)) return "The sums take more registers than there are.";
    return {};
}

} // namespace

std::string refusal(const Configuration& c) {
    if (c.stages > 12 || c.tileRows < 16 || c.tileColumns < 8 || c.tileRows > 256 || c.tileColumns > 256)
        return "Tiles have 16 to 256 rows, 8 to 256 columns and up to 12 stages.";
    const bool evenly = c.splits == 1 || c.splits == 2 || c.splits == 4 || c.splits == 8;
    if (c.splitsInCluster && !evenly) return "In a cluster k is split in 2, 4 or 8.";
    if (c.splits < 1 || c.splits > 16) return "k is split in 1 to 16.";
    if (c.splitsInCluster && c.splits == 1) return "One split needs no cluster.";
    if (c.rasterGroup < 1 || c.rasterGroup > 64) return "A raster's group has 1 to 64 tiles.";
    if (std::string why = c.engine == Engine::mma ? refusalOfMma(c) : refusalOfWgmma(c); !why.empty()) return why;
    if (c.sharedBytes() > sharedOfBlock)
        return fmt::format("It takes {} bytes of shared memory; a block has {}.", c.sharedBytes(), sharedOfBlock);
    return {};
}

std::string refusal(const Shape& shape) {
    if (shape.m < 1 || shape.n < 1 || shape.k < 1 || shape.m > mostOfExtent || shape.n > mostOfExtent ||
        shape.k > mostOfExtent)
        return "Extents go from 1 to 2^30.";
    constexpr std::int64_t mostOfMatrix = std::int64_t(1) << 40;
    if (shape.m * shape.k > mostOfMatrix || shape.k * shape.n > mostOfMatrix || shape.m * shape.n > mostOfMatrix)
        return "A matrix has up to 2^40 elements.";
    return {};
}

std::string familyRefusal(const Shape& shape) {
    if (std::string why = refusal(shape); !why.empty()) return why;
    if (shape.n % 8 || shape.k % 8) return "n and k have to be multiples of 8: lines are copied in pieces of 16 bytes.";
    return {};
}

std::string refusal(const Configuration& c, const Shape& shape) {
    if (std::string why = refusal(c); !why.empty()) return why;
    if (std::string why = familyRefusal(shape); !why.empty()) return why;
    if (c.swapped && !c.storesBoxes && shape.n % 2) return "n has to be even.";
    if (c.engine == Engine::wgmma && c.swapped && shape.m % 2) return "Swapped, m has to be even.";
    const std::int64_t rows = c.swapped ? shape.n : shape.m, columns = c.swapped ? shape.m : shape.n;
    const std::int64_t tiles = ((rows + c.tileRows - 1) / c.tileRows) * ((columns + c.tileColumns - 1) / c.tileColumns);
    if (c.splits > 1 && !c.splitsInCluster && tiles > mostCountedTiles)
        return "It has more tiles than are counted for splits.";
    if (tiles * c.splits > mostOfExtent) return "It has more tiles than a launch has blocks.";
    if ((shape.k + c.depth - 1) / c.depth < c.splits) return "k has fewer stages than splits.";
    return {};
}

} // namespace kernelarium::hgemm
