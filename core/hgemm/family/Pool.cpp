// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/family/Pool.h"

#include "core/hgemm/family/Launch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace kernelarium::hgemm {

namespace {

/// Collects configurations that are not refused.
class Collector {
public:
    Collector(Layout layout, bool halfSums)
        : m_layout(layout)
        , m_halfSums(halfSums) {}

    void add(Configuration c) {
        c.layout = m_layout;
        c.halfSums = m_halfSums;
        if (refusal(c).empty()) m_all.insert(c);
    }
    /// With as many stages as a block has room for, up to `most`.
    void addDeep(Configuration c, int most) {
        c.layout = m_layout;
        c.halfSums = m_halfSums;
        for (c.stages = most; c.stages >= 2; --c.stages)
            if (refusal(c).empty()) {
                m_all.insert(c);
                return;
            }
    }
    [[nodiscard]] std::vector<Configuration> all() const { return {m_all.begin(), m_all.end()}; }

private:
    Layout m_layout;
    bool m_halfSums;
    std::set<Configuration> m_all;
};

Configuration warpgroups(int rows, int columns, int consumers) {
    Configuration c;
    c.engine = Engine::wgmma;
    c.tileRows = rows;
    c.tileColumns = columns;
    c.consumers = consumers;
    return c;
}

/// For what fills the device many times over: large tiles that blocks of a cluster bring one another.
void addLarge(Collector& out) {
    struct Tile {
        int rows, columns;
        bool pingPong;
    };
    for (const Tile tile :
         {Tile{128, 256, false}, Tile{256, 128, false}, Tile{128, 192, false}, Tile{128, 128, false},
          Tile{256, 64, false}, Tile{64, 256, true}, Tile{128, 128, true}, Tile{64, 128, true}, Tile{64, 192, true}})
        for (const bool persistent : {true, false})
            for (const int cluster : {1, 2, 3}) // 1x1, 2x1, 1x2
                for (const int group : {4, 8, 16}) {
                    if (tile.pingPong && !persistent) continue;
                    if (group != 8 && (!persistent || tile.rows * tile.columns < 128 * 192)) continue;
                    Configuration c = warpgroups(tile.rows, tile.columns, 2);
                    c.pingPong = tile.pingPong;
                    c.persistent = persistent;
                    c.clusterRows = cluster == 2 ? 2 : 1;
                    c.clusterColumns = cluster == 3 ? 2 : 1;
                    c.rasterGroup = group;
                    c.storesBoxes = true;
                    out.addDeep(c, 8);
                    if (group != 8 || tile.pingPong) continue;
                    c.rasterAlongRows = true;
                    out.addDeep(c, 8);
                }
}

/// For what does not fill it: small tiles, and k split among the blocks of a cluster or with the last one to come.
void addSmall(Collector& out) {
    struct Tile {
        int rows, columns, consumers;
    };
    for (const Tile tile : {Tile{64, 32, 1}, Tile{64, 64, 1}, Tile{64, 128, 1}, Tile{64, 256, 1}, Tile{128, 32, 2},
                            Tile{128, 64, 2}, Tile{128, 128, 2}, Tile{128, 64, 1}, Tile{128, 256, 2}})
        for (const int splits : {1, 2, 4, 8})
            for (const bool inCluster : {true, false}) {
                if (splits == 1 && inCluster) continue;
                Configuration c = warpgroups(tile.rows, tile.columns, tile.consumers);
                c.splits = splits;
                c.splitsInCluster = inCluster;
                const int stages = tile.rows * tile.columns <= 64 * 128 ? 8 : 6;
                out.addDeep(c, stages);
                out.addDeep(c, 4);
                if (splits > 1 && inCluster) continue;
                c.storesBoxes = true;
                out.addDeep(c, 4);
            }
}

/// For deep k and so few tiles that clusters leave multiprocessors idle: larger tiles in more splits read the operands
/// less often.
void addDeepSplits(Collector& out) {
    struct Tile {
        int rows, columns, consumers;
    };
    for (const Tile tile : {Tile{64, 256, 1}, Tile{128, 128, 2}, Tile{128, 256, 2}})
        for (const int splits : {3, 5, 6, 12, 16}) {
            Configuration c = warpgroups(tile.rows, tile.columns, tile.consumers);
            c.splits = splits;
            c.storesBoxes = true;
            out.addDeep(c, 6);
        }
}

/// For a small m: it becomes the narrow side of wgmma.
void addSwapped(Collector& out) {
    for (const int rows : {64, 128, 256})
        for (const int columns : {16, 32, 64, 128})
            for (const int splits : {1, 2, 4, 8}) {
                Configuration c = warpgroups(rows, columns, rows == 64 ? 1 : 2);
                c.swapped = true;
                c.splits = splits;
                c.splitsInCluster = splits > 1;
                out.addDeep(c, 8);
                if (splits > 1) {
                    c.splitsInCluster = false;
                    c.storesBoxes = true;
                    out.addDeep(c, 8);
                    continue;
                }
                c.storesBoxes = true;
                out.addDeep(c, 8);
                out.addDeep(c, 4);
                c.persistent = true;
                out.addDeep(c, 8);
                c.clusterColumns = 2;
                out.addDeep(c, 8);
            }
}

/// For what is over before a pipeline of warpgroups is full.
void addWarps(Collector& out) {
    struct Tile {
        int rows, columns, warpsOfRows, warpsOfColumns, warpsOfDepth, depth;
    };
    for (const Tile t :
         {Tile{16, 16, 1, 1, 4, 64}, Tile{16, 32, 1, 1, 4, 64}, Tile{32, 16, 1, 1, 4, 64}, Tile{16, 64, 1, 2, 2, 64},
          Tile{32, 32, 1, 1, 4, 64}, Tile{32, 32, 2, 2, 1, 64}, Tile{32, 32, 2, 1, 2, 64}, Tile{32, 32, 1, 1, 8, 128},
          Tile{16, 32, 1, 1, 8, 128}, Tile{32, 64, 1, 2, 2, 64}, Tile{64, 32, 2, 1, 2, 64}, Tile{32, 64, 1, 4, 1, 64},
          Tile{64, 64, 2, 2, 1, 64}, Tile{64, 64, 2, 2, 2, 64}, Tile{64, 64, 2, 4, 1, 64}, Tile{64, 128, 2, 2, 1, 64},
          Tile{128, 64, 4, 1, 1, 64}, Tile{128, 128, 2, 2, 1, 32}, Tile{128, 128, 2, 4, 1, 64}})
        for (const int splits : {1, 2, 4, 8})
            for (const int stages : {2, 3, 4, 6}) {
                if (splits > 1 && stages == 2) continue;
                Configuration c;
                c.tileRows = t.rows;
                c.tileColumns = t.columns;
                c.depth = t.depth;
                c.warpsOfRows = t.warpsOfRows;
                c.warpsOfColumns = t.warpsOfColumns;
                c.warpsOfDepth = t.warpsOfDepth;
                c.stages = stages;
                c.splits = splits;
                c.splitsInCluster = splits > 1;
                out.add(c);
            }
}

double ceilOf(double x, double y) {
    return std::ceil(x / y);
}

} // namespace

