// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/hgemm/laboratory/Measurement.h"
#include "core/perf/MeasuredCeilings.h"
#include "core/recording/Recording.h"
#include "core/tensorview/Query.h"
#include "core/verify/Verdict.h"
#include "gpu/protocol/CallOptions.h"
#include "gpu/protocol/CompileMessages.h"
#include "gpu/protocol/DeviceMessages.h"
#include "gpu/protocol/ProfileMessages.h"
#include "gpu/protocol/RecordMessages.h"
#include "gpu/protocol/RunMessages.h"
#include "gpu/protocol/TimeMessages.h"

#include <functional>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace kernelarium::protocol {

class WorkerClient;
class WorkerStarter;

/// What the compiler's front end says before code is generated.
struct EarlyDiagnostics {
    std::vector<compile::Diagnostic> diagnostics;
    bool okSoFar = true; ///< none of them is an error
};

/// A verdict, and the document that it was read from.
struct VerdictAnswer {
    verify::Verdict verdict;
    std::string json; ///< core/verify/VerdictJson.h, UTF-8, one line: to be stored as it is
};

/// The one way to have a kernel compiled, run, verified, modelled, stepped through and timed: for the command line, the
/// window and audits. It is the parent's side of one child, blocking, without Qt, for one thread at a time. Every
/// method knows how long its child may take, what it is asked in and what its answer means.
///
///     KernelClient compiler({"kernelarium-cli", "worker", "compile"}), runner({"kernelarium-cli", "worker", "run"});
///     auto unit = compiler.compile({.source = text});
///     auto answer = runner.verify({.unit = *unit, .card = card});
///
/// Errors of all: those of WorkerClient::call ("cancelled", "timeout", "child_died", "missing_component", ...), those
/// of the child ("bad_request" where it is of the other kind), and those of reading its answer.
class KernelClient {
public:
    /// `command` starts the child: program and arguments.
    explicit KernelClient(std::vector<std::string> command);
    explicit KernelClient(std::shared_ptr<WorkerStarter> starter);
    /// Of a child that others speak to as well, on the same thread.
    explicit KernelClient(std::shared_ptr<WorkerClient> child);

    using Unit = std::shared_ptr<const compile::CompiledUnit>; ///< never null in an answer

    // --- "worker compile"

    /// The unit, whose `ok` may be false. `early` is called at most once before it; without one the compiler copies no
    /// process for it. A text that was compiled before is looked for in KeptUnits::ofProcess() first.
    Result<Unit> compile(const CompileParameters& parameters, const CallOptions& call = {},
                         const std::function<void(const EarlyDiagnostics&)>& early = {});
    /// The annotated SASS of a text; `texts` does not count. Error "compile_error" where it does not compile.
    Result<std::string> disassemble(const CompileParameters& parameters, const CallOptions& call = {});

    // --- "worker run"; the parameters' unit must not be null

    /// A unit that is not `ok` has the verdict compile_error without a child; a child that had to be killed at its
    /// limit is the verdict `timeout`. The verdict says how the unit was compiled: its fast math and, as
    /// seconds["compile"], the compiler's own total, without the start of its process. Size "both", and a failure at
    /// the small size that the published one may excuse, take two requests (core/verify/BothSizes.h).
    Result<VerdictAnswer> verify(const RunParameters& parameters, const CallOptions& call = {});
    Result<RunSummary> run(const RunParameters& parameters, const CallOptions& call = {});
    Result<ProfileSummary> profile(const ProfileParameters& parameters, const CallOptions& call = {});
    Result<std::shared_ptr<const recording::Recording>> record(const RecordParameters& parameters,
                                                               const CallOptions& call = {});
    /// What the tensors of a run hold. A further question about the same run is answered without another run, unless
    /// something else was asked of the child meanwhile.
    Result<tensorview::Answer> tensors(const RunParameters& parameters, const tensorview::Query& query,
                                       const CallOptions& call = {});
    /// `early` hears what the first samples say.
    Result<TimeSummary> time(const TimeParameters& parameters, const CallOptions& call = {},
                             const std::function<void(const TimeSummary&)>& early = {});
    /// What kernels can run on where the child is.
    Result<DeviceList> devices(const CallOptions& call = {});
    /// What the GPU reaches at best.
    Result<perf::MeasuredCeilings> measure(const CallOptions& call = {});
    /// Has kernels of the HGEMM family compiled, all at the same time, before they are measured.
    Result<void> prepareProducts(const std::vector<hgemm::Configuration>& configurations, const CallOptions& call = {});
    /// Products of one shape, checked and timed in turn.
    Result<hgemm::MeasureAnswer> measureProducts(const hgemm::MeasureRequest& request, const CallOptions& call = {});

    /// Of the running child; -1 without one.
    [[nodiscard]] pid_t childPid() const;

private:
    Result<VerdictAnswer> verifyAt(const RunParameters& parameters, const CallOptions& call);

    std::shared_ptr<WorkerClient> m_child;
};

} // namespace kernelarium::protocol
