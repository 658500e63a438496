// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/explain/WarpModel.h"

#include <algorithm>
#include <array>

namespace kernelarium::sass {

int modelledLatency(const Instruction& i) {
    struct Latency {
        std::string_view mnemonic;
        int cycles;
    };
    static constexpr Latency latencies[] = {{"LDS", 23},   {"LDSM", 29}, {"LDG", 39}, {"LD", 39},     {"LDL", 39},
                                            {"SHFL", 26},  {"MUFU", 20}, {"LDC", 30}, {"S2R", 25},    {"S2UR", 25},
                                            {"REDUX", 25}, {"STS", 12},  {"STG", 14}, {"LDGSTS", 39}, {"DMMA", 32}};
    for (const Latency& one : latencies)
        if (one.mnemonic == i.mnemonic) return one.cycles;
    return 20;
}

int modelledReadLatency(const Instruction&) {
    return 12;
}

int pipeCycles(IssuePipe pipe, int computeCapability) {
    switch (pipe) {
    case IssuePipe::floating: return computeCapability == 80 ? 2 : 1; // 16 lanes a scheduler on 8.0, 32 after it
    case IssuePipe::integer:
    case IssuePipe::multiply:
    case IssuePipe::half:
    case IssuePipe::halfMatrix:
    case IssuePipe::uniform:
    case IssuePipe::toUniform: return 2;
    case IssuePipe::doubled: return computeCapability == 86 || computeCapability == 89 ? 16 : 2;
    case IssuePipe::matrix: return computeCapability == 90 ? 6 : 8;
    case IssuePipe::memory: return 4;
    case IssuePipe::conversion:
    case IssuePipe::constant:
    case IssuePipe::special: return 8;
    case IssuePipe::uniformMove:
    case IssuePipe::branch:
    case IssuePipe::other: break;
    }
    return 1;
}

double LoopModel::cyclesWith(int warps) const {
    return std::max(double(cycles), double(floor()) * warps);
}

int LoopModel::floor() const {
    int most = instructions;
    for (const auto& [pipe, held] : busy)
        most = std::max(most, held);
    return std::max(most, 1);
}

int LoopModel::enoughWarps() const {
    return (cycles + floor() - 1) / floor();
}

int LoopModel::indexOf(int instruction) const {
    const auto found = std::lower_bound(issues.begin(), issues.end(), instruction,
                                        [](const ModelledIssue& one, int asked) { return one.instruction < asked; });
    return found == issues.end() || found->instruction != instruction ? -1 : int(found - issues.begin());
}

namespace {

/// A warp alone, in order: an instruction goes when the stall before it is over and its scoreboards are free.
class Turn {
public:
    explicit Turn(const std::vector<Instruction>& code)
        : m_code(code) {}

    void run(int first, int last, LoopModel* into) {
        for (int k = first; k <= last; ++k) {
            const Instruction& i = m_code[std::size_t(k)];
            ModelledIssue issue{k, m_now, 0, -1, 0};
            unsigned waits = i.control.waits;
            if (i.mnemonic == "DEPBAR") waits |= unsigned(i.word.bits(32, 6)) | (1u << i.word.bits(44, 3));
            for (int board = 0; board < scoreboardCount; ++board)
                if ((waits >> board & 1) && m_free[std::size_t(board)] > issue.time) {
                    issue.time = m_free[std::size_t(board)];
                    issue.waited = issue.time - m_now;
                    issue.waitedFor = m_owner[std::size_t(board)];
                    issue.scoreboard = board;
                }
            if (!i.neverRuns()) {
                hold(i.control.writeBarrier, issue.time + modelledLatency(i), k);
                hold(i.control.readBarrier, issue.time + modelledReadLatency(i), k);
            }
            m_now = issue.time + std::max(i.control.stall, 1);
            if (into) add(*into, i, issue);
        }
    }

    [[nodiscard]] int now() const { return m_now; }

private:
    void hold(int board, int until, int owner) {
        if (board == noScoreboard || m_free[std::size_t(board)] > until) return;
        m_free[std::size_t(board)] = until;
        m_owner[std::size_t(board)] = owner;
    }

    static void add(LoopModel& model, const Instruction& i, const ModelledIssue& issue) {
        model.issues.push_back(issue);
        model.stalls += std::max(i.control.stall, 1);
        ++model.instructions;
    }

    const std::vector<Instruction>& m_code;
    std::array<int, scoreboardCount> m_free{};
    std::array<int, scoreboardCount> m_owner{};
    int m_now = 0;
};

} // namespace

LoopModel modelLoop(const std::vector<Instruction>& code, const std::vector<Block>& blocks, const Loop& loop,
                    int computeCapability) {
    LoopModel model;
    Turn turn(code);
    for (const int b : loop.blocks)
        turn.run(blocks[std::size_t(b)].first, blocks[std::size_t(b)].last, nullptr);
    const int begin = turn.now();
    for (const int b : loop.blocks)
        turn.run(blocks[std::size_t(b)].first, blocks[std::size_t(b)].last, &model);
    model.cycles = turn.now() - begin;
    for (ModelledIssue& issue : model.issues)
        issue.time -= begin;
    for (const ModelledIssue& issue : model.issues) {
        const Instruction& i = code[std::size_t(issue.instruction)];
        if (!i.neverRuns() && i.fence != Fence::padding)
            model.busy[issuePipe(i)] += pipeCycles(issuePipe(i), computeCapability);
    }
    for (const auto& [pipe, held] : model.busy)
        if (held > model.busy[model.busiest]) model.busiest = pipe;
    return model;
}

} // namespace kernelarium::sass
