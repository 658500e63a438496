// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/HostRun.h"

#include "gpu/emulator/control/Control.h"
#include "gpu/emulator/run/BlockRunner.h"
#include "gpu/emulator/run/DeviceCalls.h"

#include <fmt/format.h>
#include <map>

namespace kernelarium::emulator {

namespace {
constexpr std::uint32_t stackBytes = 16u << 20;
constexpr std::int64_t slice = 1 << 20;
} // namespace

struct HostRun::Impl {
    struct Snapshot {
        std::vector<Frame> frames;
        std::vector<Path> paths;
        std::vector<std::byte> registers;
        const Inst* call = nullptr;
        const Inst* reconverge = nullptr;
    };

    const Program& program;
    ExternHandler& handler;
    const RunOptions& options;
    LaunchConfig config;
    FaultLog faults;
    LaunchState state;
    Worker worker;
    Warp warp;
    const Inst* pendingCall = nullptr;
    std::map<std::uint64_t, Snapshot> snapshots;
    std::uint64_t nextSnapshot = 1;
    mutable Counters counters;

    Impl(const Program& p, ExternHandler& h, const RunOptions& o)
        : program(p)
        , handler(h)
        , options(o)
        , faults(o.faultsPerKind) {
        const Code& code = program.code();
        state.code = &code;
        state.memory = &program.memory();
        state.config = &config;
        state.options = &options;
        state.faults = &faults;
        state.checks = true;
        worker.launch = &state;
        worker.memory = program.memory().data();
        worker.states = program.memory().states();
        worker.checks = true;
        worker.hostOwner = this;
        worker.blockRuns.assign(code.blocks.size(), 0);
        worker.blockLanes.assign(code.blocks.size(), 0);
        warp.worker = &worker;
        warp.localStride = stackBytes;
        warp.localMemory.resize(stackBytes + 64);
        warp.local = warp.localMemory.data();
        warp.specials.resize(code.specialBytes + 64);
        for (std::uint32_t i = 0; i < laneCount; ++i) {
            for (int s = int(special::ntidX); s <= int(special::ntidZ); ++s)
                special(s)[i] = 1;
            for (int s = int(special::nctaidX); s <= int(special::nctaidZ); ++s)
                special(s)[i] = 1;
        }
        warp.base[1] = code.constantLanes.data();
        warp.base[2] = warp.specials.data();
        warp.live = 1;
    }

    std::uint32_t* special(int slot) {
        return reinterpret_cast<std::uint32_t*>(warp.specials.data() + std::uint32_t(slot) * special::bytes);
    }

    Error stopped() const {
        const std::string& why = state.reason;
        switch (LaunchEnd(state.end.load())) {
        case LaunchEnd::timeout: return {"timeout", why, "", ""};
        case LaunchEnd::cancelled: return {"cancelled", why, "", ""};
        case LaunchEnd::unsupported: return {"unsupported", why, "", ""};
        default: return {"fault", why, "", ""};
        }
    }

    Result<void> look() {
        if (options.stop.stop_requested()) return Error{"cancelled", "The run was cancelled.", "", ""};
        if (std::chrono::steady_clock::now() > options.deadline)
            return Error{"timeout", fmt::format("Host code reached the time limit{}.", lineText()), "", ""};
        return {};
    }

    std::string lineText() const {
        const int line = currentLine();
        return line ? fmt::format(" at line {}", line) : std::string();
    }

    int lineOf(const Inst* ip) const {
        return ip && ip->source >= 0 ? state.code->sources[std::size_t(ip->source)].userLine : 0;
    }
    int currentLine() const {
        if (const int line = lineOf(pendingCall ? pendingCall : warp.ip)) return line;
        for (auto f = warp.frames.rbegin(); f != warp.frames.rend(); ++f)
            if (const int line = lineOf(f->call)) return line;
        return 0;
    }

    /// Runs until the outermost frame returns.
    Result<void> run() {
        while (true) {
            // Allocations made by the last extern call widened the memory.
            worker.memoryLimit = program.memory().limit();
            warp.fuel = slice;
            interpret(warp);
            switch (warp.pause) {
            case Pause::done: return {};
            case Pause::slice:
                if (Result<void> r = look(); !r.ok()) return r;
                break;
            case Pause::externCall:
                if (Result<void> r = externCall(); !r.ok()) return r;
                if (Result<void> r = look(); !r.ok()) return r;
                break;
            default: return stopped();
            }
        }
    }

