// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/record/Recorder.h"

#include "gpu/emulator/control/Control.h"
#include "gpu/emulator/counters/Tally.h"
#include "gpu/emulator/record/RecordedAccess.h"
#include "gpu/emulator/warp/AccessAddresses.h"

#include <bit>
#include <cstring>
#include <set>

namespace kernelarium::emulator {

namespace {

/// Words of the register in the lanes of a mask.
std::vector<std::uint64_t> wordsOf(const std::byte* frame, const RecordedCode::Destination& d, std::uint32_t lanes) {
    std::vector<std::uint64_t> words;
    const std::byte* at = frame + d.offset;
    std::uint32_t predicate = 0;
    if (d.bytes == 0) std::memcpy(&predicate, at, 4);
    for (std::uint32_t m = lanes; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        if (d.bytes == 0) {
            words.push_back(predicate >> lane & 1);
            continue;
        }
        for (std::uint32_t k = 0; k < d.bytes; k += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, at + std::size_t(lane) * d.bytes + k, std::min(d.bytes, 8u));
            words.push_back(word);
        }
    }
    return words;
}

/// Kinds of instructions after which shared memory may be another one.
bool mayChangeShared(InstructionClass kind) {
    using Kind = InstructionClass;
    return kind == Kind::load || kind == Kind::store || kind == Kind::atomic || kind == Kind::barrier ||
           kind == Kind::control;
}

/// Whether the function, or one that it calls by name, has code of a line of the user's source.
bool hasLine(const Code& code, std::uint32_t function, int line, std::set<std::uint32_t>& seen) {
    if (!seen.insert(function).second) return false;
    for (const Inst& i : code.bodies[function].instructions) {
        if (i.source < 0) continue;
        if (code.sources[std::size_t(i.source)].userLine == line) return true;
        if (i.fn != callFunction || code.callSites[i.aux].indirect) continue;
        if (hasLine(code, code.callSites[i.aux].function, line, seen)) return true;
    }
    return false;
}

const std::byte* frameOf(const Warp& w, std::uint32_t registerBase) {
    return w.registers.data() + registerBase;
}

} // namespace

Recorder::Recorder(const Program& program, const recording::Request& request)
    : m_code(program.code())
    , m_memory(program.memory())
    , m_names(m_code, program.parsed())
    , m_request(request) {
    m_request.maxSteps = std::clamp<std::size_t>(request.maxSteps, 1, recording::mostSteps);
}

bool Recorder::wantsLaunch(std::uint32_t number, std::uint32_t kernel) {
    if (m_launch) return false;
    std::set<std::uint32_t> seen;
    if (m_request.launch ? *m_request.launch == number
                         : m_request.line <= 0 || hasLine(m_code, kernel, m_request.line, seen))
        m_launch = number;
    return m_launch.has_value();
}

void Recorder::start(const Block& block, const LaunchConfig& config) {
    m_started = true;
    m_recording.launch = m_launch.value_or(0);
    m_recording.grid = config.grid;
    m_recording.blockSize = config.block;
    m_recording.block = block.index;
    m_recording.warps = (block.threads + laneCount - 1) / laneCount;
    m_recording.onlyWarp = m_request.warp;
    m_recording.line = m_request.line;
    m_shared.start(block, m_recording);
    m_memory.forEachLive([this](const Allocation& a) {
        if (a.owner != Owner::hostHeap && a.owner != Owner::pinned)
            m_recording.allocations.push_back({a.label, a.address, a.bytes});
    });
}

const Inst* Recorder::step(Warp& w, const Inst* ip) {
    if (ip->source < 0) return ip->fn(w, ip);
    if (ip->fn != predicated) return observed(w, ip, ip, w.active);
    const std::uint32_t on = guardMask(w, ip);
    // Where all lanes are on, the instruction itself comes next by itself.
    return on == w.active ? ip->fn(w, ip) : observed(w, ip, ip + 1, on);
}

const Inst* Recorder::observed(Warp& w, const Inst* ip, const Inst* inner, std::uint32_t on) {
    const Frame& f = w.frames.back();
    const Place place{f.serial, f.function, f.registerBase, std::uint32_t(w.frames.size())};
    const InstructionFacts& facts = m_code.sources[std::size_t(inner->source)];
    const RecordedCode::Entry* entry = m_names.entryOf(f.function, facts.instruction);
    if (!entry) return ip->fn(w, ip); // the return at a function's end, which no text has
    if (!continues(w, inner, place)) {
        if (!makeRoom(*w.block)) {
            m_recording.isCut = true;
            w.worker->launch->finish(LaunchEnd::cancelled, "recorded");
            w.ip = ip;
            w.pause = Pause::stop;
            return nullptr;
        }
        open(w, inner, place, *entry, on);
    }
    noteAccesses(w, inner, on, m_steps.back().accesses);
    m_isOpen = true;
    const Inst* next = ip->fn(w, ip);
    m_isOpen = false;
    m_lastPart = inner;
    noteAfter(w, place, *entry);
    noteWrittenValues(w, m_steps.back().accesses);
    if (m_sharedMayDiffer || mayChangeShared(facts.kind)) noteShared(*w.block);
    return next;
}

/// Whether this is another part of the instruction that the last step is of.
bool Recorder::continues(const Warp& w, const Inst* inner, const Place& place) const {
    if (m_steps.empty() || !m_lastPart || m_lastPart + 1 != inner) return false;
    const recording::Step& last = m_steps.back();
    const auto& sources = m_code.sources;
    return last.warp == w.index && last.frame == place.frame &&
           sources[std::size_t(inner->source)].kind == InstructionClass::none &&
           sources[std::size_t(inner->source)].instruction == sources[std::size_t(m_lastPart->source)].instruction;
}