std::vector<Configuration> pool(Layout layout, bool halfSums) {
    Collector out(layout, halfSums);
    addLarge(out);
    addSmall(out);
    addDeepSplits(out);
    addSwapped(out);
    addWarps(out);
    return out.all();
}

double modelledSeconds(const Configuration& c, const Shape& shape, const ModelDevice& device) {
    const FamilyLaunch l = launchOf(c, shape, device.multiprocessors);
    const bool wide = c.engine == Engine::wgmma;
    const double rows = double(l.rows), columns = double(l.columns), k = double(shape.k);
    const int down = c.splitsInCluster ? 1 : c.clusterRows, across = c.splitsInCluster ? 1 : c.clusterColumns;
    const double work = ceilOf(ceilOf(rows, c.tileRows), down) * down * ceilOf(ceilOf(columns, c.tileColumns), across) *
                        across * c.splits; // blocks' shares
    const double stages = ceilOf(ceilOf(k, c.depth), c.splits);
    const double places = double(device.multiprocessors) * c.blocksPerMultiprocessor();
    const double waves = std::max(1.0, work / places > 4 ? work / places + 0.3 : std::ceil(work / places));
    const double shared = std::min<double>(c.blocksPerMultiprocessor(), std::ceil(work / device.multiprocessors));
    // Clocks of a stage, for all blocks of a multiprocessor: 4,096 products a clock of k16 steps of wgmma, which take
    // 16 clocks at least; mma.sync has some six tenths of that.
    const double products = double(c.tileRows) * c.tileColumns * c.depth;
    double multiplying = products / (wide ? 2048.0 : 1200.0);
    if (wide) multiplying = std::max(multiplying, c.depth / 16.0 * c.tileRows / 64.0 * 16.0);
    const double bytes = 2.0 * c.depth * (double(c.tileRows) / across + double(c.tileColumns) / down);
    const double bringing = bytes / device.l2BytesPerClock;
    const double pace = shared * std::max(multiplying, bringing);
    const double latency = wide ? 900 : 700; // of the first stage
    // One that is not deep enough waits for memory in each stage.
    const double hidden = std::max(pace, latency / std::max(1, c.stages - 1));
    double epilogue = shared * c.tileRows * c.tileColumns * 2.0 / 24 + (c.splits > 1 ? 1800 : 600);
    if (c.splits > 1 && !c.splitsInCluster) epilogue += shared * c.tileRows * c.tileColumns * 8.0 / 24;
    if (c.pingPong || (c.persistent && c.storesBoxes)) epilogue *= 0.5;
    const double clocks = waves * (stages * hidden + epilogue) + latency + (wide ? 500 : 0);
    const double moved = 2 * (rows * k + columns * k + rows * columns);
    return 1.5e-6 + std::max(clocks / device.clockHertz, moved / device.memoryBytesPerSecond);
}

std::vector<Configuration> candidates(const Shape& shape, Layout layout, bool halfSums, std::size_t most,
                                      const ModelDevice& device) {
    std::vector<std::pair<double, Configuration>> ranked;
    for (const Configuration& c : pool(layout, halfSums))
        if (refusal(c, shape).empty()) ranked.emplace_back(modelledSeconds(c, shape, device), c);
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Configuration> out;
    std::set<Configuration> taken;
    std::map<std::tuple<Engine, int, int, bool>, std::size_t> ofTile;
    constexpr double hopeless = 1.6; // times the best
    const auto take = [&](std::size_t count, std::size_t mostOfTile, auto accepts) {
        for (const auto& [seconds, c] : ranked) {
            if (count == 0 || out.size() == most) return;
            std::size_t& same = ofTile[{c.engine, c.tileRows, c.tileColumns, c.swapped}];
            if (same >= mostOfTile || !accepts(c) || !taken.insert(c).second) continue;
            out.push_back(c);
            ++same;
            --count;
        }
    };
    const std::size_t few = std::max<std::size_t>(2, most / 12);
    for (const Engine engine : {Engine::wgmma, Engine::mma})
        take(most / 4, few, [&](const Configuration& c) {
            return c.engine == engine && modelledSeconds(c, shape, device) < hopeless * ranked.front().first;
        });
    take(most, few, [](const Configuration&) { return true; });
    take(most, most, [](const Configuration&) { return true; });
    return out;
}

} // namespace kernelarium::hgemm