    Result<void> externCall() {
        const Code& code = *state.code;
        const Inst* call = warp.ip;
        const ExternFunction& function = code.externs[code.bodies[warp.pauseArgument].externIndex];
        const CallSite& site = code.callSites[call->aux];
        ExternCall c;
        c.name = function.name;
        for (const CallSite::Move& m : site.parameters) {
            const std::byte* from = warp.local + warp.localBase + m.caller;
            c.parameters.emplace_back(from, from + m.bytes);
        }
        c.result.resize(site.results.empty() ? 0 : site.results[0].bytes);
        const Inst* outer = pendingCall;
        pendingCall = call;
        const ExternAction action = m_owner->m_impl->handler.call(*m_owner, c);
        const int line = currentLine();
        pendingCall = outer;
        switch (action) {
        case ExternAction::proceed:
            if (!site.results.empty())
                std::memcpy(warp.local + warp.localBase + site.results[0].caller, c.result.data(), c.result.size());
            warp.ip = call + 1;
            return {};
        case ExternAction::unwound: return {};
        case ExternAction::stop: return Error{"stopped", "The run was ended.", "", ""};
        case ExternAction::unsupported: break;
        }
        return Error{"unsupported", std::string(function.name), "", line ? fmt::format("line {}", line) : ""};
    }

