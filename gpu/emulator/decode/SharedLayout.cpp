// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/decode/SharedLayout.h"

#include <algorithm>

namespace kernelarium::emulator {

namespace {

/// Local memory of recursive functions and of calls through pointers cannot be known: they get this much.
constexpr std::uint32_t openStack = 256 * 1024;

struct Reach {
    std::set<std::uint32_t> functions;
    std::set<std::size_t> slots;
    bool indirect = false;
};

class Walker {
public:
    Walker(const Code& code, const std::map<std::uint32_t, const FunctionDecoder*>& decoders)
        : m_code(code)
        , m_decoders(decoders) {}

    void visit(std::uint32_t function, Reach& reach) const {
        if (!reach.functions.insert(function).second) return;
        const auto d = m_decoders.find(function);
        if (d == m_decoders.end()) return;
        reach.slots.insert(d->second->sharedSlots().begin(), d->second->sharedSlots().end());
        reach.indirect |= d->second->callsIndirectly();
        for (std::uint32_t callee : d->second->callees())
            visit(callee, reach);
    }

    /// Deepest local memory below the function; 0 when a cycle makes it unknown.
    std::uint64_t depth(std::uint32_t function, std::vector<std::uint32_t>& path) const {
        if (std::find(path.begin(), path.end(), function) != path.end()) return 0;
        const auto d = m_decoders.find(function);
        const std::uint64_t own = m_code.bodies[function].localBytes + 16;
        if (d == m_decoders.end()) return own;
        path.push_back(function);
        std::uint64_t deepest = 0;
        for (std::uint32_t callee : d->second->callees()) {
            if (m_code.functions[callee].isKernel) continue;
            const std::uint64_t below = depth(callee, path);
            if (below == 0) {
                deepest = 0;
                path.pop_back();
                return 0;
            }
            deepest = std::max(deepest, below);
        }
        path.pop_back();
        return own + deepest;
    }

private:
    const Code& m_code;
    const std::map<std::uint32_t, const FunctionDecoder*>& m_decoders;
};

} // namespace

void layOutShared(DecodeContext& context, const std::vector<FunctionDecoder>& decoders,
                  const std::vector<std::pair<const ptx::Function*, std::uint32_t>>& defined) {
    std::map<std::uint32_t, const FunctionDecoder*> byIndex;
    for (std::size_t k = 0; k < defined.size(); ++k)
        byIndex[defined[k].second] = &decoders[k];
    const Walker walker(context.code, byIndex);
    for (const auto& [function, index] : defined) {
        if (!function->isKernel) continue;
        FunctionCode& body = context.code.bodies[index];
        Reach reach;
        walker.visit(index, reach);
        std::uint32_t top = body.staticShared;
        body.sharedSlots.assign(context.sharedSlots.size(), 0);
        std::vector<std::size_t> dynamic;
        std::uint32_t dynamicAlignment = 16;
        for (std::size_t slot : reach.slots) {
            const ptx::Variable& v = *context.sharedSlots[slot].variable;
            if (v.isUnsized) {
                dynamic.push_back(slot);
                dynamicAlignment = std::max(dynamicAlignment, v.alignment);
                continue;
            }
            const std::uint32_t alignment = std::max(1u, v.alignment);
            top = (top + alignment - 1) / alignment * alignment;
            body.sharedSlots[slot] = top;
            top += std::uint32_t(v.bytes);
        }
        body.staticShared = top;
        body.dynamicSharedOffset = (top + dynamicAlignment - 1) / dynamicAlignment * dynamicAlignment;
        for (std::size_t slot : dynamic)
            body.sharedSlots[slot] = body.dynamicSharedOffset;
        std::vector<std::uint32_t> path;
        const std::uint64_t deepest = walker.depth(index, path);
        body.deepestLocal = reach.indirect || deepest == 0 ? body.localBytes + openStack
                                                           : std::uint32_t(std::min<std::uint64_t>(deepest, 1u << 28));
    }
}

} // namespace kernelarium::emulator
