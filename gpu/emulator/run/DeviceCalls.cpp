// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/DeviceCalls.h"

#include "gpu/emulator/run/DeviceLaunches.h"
#include "gpu/emulator/run/PrintfSpec.h"

#include <bit>
#include <fmt/format.h>

namespace kernelarium::emulator {

namespace {

/// Where `bytes` at the address stand in this process, or null.
std::byte* locate(const Warp& w, std::uint32_t lane, std::uint64_t address, std::size_t bytes) {
    const std::uint64_t start = (address >> window::shift) << window::shift;
    const std::uint64_t offset = address - start;
    const auto inside = [&](std::uint64_t limit) { return offset < limit && bytes <= limit - offset; };
    if (start == DeviceMemory::base) return inside(w.worker->memoryLimit) ? w.worker->memory + offset : nullptr;
    if (start == window::local)
        return inside(w.localStride) ? w.local + std::size_t(lane) * w.localStride + offset : nullptr;
    if (start == window::shared && w.block) return inside(w.block->sharedBytes) ? w.block->shared + offset : nullptr;
    return nullptr;
}

template <class T> T parameter(const Warp& w, const CallSite& site, std::size_t index, std::uint32_t lane) {
    T value{};
    if (index < site.parameters.size())
        std::memcpy(&value, w.local + std::size_t(lane) * w.localStride + w.localBase + site.parameters[index].caller,
                    sizeof(T));
    return value;
}

template <class T> void setResult(Warp& w, const CallSite& site, std::uint32_t lane, T value) {
    if (site.results.empty()) return;
    const std::size_t at = std::size_t(lane) * w.localStride + w.localBase + site.results[0].caller;
    std::memcpy(w.local + at, &value, sizeof value);
    if (w.localStates) std::memset(w.localStates + at, 1, sizeof value);
}

template <class T> std::string printed(const std::string& spec, T value) {
    const int size = std::snprintf(nullptr, 0, spec.c_str(), value);
    std::string out(std::size_t(std::max(size, 0)) + 1, '\0');
    std::snprintf(out.data(), out.size(), spec.c_str(), value);
    out.pop_back();
    return out;
}

std::string formatOne(const std::string& spec, char conversion, bool wide, std::uint64_t raw) {
    switch (conversion) {
    case 'd':
    case 'i': return wide ? printed(spec, static_cast<long long>(raw)) : printed(spec, int(raw));
    case 'u':
    case 'x':
    case 'X':
    case 'o': return wide ? printed(spec, static_cast<unsigned long long>(raw)) : printed(spec, unsigned(raw));
    case 'c': return printed(spec, int(raw));
    case 'p': return printed("0x%llx", static_cast<unsigned long long>(raw));
    default: return printed(spec, std::bit_cast<double>(raw));
    }
}

} // namespace

bool readLane(const Warp& w, std::uint32_t lane, std::uint64_t address, void* out, std::size_t bytes) {
    const std::byte* from = locate(w, lane, address, bytes);
    if (from) std::memcpy(out, from, bytes);
    return from != nullptr;
}

bool writeLane(Warp& w, std::uint32_t lane, std::uint64_t address, const void* from, std::size_t bytes) {
    std::byte* to = locate(w, lane, address, bytes);
    if (!to) return false;
    std::memcpy(to, from, bytes);
    const std::uint64_t start = (address >> window::shift) << window::shift;
    if (start == DeviceMemory::base && w.worker->states) {
        for (std::size_t k = 0; k < bytes; ++k)
            w.worker->states[address - start + k] |= DeviceMemory::stateInitialised;
    } else if (start == window::local && w.localStates) {
        std::memset(w.localStates + (to - w.local), 1, bytes);
    }
    return true;
}

std::string readStringLane(const Warp& w, std::uint32_t lane, std::uint64_t address, std::size_t limit) {
    std::string text;
    for (char c = 0; text.size() < limit && readLane(w, lane, address + text.size(), &c, 1) && c != 0;)
        text += c;
    return text;
}

std::string formatPacked(const std::string& format, const std::function<bool(std::size_t, void*, std::size_t)>& read,
                         const std::function<std::string(std::uint64_t)>& string) {
    std::string out;
    std::size_t offset = 0;
    const auto fetch = [&](std::size_t bytes) {
        offset = (offset + bytes - 1) / bytes * bytes;
        std::uint64_t raw = 0;
        read(offset, &raw, bytes);
        offset += bytes;
        return raw;
    };
    for (std::size_t i = 0; i < format.size() && out.size() < longestPrintf;) {
        if (format[i] != '%') {
            out += format[i++];
            continue;
        }
        if (format.substr(i, 2) == "%%") {
            out += '%';
            i += 2;
            continue;
        }
        std::string spec = "%";
        bool wide = false;
        std::size_t k = i + 1;
        for (; k < format.size(); ++k) {
            const char c = format[k];
            if (c == '*')
                spec += std::to_string(int(fetch(4)));
            else if (c == 'l' || c == 'h' || c == 'z' || c == 't' || c == 'j' || c == 'L')
                wide |= c != 'h' && c != 'L';
            else if (std::string_view("-+ #0123456789.").find(c) != std::string_view::npos && spec.size() < 24)
                spec += c;
            else
                break;
        }
        if (k >= format.size()) {
            out += format.substr(i);
            break;
        }
        const char conversion = format[k];
        i = k + 1;
        if (conversion == 's') {
            const std::string text = string(fetch(8));
            out += spec.size() > 1 ? printed(boundedSpec(spec) + "s", text.c_str()) : text;
        } else if (std::string_view("diuxXoc").find(conversion) != std::string_view::npos) {
            out +=
                formatOne(boundedSpec(spec) + (wide ? "ll" : "") + conversion, conversion, wide, fetch(wide ? 8 : 4));
        } else if (std::string_view("fFeEgGaAp").find(conversion) != std::string_view::npos) {
            out += formatOne(boundedSpec(spec) + conversion, conversion, true, fetch(8));
        } else {
            out += spec + conversion;
        }
    }
    return out;
}

namespace {

std::uint64_t blockNumber(const Warp& w) {
    const Dim3& grid = w.worker->launch->config->grid;
    return w.block->index[0] +
           std::uint64_t(grid[0]) * (w.block->index[1] + std::uint64_t(grid[1]) * w.block->index[2]);
}

/// void* __cudaCDP2GetParameterBufferV2(kernel, grid, block, dynamic shared bytes)
void prepareLaunch(Warp& w, const CallSite& site) {
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        setResult(w, site, lane,
                  w.worker->launch->launches->prepare(
                      parameter<std::uint64_t>(w, site, 0, lane), parameter<Dim3>(w, site, 1, lane),
                      parameter<Dim3>(w, site, 2, lane), parameter<std::uint32_t>(w, site, 3, lane), blockNumber(w)));
    }
}

/// cudaError_t __cudaCDP2LaunchDeviceV2(buffer, stream)
void launchFromDevice(Warp& w, const CallSite& site) {
    constexpr std::uint32_t success = 0, pendingCountExceeded = 69;
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        const bool launched = w.worker->launch->launches->launch(parameter<std::uint64_t>(w, site, 0, lane),
                                                                 parameter<std::uint64_t>(w, site, 1, lane));
        setResult(w, site, lane, launched ? success : pendingCountExceeded);
    }
}

} // namespace

