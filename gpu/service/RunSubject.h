// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/CardSubject.h"
#include "core/verify/Verifier.h"
#include "gpu/protocol/RunMessages.h"

#include <memory>
#include <optional>
#include <string>

namespace kernelarium::service {

class GpuTarget;

/// What a kernel is called with and, where there is one, what its answer should be.
struct RunSubject {
    verify::InputPlan plan;
    std::unique_ptr<verify::Reference> reference;
    verify::Tolerance tolerance;
    std::optional<verify::OtherShape> otherShape;
    std::optional<verify::PublishedSize> published;
    std::string whyWeak;
    std::string remark;                 ///< on the reference
    verify::Workplace* place = nullptr; ///< where its verification's tensors lie: the GPU; null: this process's memory
};

/// As many threads as are asked for, or as there are cores.
[[nodiscard]] unsigned jobsOf(const protocol::RunParameters& parameters);

/// Before anything is drawn: what surely does not fit is refused, "out_of_memory".
Result<void> checkFits(const verify::InputPlan& plan, std::uint64_t capacity, const std::string& backend = "emulator");

/// What a verification on a GPU whose tensors cannot stay there holds in this machine's memory at most, roughly:
/// inputs, outputs and references of three cases, of which some share what did not change.
[[nodiscard]] double heldByVerification(double inputBytes, double outputBytes);
/// Bytes of a task's own tensors: what goes into the kernel and what comes out of it.
struct TaskBytes {
    double inputs = 0;
    double outputs = 0;
    /// What these make a verification hold, whatever the kernel does: with references, and the states of the emulated
    /// device's bytes.
    [[nodiscard]] double held() const { return heldByVerification(inputs, outputs) + inputs + outputs; }
};
/// Zeros where the parameters are not in order. Without a card as much is taken to come out as goes in.
[[nodiscard]] TaskBytes bytesOfTask(const protocol::RunParameters& parameters);
/// Error "out_of_memory" with both figures where `available` bytes do not suffice.
Result<void> checkHostRoom(double needed, double available, const std::string& task);

/// What forward is called with, by the card or by the arguments as text.
Result<verify::InputPlan> planOf(const protocol::RunParameters& parameters);

/// Where neither a card nor arguments said what forward is called with, and `reason`, the run's, is that it wants some:
/// error "bad_input" that names them and says how to give them.
[[nodiscard]] std::optional<Error> wantsArguments(const protocol::RunParameters& parameters, const std::string& reason);

/// `reference` runs the other kernel that counts as right; null where there is none. `gpu` evaluates cards; null where
/// the CPU does. Errors: those of the card and the arguments, "out_of_memory" where the arguments alone exceed
/// `capacity`.
Result<RunSubject> subjectOf(const protocol::RunParameters& parameters, std::uint64_t capacity,
                             std::shared_ptr<verify::Runner> reference, GpuTarget* gpu);

} // namespace kernelarium::service
