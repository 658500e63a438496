// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Verdict.h"
#include "gpu/protocol/RunMessages.h"

#include <chrono>
#include <string>
#include <string_view>

namespace kernelarium::protocol {

// What the command line, the window and an audit agree on when they try a kernel in the two children.

/// A compiler that takes longer is taken for hung: more than any source that makes sense takes.
inline constexpr std::chrono::milliseconds compileLimit{120000};

/// After how long a compiler is given up for a kernel whose runs have `runs` in all: as long, and 10 s at least.
[[nodiscard]] std::chrono::milliseconds compileLimitBeside(std::chrono::milliseconds runs);

/// `measure` is over by itself within 60 s of measuring.
inline constexpr std::chrono::milliseconds measureLimit{90000};
inline constexpr std::chrono::milliseconds productsLimit{330000};

/// After how long PyTorch's own timing is given up: to start, to compile a large network, to take samples.
inline constexpr std::chrono::minutes torchLimit{8};

/// How much longer a timing may take for these baselines (TimeParameters::baselines).
[[nodiscard]] std::chrono::milliseconds baselineLimit(std::string_view baselines);

/// After how long the run child is taken for hung and killed, when the runs themselves have `runs`: a verification
/// draws inputs, evaluates references and compares besides; a question about tensors may run the kernel again.
[[nodiscard]] std::chrono::milliseconds childLimit(std::string_view method, std::chrono::milliseconds runs);

/// "kernel.cu:12:5: error: ..." for each error of the compiler, or its log where there is none.
[[nodiscard]] std::string errorsText(const compile::CompiledUnit& unit);

/// The archive's time for a kernel, on the device that claims of archives are held against; nothing where it has none.
[[nodiscard]] std::optional<TimeClaim> archivesClaim(std::optional<double> milliseconds);

/// Whether a kernel with that verdict runs, so that it can be timed; it need not be right.
[[nodiscard]] bool canBeTimed(verify::VerdictKind kind);

/// A verdict without a run, as an answer to these parameters: with their backend, size and seed, and how their unit was
/// compiled.
[[nodiscard]] verify::Verdict inReplyTo(const RunParameters& parameters, verify::Verdict verdict);

/// The verdict on a text that does not compile (`parameters.unit->ok` is false).
[[nodiscard]] verify::Verdict refusedVerdict(const RunParameters& parameters);

/// The verdict on a kernel whose child was killed at its limit, with that error.
[[nodiscard]] verify::Verdict timeoutVerdict(const Error& error, const RunParameters& parameters);

} // namespace kernelarium::protocol
