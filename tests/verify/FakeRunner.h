// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Poison.h"
#include "core/verify/Reference.h"
#include "core/verify/Runner.h"

#include <cstring>
#include <functional>

namespace kernelarium::verify {

/// A machine for tests: `forward` is a C++ function that sees what a kernel would see. Its outputs start as poison.
class FakeRunner : public Runner {
public:
    using Forward = std::function<void(const RunRequest&, std::vector<tensor::Tensor>& inputs, RunResult&)>;
    explicit FakeRunner(Forward forward)
        : m_forward(std::move(forward)) {}

    std::string backend() const override { return "fake"; }
    Capabilities capabilities() const override {
        return {.severalCalls = true,
                .skipsLaunches = true,
                .tracksWrites = tracksWrites,
                .schedules = schedules,
                .reordersStreams = reorders};
    }

    Result<RunResult> run(const RunRequest& request) override {
        ++runs;
        for (const auto& earlier : request.earlierCalls)
            call(request, earlier);
        return call(request, request.arguments);
    }

    static tensor::Tensor poisoned(tensor::Shape shape, std::uint32_t pattern) {
        tensor::Tensor t(tensor::DType::Float32, std::move(shape));
        for (std::int64_t i = 0; i < t.count(); ++i)
            std::memcpy(t.data<float>() + i, &pattern, 4);
        return t;
    }

    int runs = 0;
    bool tracksWrites = true;
    bool schedules = false;
    bool reorders = false;

private:
    RunResult call(const RunRequest& request, const std::vector<tensor::Value>& arguments) {
        std::vector<tensor::Tensor> inputs;
        for (const tensor::Value& argument : arguments)
            tensor::collectTensors(argument, inputs);
        for (tensor::Tensor& input : inputs)
            input = input.clone();
        RunResult result;
        result.launches.push_back({"fake_kernel", {1, 1, 1}, {32, 1, 1}, 0, 0, 1, 32, 0.0});
        m_forward(request, inputs, result);
        result.argumentsAfter = inputs;
        return result;
    }

    Forward m_forward;
};

/// y = x * w + b over a row, in float64.
class RowReference : public Reference {
public:
    Result<tensor::Value> evaluate(const CallInputs& inputs, std::stop_token) override {
        const auto& arguments = inputs.arguments;
        const auto& x = *arguments[0].as<tensor::Tensor>();
        tensor::Tensor y(tensor::DType::Float64, x.shape());
        for (std::int64_t i = 0; i < x.count(); ++i)
            y.set(i, x.at(i) * arguments[1].as<tensor::Tensor>()->at(i) + arguments[2].as<tensor::Tensor>()->at(i));
        return tensor::Value(y);
    }
    Result<std::optional<tensor::Value>> evaluateFloat32(const CallInputs& inputs, std::stop_token stop) override {
        return std::optional(tensor::Value(evaluate(inputs, stop)->as<tensor::Tensor>()->to(tensor::DType::Float32)));
    }
    std::string describe() const override { return "row"; }
    std::vector<tensor::DType> outputTypes() const override { return {tensor::DType::Float32}; }
};

} // namespace kernelarium::verify
