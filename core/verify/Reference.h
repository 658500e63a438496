// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/tensor/Value.h"
#include "core/verify/Runner.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::verify {

/// What forward is called with, and the tensors that it was made of (one for each of the plan's).
struct CallInputs {
    std::vector<tensor::Tensor> tensors;
    std::vector<tensor::Value> arguments;
};

/// What the right answer is.
class Reference {
public:
    virtual ~Reference() = default;
    /// The outputs for these inputs. Errors: "unsupported" (an operator that the reference does not know: there is no
    /// reference then), "out_of_memory", "cancelled", "reference_failed".
    virtual Result<tensor::Value> evaluate(const CallInputs& inputs, std::stop_token stop) = 0;
    /// The outputs as a straightforward float32 evaluation gives them: what rounding alone does to this task. Empty
    /// where there is no such thing. Errors as above.
    virtual Result<std::optional<tensor::Value>> evaluateFloat32(const CallInputs&, std::stop_token) {
        return std::optional<tensor::Value>();
    }
    /// What the task leaves in the tensors that it updates itself (TensorPlan::updatedByTask): an entry for each of
    /// inputs.tensors, undefined where it is not updated; empty where that is not known. Errors as above.
    virtual Result<std::vector<tensor::Tensor>> updated(const CallInputs&, std::stop_token) {
        return std::vector<tensor::Tensor>();
    }
    /// "float64 graph of task 1/1", "kernel other.cu on emulator".
    [[nodiscard]] virtual std::string describe() const = 0;
    /// What a reader of a verdict should know of how it was evaluated, a sentence; empty where all is as usual.
    [[nodiscard]] virtual std::string remark() const { return {}; }
    /// Seconds of it that a second verification would not spend: the compiler's, say.
    [[nodiscard]] virtual double preparationSeconds() const { return 0; }
    /// Element types that the task declares for the output tensors, depth first; known after evaluate(). Empty:
    /// those that evaluate() gives.
    [[nodiscard]] virtual std::vector<tensor::DType> outputTypes() const { return {}; }
};

/// Another kernel as the reference: it is run with the same arguments. What it returns is taken as right after its
/// own faults were looked at: a run that does not finish, leaves outputs unwritten or leaves an allocation is the
/// error "reference_failed".
class KernelReference : public Reference {
public:
    KernelReference(std::shared_ptr<Runner> runner, std::string name, std::chrono::milliseconds timeLimit,
                    OutputArguments outputs = {})
        : m_runner(std::move(runner))
        , m_name(std::move(name))
        , m_timeLimit(timeLimit)
        , m_outputs(std::move(outputs)) {}

    Result<tensor::Value> evaluate(const CallInputs& inputs, std::stop_token stop) override;
    [[nodiscard]] std::string describe() const override { return "kernel " + m_name + " on " + m_runner->backend(); }

private:
    std::shared_ptr<Runner> m_runner;
    std::string m_name;
    std::chrono::milliseconds m_timeLimit;
    OutputArguments m_outputs;
};

} // namespace kernelarium::verify
