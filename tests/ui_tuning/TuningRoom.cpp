// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_tuning/TuningRoom.h"

#include "tests/Waiting.h"
#include "ui/frame/Actions.h"
#include "ui/tuning/TunePage.h"

#include <QDir>
#include <QSignalSpy>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace kernelarium::ui {

TunePage& TuningRoom::page() const {
    return window->panel<TunePage>();
}

bool TuningRoom::waitUntilLooked() const {
    return QTest::qWaitFor(
        [this] {
            const LookState& state = page().desk().lookState();
            return !isBusy(state.stage) && state.stage != Stage::idle &&
                   state.generation == workspace->bench().generation();
        },
        longWait);
}

bool TuningRoom::waitUntilEnded() const {
    return QTest::qWaitFor([this] { return !page().desk().isRunning(); }, longWait);
}

bool TuningRoom::open(const QByteArray& text, const QString& name) {
    // Its title alone may be that of what the start brought back.
    QSignalSpy put(&workspace->bench(), &Bench::kernelPut);
    workspace->bench().openFile(write(name, text));
    const auto isThere = [&] { return !put.isEmpty() && workspace->bench().kernel().title == name; };
    if (!QTest::qWaitFor(isThere, longWait)) return false;
    window->actions().run(QStringLiteral("go.tune"));
    return waitUntilLooked();
}

QStringList TuningRoom::stores() const {
    return QDir(file(QStringLiteral("sweeps"))).entryList({QStringLiteral("*.sweep")});
}

QByteArray markedRelu() {
    return R"(// kernelarium: task 1/19
#include <torch/extension.h>

constexpr int BLOCK = 128; // tune: 64, 128, 256, 2048
constexpr int KEEP = 0;    // tune: 0, 1
// tune where: BLOCK != 256 || KEEP == 0

__global__ void relu(const float* x, float* y, int64_t count) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) y[i] = !KEEP && x[i] < 0.0f ? 0.0f : x[i];
}

torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    const int64_t count = x.numel();
    relu<<<(count + BLOCK - 1) / BLOCK, BLOCK>>>(x.data_ptr<float>(), y.data_ptr<float>(), count);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "ReLU");
}
)";
}

tuning::Space paperSpace() {
    using tuning::Value;
    std::vector<tuning::Parameter> parameters;
    tuning::Parameter tile{"TILE", {}, 1}, block{"BLOCK", {}, 2}, vector{"Vector", {}, 0}, unroll{"UNROLL", {}, 0};
    for (const int value : {8, 16, 32})
        tile.values.emplace_back(std::int64_t(value));
    for (int value = 32; value <= 1024; value *= 2)
        block.values.emplace_back(std::int64_t(value));
    for (const char* word : {"float", "float2", "float4"})
        vector.values.emplace_back(std::string(word));
    for (int value = 1; value <= 128; ++value)
        unroll.values.emplace_back(std::int64_t(value));
    return {{tile, block, vector, unroll}, {}};
}

std::vector<tuning::Judged> paperPoints(const tuning::Space& space, std::size_t most) {
    std::vector<tuning::Judged> all;
    const std::uint64_t step = std::max<std::uint64_t>(1, space.size() / most);
    for (std::uint64_t number = 0; number < space.size() && all.size() < most; number += step) {
        const tuning::Point point = space.point(number);
        tuning::Judged judged;
        judged.candidate.key = space.key(point);
        judged.when = std::int64_t(number);
        nlohmann::json details = {{"registers", 16 + 8 * point.at[0]},
                                  {"limiter", point.at[1] > 2 ? "memory" : "latency"}};
        const double seconds =
            1e-3 * (1 + 0.5 * std::abs(int(point.at[1]) - 3) + 0.2 * point.at[0] + 0.001 * point.at[3]);
        judged.outcome.kind = tuning::Outcome::Kind::valued;
        judged.outcome.value = seconds;
        if (number % 7 == 3) {
            judged.outcome.kind = tuning::Outcome::Kind::refused;
            judged.outcome.value.reset();
            judged.outcome.reason = "too many threads in a block";
        } else if (number % 11 == 5) {
            judged.outcome.kind = tuning::Outcome::Kind::wrong;
            judged.outcome.value = seconds / 10; // faster than any that is right
            judged.outcome.reason = "wrong: 12 of 40 elements differ";
            details["verdict"] = "wrong";
        } else if (number % 3 == 0) {
            details["verdict"] = "verified";
        }
        judged.outcome.details = details.dump();
        all.push_back(std::move(judged));
    }
    return all;
}

} // namespace kernelarium::ui