    HostRun* m_owner = nullptr;
};

HostRun::HostRun(const Program& program, ExternHandler& handler, const RunOptions& options)
    : m_impl(std::make_unique<Impl>(program, handler, options)) {
    m_impl->m_owner = this;
}
HostRun::~HostRun() = default;

Result<std::vector<std::byte>> HostRun::call(std::uint32_t function,
                                             std::span<const std::vector<std::byte>> parameters) {
    Impl& m = *m_impl;
    Warp& w = m.warp;
    const Code& code = *m.state.code;
    if (function >= code.bodies.size() || !code.bodies[function].entry || code.functions[function].isKernel)
        return Error{"fault", "Host code called a function that the file does not define.", "", ""};
    const FunctionCode& body = code.bodies[function];
    if (parameters.size() != body.parameterOffsets.size())
        return Error{"fault",
                     fmt::format("{} takes {} parameters, {} were given.", code.functions[function].name,
                                 body.parameterOffsets.size(), parameters.size()),
                     "", ""};
    // An interrupted call keeps its frames; this one starts above them.
    std::vector<Frame> frames = std::move(w.frames);
    std::vector<Path> paths = std::move(w.paths);
    const Inst* ip = w.ip;
    const Inst* reconverge = w.reconverge;
    const std::uint32_t rootRegister = w.rootRegister, rootLocal = w.rootLocal;
    if (!frames.empty()) {
        const Frame& top = frames.back();
        w.rootRegister = top.registerBase + code.bodies[top.function].registerBytes;
        w.rootLocal = (top.localBase + code.bodies[top.function].localBytes + 15) & ~15u;
    }
    w.frames.clear();
    w.paths.clear();
    w.reconverge = nullptr;
    w.active = w.live = 1;
    m.state.end = -1;
    Result<std::vector<std::byte>> result = std::vector<std::byte>();
    if (!pushFrame(w, function, 1, nullptr)) {
        result = m.stopped();
    } else {
        for (std::size_t k = 0; k < parameters.size(); ++k)
            std::memcpy(w.local + w.localBase + body.parameterOffsets[k], parameters[k].data(),
                        std::min<std::size_t>(parameters[k].size(), body.parameterBytes[k]));
        const std::uint32_t root = w.localBase;
        w.ip = body.entry;
        const Result<void> run = m.run();
        if (!run.ok()) {
            result = run.error();
        } else {
            std::vector<std::byte> bytes;
            for (std::size_t k = 0; k < body.resultOffsets.size(); ++k) {
                const std::byte* from = w.local + root + body.resultOffsets[k];
                bytes.insert(bytes.end(), from, from + body.resultBytes[k]);
            }
            result = std::move(bytes);
        }
    }
    w.frames = std::move(frames);
    w.paths = std::move(paths);
    w.ip = ip;
    w.reconverge = reconverge;
    w.rootRegister = rootRegister;
    w.rootLocal = rootLocal;
    w.active = w.live = 1;
    if (!w.frames.empty()) {
        w.base[0] = w.registers.data() + w.frames.back().registerBase;
        w.localBase = w.frames.back().localBase;
    }
    return result;
}

Result<void> HostRun::read(std::uint64_t address, std::span<std::byte> out) const {
    m_impl->worker.memoryLimit = m_impl->program.memory().limit();
    if (out.empty() || readLane(m_impl->warp, 0, address, out.data(), out.size())) return {};
    return Error{"out_of_bounds", fmt::format("{} bytes at {:#x} are not readable.", out.size(), address), "", ""};
}

Result<void> HostRun::write(std::uint64_t address, std::span<const std::byte> bytes) {
    m_impl->worker.memoryLimit = m_impl->program.memory().limit();
    if (bytes.empty() || writeLane(m_impl->warp, 0, address, bytes.data(), bytes.size())) return {};
    return Error{"out_of_bounds", fmt::format("{} bytes at {:#x} are not writable.", bytes.size(), address), "", ""};
}

Result<std::string> HostRun::readString(std::uint64_t address, std::size_t limit) const {
    m_impl->worker.memoryLimit = m_impl->program.memory().limit();
    char first;
    if (!readLane(m_impl->warp, 0, address, &first, 1))
        return Error{"out_of_bounds", fmt::format("There is no text at {:#x}.", address), "", ""};
    return readStringLane(m_impl->warp, 0, address, limit);
}

std::uint64_t HostRun::saveFrame() {
    Impl& m = *m_impl;
    const Warp& w = m.warp;
    Impl::Snapshot s;
    s.frames = w.frames;
    s.paths = w.paths;
    s.call = m.pendingCall;
    s.reconverge = w.reconverge;
    const Frame& f = w.frames.back();
    const std::byte* from = w.registers.data() + f.registerBase;
    s.registers.assign(from, from + m.state.code->bodies[f.function].registerBytes);
    const std::uint64_t id = m.nextSnapshot++;
    m.snapshots.emplace(id, std::move(s));
    return id;
}

bool HostRun::isLive(std::uint64_t id) const {
    const auto found = m_impl->snapshots.find(id);
    if (found == m_impl->snapshots.end()) return false;
    const std::vector<Frame>& then = found->second.frames;
    const std::vector<Frame>& now = m_impl->warp.frames;
    return now.size() >= then.size() && now[then.size() - 1].serial == then.back().serial;
}

bool HostRun::unwindTo(std::uint64_t id, std::span<const std::byte> result) {
    if (!isLive(id)) return false;
    Impl& m = *m_impl;
    Warp& w = m.warp;
    const Impl::Snapshot& s = m.snapshots.at(id);
    w.frames = s.frames;
    w.paths = s.paths;
    w.reconverge = s.reconverge;
    w.active = 1;
    const Frame& f = w.frames.back();
    w.base[0] = w.registers.data() + f.registerBase;
    w.localBase = f.localBase;
    std::memcpy(w.base[0], s.registers.data(), s.registers.size());
    const CallSite& site = m.state.code->callSites[s.call->aux];
    if (!site.results.empty())
        std::memcpy(w.local + w.localBase + site.results[0].caller, result.data(),
                    std::min<std::size_t>(result.size(), site.results[0].bytes));
    w.ip = s.call + 1;
    return true;
}

void HostRun::forgetFrame(std::uint64_t id) {
    m_impl->snapshots.erase(id);
}

int HostRun::currentLine() const {
    return m_impl->currentLine();
}

const Counters& HostRun::counters() const {
    const Impl& m = *m_impl;
    m.counters = {};
    for (std::size_t b = 0; b < m.state.code->blocks.size(); ++b)
        m.counters.warpInstructions += m.worker.blockRuns[b] * m.state.code->blocks[b].instructions;
    m.counters.threadInstructions = m.counters.warpInstructions;
    return m.counters;
}

} // namespace kernelarium::emulator