/// __assertfail(text, file, line, function, size of a character): each thread says so, in CUDA's words.
void failAssertion(Warp& w, const Inst* call, const CallSite& site) {
    const auto textOf = [&](std::size_t index, std::uint32_t lane) {
        return readStringLane(w, lane, parameter<std::uint64_t>(w, site, index, lane), 4096);
    };
    LaunchState& launch = *w.worker->launch;
    for (std::uint32_t m = w.active; m && launch.options->print; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        const Fault at = faultAt(w, call, lane);
        const std::string line =
            fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n", textOf(1, lane),
                        parameter<std::uint32_t>(w, site, 2, lane), textOf(3, lane), at.block[0], at.block[1],
                        at.block[2], at.thread[0], at.thread[1], at.thread[2], textOf(0, lane));
        const std::lock_guard lock(launch.printMutex);
        launch.options->print(line);
    }
    trap(w, call,
         fmt::format("device-side assert triggered: {}", textOf(0, std::uint32_t(std::countr_zero(w.active)))));
}

bool callDeviceFunction(Warp& w, const Inst* call, const ExternFunction& function) {
    const CallSite& site = w.worker->launch->code->callSites[call->aux];
    LaunchState& launch = *w.worker->launch;
    if (function.name == "vprintf") {
        for (std::uint32_t m = w.active; m; m &= m - 1) {
            const auto lane = std::uint32_t(std::countr_zero(m));
            const auto format = readStringLane(w, lane, parameter<std::uint64_t>(w, site, 0, lane), 1 << 16);
            const auto arguments = parameter<std::uint64_t>(w, site, 1, lane);
            const std::string text = formatPacked(
                format,
                [&](std::size_t offset, void* out, std::size_t bytes) {
                    return readLane(w, lane, arguments + offset, out, bytes);
                },
                [&](std::uint64_t address) { return readStringLane(w, lane, address, 1 << 16); });
            if (launch.options->print) {
                const std::lock_guard lock(launch.printMutex);
                launch.options->print(text);
            }
            setResult(w, site, lane, std::uint32_t(text.size()));
        }
        return true;
    }
    if (function.name == "__cudaCDP2GetParameterBufferV2") return prepareLaunch(w, site), true;
    if (function.name == "__cudaCDP2LaunchDeviceV2") return launchFromDevice(w, site), true;
    if (function.name == "__assertfail") return failAssertion(w, call, site), true;
    return false;
}

} // namespace kernelarium::emulator
