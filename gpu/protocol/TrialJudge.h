// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/Archive.h"
#include "core/audit/Auditor.h"
#include "core/audit/RowCard.h"
#include "core/threads/SharedCores.h"
#include "gpu/protocol/KernelClient.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::protocol {

/// Takes archived kernels from their text to a verdict, each in a compile child and a run child of its own, started
/// with the first kernel. A kernel that crashes, hangs or exhausts its child costs the child, which is started again.
/// One that a child died on is tried a second time, in a fresh child: the first may have been killed for its
/// neighbours' memory; after that it is the error "child_died".
///
/// A kernel that compiles but belongs to a task without a card, built in or exported before, is `unverifiable`
/// (no_reference), and is not run: an audit executes no PyTorch code.
class TrialJudge : public audit::Judge {
public:
    struct Commands {
        std::vector<std::string> compile; ///< program and arguments: "kernelarium-cli worker compile"
        std::vector<std::string> run;
        unsigned threads = 1;               ///< of the emulator and of the reference
        std::string arch = "sm_90";         ///< what to compile for: the GPU's own where kernels run there
        std::filesystem::path archive = {}; ///< the audited one, for what its rows say of tasks without a built-in card
        std::filesystem::path cards = {};   ///< exported ones (RowCard.h)
        /// Which processors no judge is busy on: those of an emulator's run may use them. Null: `threads` it is.
        std::shared_ptr<threads::SharedCores> cores = {};
    };
    explicit TrialJudge(Commands commands);
    ~TrialJudge() override;
    TrialJudge(const TrialJudge&) = delete;
    TrialJudge& operator=(const TrialJudge&) = delete;

    Result<verify::Verdict> judge(const audit::Candidate& kernel, const std::string& code,
                                  const audit::Settings& settings, const std::stop_token& stop) override;

    /// The children of `program` for an audit with so many jobs on this machine: its cores and half of its memory are
    /// shared out between the run children, none of which gets more than a quarter of the memory.
    [[nodiscard]] static Commands commandsFor(const std::string& program, unsigned jobs);
    /// The same, whose run children lend one another the processors that have nothing to do: a long kernel at the end
    /// does not keep one busy and the others idle.
    [[nodiscard]] static Commands sharingCommandsFor(const std::string& program, unsigned jobs);

private:
    Result<task::Card> cardOf(const audit::Candidate& kernel);

    Commands m_commands;
    KernelClient m_compiler;
    KernelClient m_runner;
    std::optional<archive::Archive> m_archive; ///< opened for the first kernel
};

} // namespace kernelarium::protocol
