// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Recording.h"
#include "gpu/emulator/decode/Program.h"
#include "gpu/emulator/record/RecordedCode.h"
#include "gpu/emulator/record/SharedShadow.h"
#include "gpu/emulator/warp/Warp.h"

#include <deque>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>

namespace kernelarium::emulator {

/// Records one block of one launch, as recording::Request asks. The block's warps are then executed by
/// interpretRecording(); all others never meet this class. The launch ends, as cancelled, once the recording is full or
/// its block has ended.
///
/// Steps that lie too far before the line that was asked for are forgotten again: what they did becomes the recording's
/// base.
class Recorder final : public FaultWitness {
public:
    /// The program outlives it.
    Recorder(const Program& program, const recording::Request& request);

    [[nodiscard]] const recording::Request& request() const { return m_request; }
    /// Whether it is the launch that was asked for: the `number`th, of this kernel.
    [[nodiscard]] bool wantsLaunch(std::uint32_t number, std::uint32_t kernel);
    [[nodiscard]] bool wants(const Dim3& block) const { return block == m_request.block && !m_started; }
    [[nodiscard]] bool records(const Warp& w) const { return !m_request.warp || *m_request.warp == w.index; }
    [[nodiscard]] bool hasStarted() const { return m_started; }

    void start(const Block& block, const LaunchConfig& config);
    /// A warp goes on that was not looked at for a while.
    void resume() { m_sharedMayDiffer = true; }
    /// Executes the instruction and records it. Null and Pause::stop once there is no room left.
    const Inst* step(Warp& w, const Inst* ip);
    void noteFault(const Warp& w, std::uint32_t lanes, const char* kind, const std::string& message) override;
    /// After the launch; once.
    recording::Recording take();

private:
    using Key = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>; ///< warp, frame, register
    struct Place {
        std::uint64_t frame = 0;
        std::uint32_t function = 0;
        std::uint32_t registerBase = 0;
        std::uint32_t depth = 0;
    };

    const Inst* observed(Warp& w, const Inst* ip, const Inst* inner, std::uint32_t on);
    [[nodiscard]] bool continues(const Warp& w, const Inst* inner, const Place& place) const;
    void open(const Warp& w, const Inst* inner, const Place& place, const RecordedCode::Entry& entry, std::uint32_t on);
    void noteBefore(const Warp& w, const Place& place, const RecordedCode::Entry& entry);
    void noteAfter(const Warp& w, const Place& place, const RecordedCode::Entry& entry);
    void noteShared(const Block& block);
    [[nodiscard]] bool makeRoom(const Block& block);
    void forgetEndedCalls(const Block& block);
    void forgetFirst();

    const Code& m_code;
    const DeviceMemory& m_memory;
    RecordedCode m_names;
    recording::Request m_request;
    recording::Recording m_recording;
    std::deque<recording::Step> m_steps;
    std::map<Key, std::uint32_t> m_written; ///< lanes written so far
    std::map<Key, recording::RegisterState> m_base;
    SharedShadow m_shared;
    static constexpr std::size_t leastStates = 1 << 16;
    std::size_t m_mostStates = leastStates; ///< before those of ended calls are looked for
    std::optional<std::uint32_t> m_launch;  ///< once it has come
    bool m_started = false;
    bool m_sharedMayDiffer = false;
    bool m_isOpen = false;            ///< an instruction is being executed
    const Inst* m_lastPart = nullptr; ///< of the last step, which may have another part
};

/// As interpret(), through the block's recorder.
void interpretRecording(Warp& warp);

} // namespace kernelarium::emulator
