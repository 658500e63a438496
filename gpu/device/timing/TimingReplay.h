// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/driver/DeviceEvent.h"
#include "gpu/device/driver/DeviceModule.h"
#include "gpu/device/timing/TimingLanes.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace kernelarium::device {

/// A trace made ready to be queued again and again: functions looked up, parameters laid out, uploads in memory that
/// the GPU reads itself. It begins and ends on the default stream; forward's other streams run beside it. Nothing
/// waits, but where forward read a value back from the device: there the same value is read again, and what follows is
/// queued when it has come, as on any machine that runs forward.
class TimedReplay {
public:
    /// The module and the memory that the trace speaks of outlive this. Errors: "unsupported" with what cannot be
    /// replayed, those of the driver.
    static Result<std::unique_ptr<TimedReplay>> create(std::shared_ptr<DeviceContext> context,
                                                       const DeviceModule& module, const host::Backend& backend,
                                                       const TimedTrace& trace);
    /// One piece of work that queues itself on the default stream.
    static std::unique_ptr<TimedReplay> ofWork(std::shared_ptr<DeviceContext> context, std::string label,
                                               std::function<Result<void>()> work);
    ~TimedReplay();
    TimedReplay(const TimedReplay&) = delete;
    TimedReplay& operator=(const TimedReplay&) = delete;

    [[nodiscard]] std::size_t steps() const { return m_steps.size(); }
    [[nodiscard]] std::size_t commands() const { return m_steps.size() + m_lanes.commands(); } ///< that one call queues
    [[nodiscard]] std::size_t reads() const { return m_reads.size(); } ///< how often queueing it waits for a value
    /// Of the last call, once it is done: values read that are not those of the trace.
    [[nodiscard]] std::size_t changedReads() const;
    /// "launch", "copy of 4096 bytes", "aten.mm.default: cuBLAS", ...
    [[nodiscard]] const std::string& label(std::size_t step) const { return m_steps[step].label; }
    [[nodiscard]] const std::string& kernel(std::size_t step) const {
        return m_steps[step].kernel;
    } ///< mangled; empty: none

    /// Queues one forward.
    Result<void> queue() const;
    /// The same with all on the default stream, in program order; `after` is told each step that has been queued.
    Result<void> queueInOrder(const std::function<Result<void>(std::size_t)>& after) const;

private:
    struct Step {
        std::string label, kernel;
        std::function<DriverStatus(const DriverApi&, StreamHandle)> queue;
        /// Instead of it, of a library operator and of what is read: on the default stream.
        std::function<Result<void>()> again = {};
    };
    struct Read {
        std::byte* place = nullptr; ///< pinned
        std::vector<std::byte> recorded;
    };
    explicit TimedReplay(std::shared_ptr<DeviceContext> context)
        : m_context(std::move(context)) {}
    Result<void> addLaunch(const host::KernelLaunch& launch, const DeviceModule& module, const host::Backend& backend);
    void addFill(std::uint64_t address, std::uint64_t bytes, std::uint32_t word, std::uint64_t unit);
    void addPattern(const TimedAction& action, const std::byte* pinned);
    void addCopy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);
    void addRead(const TimedAction& action, std::byte* pinned);
    Result<void> read(std::byte* to, std::uint64_t address, std::uint64_t bytes) const;
    void addUpload(std::uint64_t address, std::uint64_t bytes, const std::byte* pinned);
    Result<void> pin(const TimedTrace& trace);
    Result<void> add(const TimedAction& action, const DeviceModule& module, const host::Backend& backend,
                     std::byte* pinned);

    Result<void> prepareLanes(const TimedTrace& trace);
    Result<void> record(DeviceEvent& event, StreamHandle stream) const;
    Result<void> await(StreamHandle stream, const DeviceEvent& event) const;
    Result<void> queueStep(std::size_t step, StreamHandle stream) const;
    Result<void> queueAction(std::size_t action) const;

    std::shared_ptr<DeviceContext> m_context;
    std::vector<Step> m_steps;
    std::vector<std::size_t> m_firstStep; ///< of each action; one more at the end
    TimedLanes m_lanes;
    std::vector<StreamHandle> m_streams;              ///< of each lane; the default stream is null
    std::vector<std::unique_ptr<DeviceEvent>> m_done; ///< of each action that is awaited
    std::unique_ptr<DeviceEvent> m_began;
    std::unique_ptr<DeviceEvent> m_read; ///< null: nothing is read
    std::vector<Read> m_reads;
    std::map<FunctionHandle, std::uint32_t> m_sharedOptIn; ///< the largest that any launch of it was made under
    std::byte* m_pinned = nullptr;
};

} // namespace kernelarium::device