void Recorder::open(const Warp& w, const Inst* inner, const Place& place, const RecordedCode::Entry& entry,
                    std::uint32_t on) {
    recording::Step& s = m_steps.emplace_back();
    s.warp = w.index;
    s.instruction = entry.index;
    s.frame = place.frame;
    s.depth = place.depth;
    s.active = w.active;
    s.on = on;
    const int line = m_code.sources[std::size_t(inner->source)].userLine;
    if (m_request.line > 0 && line == m_request.line && !m_recording.lineStep)
        m_recording.lineStep = m_steps.size() - 1;
    if (on) noteBefore(w, place, entry);
}

void Recorder::noteBefore(const Warp& w, const Place& place, const RecordedCode::Entry& entry) {
    recording::Step& s = m_steps.back();
    for (const RecordedCode::Destination& d : entry.destinations) {
        recording::RegisterChange c;
        c.reg = d.reg;
        c.lanes = s.on;
        std::uint32_t& written = m_written[{s.warp, s.frame, d.reg}];
        c.fresh = s.on & ~written;
        written |= s.on;
        c.before = wordsOf(frameOf(w, place.registerBase), d, s.on);
        s.registers.push_back(std::move(c));
    }
}

void Recorder::noteAfter(const Warp& w, const Place& place, const RecordedCode::Entry& entry) {
    recording::Step& s = m_steps.back();
    for (std::size_t k = 0; k < s.registers.size(); ++k)
        s.registers[k].after = wordsOf(frameOf(w, place.registerBase), entry.destinations[k], s.on);
}

void Recorder::noteShared(const Block& block) {
    m_sharedMayDiffer = false;
    m_shared.look(block, m_steps.back().shared);
}

void Recorder::noteFault(const Warp& w, std::uint32_t lanes, const char* kind, const std::string& message) {
    if (!m_isOpen || m_steps.empty() || m_steps.back().warp != w.index) return;
    m_steps.back().faults.push_back({kind, message, lanes});
}

/// False when the recording is full: what is wanted lies in its first half.
bool Recorder::makeRoom(const Block& block) {
    if (m_steps.size() < m_request.maxSteps) return true;
    if (m_request.line <= 0) return false;
    if (m_recording.lineStep && *m_recording.lineStep <= m_request.maxSteps / 2) return false;
    forgetFirst();
    if (m_base.size() + m_written.size() > m_mostStates) forgetEndedCalls(block);
    return true;
}

/// Calls of functions that have returned and that no kept step belongs to are never looked at again.
void Recorder::forgetEndedCalls(const Block& block) {
    std::set<std::pair<std::uint32_t, std::uint64_t>> needed;
    for (const recording::Step& s : m_steps)
        needed.emplace(s.warp, s.frame);
    const auto keep = [&](const Warp& w, const std::vector<Frame>& frames) {
        for (const Frame& f : frames)
            needed.emplace(w.index, f.serial);
    };
    for (const auto& w : block.warps) {
        keep(*w, w->frames);
        for (const Split& s : w->others)
            keep(*w, s.frames);
    }
    const auto isOver = [&](const auto& entry) {
        return !needed.contains({std::get<0>(entry.first), std::get<1>(entry.first)});
    };
    std::erase_if(m_base, isOver);
    std::erase_if(m_written, isOver);
    m_mostStates = std::max(leastStates, 2 * (m_base.size() + m_written.size()));
}

void Recorder::forgetFirst() {
    const recording::Step& s = m_steps.front();
    for (const recording::RegisterChange& c : s.registers) {
        const std::size_t words = c.after.size() / std::size_t(std::max(1, std::popcount(c.lanes)));
        recording::RegisterState& state = m_base[{s.warp, s.frame, c.reg}];
        state.warp = s.warp;
        state.frame = s.frame;
        state.reg = c.reg;
        state.written |= c.lanes;
        state.values.resize(laneCount * words);
        std::size_t k = 0;
        for (std::uint32_t m = c.lanes; m; m &= m - 1)
            for (std::size_t word = 0; word < words; ++word)
                state.values[std::size_t(std::countr_zero(m)) * words + word] = c.after[k++];
    }
    for (const recording::SharedChange& c : s.shared) {
        m_recording.sharedBase[c.word] = c.after;
        if (c.fresh) m_recording.sharedWritten[c.word] = 1;
    }
    m_steps.pop_front();
    ++m_recording.skipped;
    if (m_recording.lineStep) --*m_recording.lineStep;
}

recording::Recording Recorder::take() {
    m_names.take(m_recording);
    for (auto& [key, state] : m_base)
        m_recording.base.push_back(std::move(state));
    m_recording.steps.assign(std::make_move_iterator(m_steps.begin()), std::make_move_iterator(m_steps.end()));
    m_steps.clear();
    return std::move(m_recording);
}

void interpretRecording(Warp& w) {
    Recorder& recorder = *w.block->recorder;
    Tally* const tally = w.worker->tally;
    recorder.resume();
    const Inst* ip = w.ip;
    w.pause = Pause::none;
    while (ip) {
        if (tally) tally->observe(w, ip);
        ip = recorder.step(w, ip);
    }
}

} // namespace kernelarium::emulator
