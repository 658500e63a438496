// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Output.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/hgemm/TableChoice.h"
#include "core/hgemm/family/Pool.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::cli {

using hgemm::Configuration;
using hgemm::Shape;
using hgemm::Subject;

/// Whether every kernel of the pool is right on these shapes.
int checkProducts(Context& context, const LaboratoryOptions& options) {
    const Result<std::vector<Shape>> shapes = shapesOf(options);
    if (!shapes) return report(context, shapes.error());
    std::vector<Configuration> all;
    std::size_t number = 0;
    for (const hgemm::Layout layout : layoutsOf(options))
        for (const Configuration& c : hgemm::pool(layout, options.halfSums))
            if (c.key().find(options.with) != std::string::npos && number++ % options.every == 0) all.push_back(c);
    if (all.empty())
        return report(context, {"bad_usage", fmt::format("No kernel's key contains `{}`.", options.with),
                                "Keys are written as splits_in_cluster=true, in `hgemm tune`'s tables."});
    protocol::KernelClient client = makeRunner(options.place);
    const StopOnSignal signals;
    const Deadline deadline(options.timeLimit);
    protocol::CallOptions call;
    call.stop = signals.token();
    if (const Result<std::string> gpu = gpuAtHand(options, client, call); !gpu) return report(context, gpu.error());
    constexpr std::size_t atOnce = 64;
    nlohmann::json list = nlohmann::json::array();
    std::size_t right = 0, refused = 0, wrong = 0;
    for (std::size_t from = 0; from < all.size() && !deadline.over(); from += atOnce) {
        const std::vector<Configuration> some(all.begin() + std::ptrdiff_t(from),
                                              all.begin() + std::ptrdiff_t(std::min(all.size(), from + atOnce)));
        if (const Result<void> prepared = client.prepareProducts(some, call); !prepared)
            return report(context, prepared.error());
        for (const Shape& shape : *shapes)
            for (const Configuration& c : some) {
                hgemm::MeasureRequest request;
                request.shape = shape;
                request.stop = {1, 1, 0, 1};
                request.subjects = {{Subject::Kind::family, c.layout, c, c.halfSums}};
                const Result<hgemm::MeasureAnswer> answer = client.measureProducts(request, call);
                if (!answer && answer.error().code != "child_died" && answer.error().code != "device_lost" &&
                    answer.error().code != "timeout")
                    return report(context, answer.error());
                const bool isRight = answer && answer->measured[0].check && answer->measured[0].check->right();
                const bool isRefused = answer && !answer->measured[0].check;
                const std::string why = answer ? answer->measured[0].error : answer.error().text();
                (isRight ? right : isRefused ? refused : wrong) += 1;
                if (!isRight) {
                    say(fmt::format("{} {}: {}", shapeText(shape), c.key(), why));
                    list.push_back({{"shape", {shape.m, shape.n, shape.k}},
                                    {"configuration", c.key()},
                                    {"refused", isRefused},
                                    {"why", why}});
                }
            }
    }
    if (context.json)
        printJson(
            {{"kernels", all.size()}, {"right", right}, {"refused", refused}, {"wrong", wrong}, {"others", list}});
    else
        fmt::print("{} kernels: {} right, {} refused, {} wrong\n", all.size(), right, refused, wrong);
    return wrong > 0 ? exitCheckFailed : exitSuccess;
}

} // namespace kernelarium::cli
