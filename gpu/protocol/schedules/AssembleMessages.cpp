// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/schedules/AssembleMessages.h"

#include "gpu/protocol/CompileMessages.h"
#include "gpu/protocol/Trial.h"
#include "gpu/protocol/WorkerClient.h"

#include <nlohmann/json.hpp>

namespace kernelarium::protocol {

nlohmann::json toJson(const AssembleParameters& p) {
    nlohmann::json j = {{"ptx", p.ptx}, {"arch", p.arch}, {"settings", wordsOf(p.settings)}, {"words", p.words}};
    if (!p.toolkit.empty()) j["toolkit"] = p.toolkit;
    return j;
}

Result<AssembleParameters> assembleParametersFromJson(const nlohmann::json& j) {
    try {
        AssembleParameters p;
        p.ptx = j.at("ptx");
        p.arch = j.value("arch", p.arch);
        auto settings = text::settingsFromWords(j.value("settings", std::vector<std::string>()));
        if (!settings) return settings.error();
        p.settings = std::move(*settings);
        p.words = j.value("words", p.words);
        p.toolkit = j.value("toolkit", p.toolkit);
        return p;
    } catch (const nlohmann::json::exception& failure) {
        return Error{"bad_request", std::string("Not a request to assemble: ") + failure.what()};
    }
}

Result<KernelClient::Unit> assembledOtherwise(WorkerClient& compiler, const compile::CompiledUnit& unit,
                                              const std::vector<std::string>& words, const std::string& toolkit,
                                              const CallOptions& call) {
    WorkerClient::CallOptions options;
    options.timeLimit = call.compileLimit.count() > 0 ? call.compileLimit : compileLimit;
    options.progress = call.progress;
    options.stop = call.stop;
    const std::string& ptx = unit.kernelPtx.empty() ? unit.ptx : unit.kernelPtx;
    Result<nlohmann::json> answer =
        compiler.call("assemble", toJson(AssembleParameters{ptx, unit.arch, unit.settings, words, toolkit}), options);
    if (!answer) return answer.error();
    Result<compile::CompiledUnit> read = unitFromJson(*answer);
    if (!read) return read.error();
    auto made = std::make_shared<compile::CompiledUnit>(unit);
    made->cubin = std::move(read->cubin);
    made->kernels = std::move(read->kernels);
    made->assembler = std::move(read->assembler);
    return KernelClient::Unit(std::move(made));
}

} // namespace kernelarium::protocol
