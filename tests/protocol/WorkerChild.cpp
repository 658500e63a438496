// SPDX-License-Identifier: GPL-3.0-or-later
//
// A child for the tests of the protocol: it does on request what a real one must never do, and compiles and verifies
// without a compiler.
#include "core/verify/VerdictJson.h"
#include "gpu/protocol/schedules/RaceMessages.h"
#include "gpu/service/Server.h"
#include "tests/protocol/StatedAnswers.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace kernelarium;
using namespace kernelarium::protocol;
using namespace kernelarium::service;

namespace {

/// The unit that a source asks for.
nlohmann::json compiled(const nlohmann::json& params, const Service::Progress& progress) {
    if (params.at("source") == "lies")
        for (const char* lie : {"3", "[1]", R"({"diagnostics": 5, "ok_so_far": "no"})", R"({"ok_so_far": []})",
                                R"({"diagnostics": [], "ok_so_far": {}})"})
            progress.sendPartial(nlohmann::json::parse(lie));
    else if (params.at("early").get<bool>())
        progress.sendPartial({{"diagnostics", toJson(statedUnit(false).diagnostics)}, {"ok_so_far", true}});
    return unitToJson(statedUnit(params.at("source") == "good"), {"ptx", "log"});
}

/// A race whose end the inputs' seed decides, unless the original runs against itself: that goes well, but for seed 7.
Result<nlohmann::json> raced(const nlohmann::json& params) {
    const auto p = raceParametersFromJson(params);
    if (!p) return p.error();
    RaceSummary s;
    s.device = "a GPU of none";
    const bool isControl = p->time.run.unit->cubin == p->time.against->cubin;
    const std::uint64_t seed = isControl && p->time.run.seed != 7 ? 1 : p->time.run.seed;
    if (seed == 3 || seed == 7) std::raise(SIGSEGV);
    if (seed == 2) s.end = name(verify::RunEnd::timeout), s.reason = "The kernel: it did not end";
    if (seed == 4) s.difference = "output 0 differs after their last calls";
    if (seed == 5) s.end = name(verify::RunEnd::out_of_memory), s.reason = "The kernel: there is no room";
    if (seed == 6) s.end = name(verify::RunEnd::timeout), s.endedInOriginal = true;
    if (s.end == "finished" && s.difference.empty()) do
            s.pairs.push_back({isControl ? 1e-3 : 0.98e-3, 1e-3, s.pairs.size() % 2 == 0});
        while (p->race ? schedule::raceGoesOn(s.pairs, *p->race) : s.pairs.size() < p->pairs);
    return toJson(s);
}

/// A run that launches the kernel that the function's name is, and nothing without one.
nlohmann::json ran(const nlohmann::json& params) {
    RunSummary s;
    s.end = name(verify::RunEnd::finished);
    s.backend = params.at("backend");
    verify::Launch launch;
    launch.kernel = params.value("function", "");
    launch.block = {256, 1, 1};
    if (launch.kernel == "it ends badly") s.end = name(verify::RunEnd::timeout), s.reason = "it did not end";
    if (!launch.kernel.empty()) s.launches.push_back(launch);
    return toJson(s);
}

/// Fills so many megabytes, in pieces.
nlohmann::json hold(const nlohmann::json& params, bool aborts) {
    std::vector<std::vector<char>> all;
    for (int megabytes = 0; megabytes < params.at("megabytes").get<int>(); megabytes += 16)
        all.emplace_back(std::size_t(16) << 20, '1');
    if (aborts) std::abort();
    return {{"pieces", all.size()}};
}

class MisbehavingService : public Service {
public:
    std::string kind() const override { return "test"; }
    std::vector<std::string> capabilities() const override { return {"misbehave"}; }

    Result<nlohmann::json> handle(const Request& request, const Progress& progress, std::stop_token stop) override {
        const std::string& what = request.method;
        if (what == "echo") return request.params;
        if (what == "print") {
            std::puts("this must not reach the protocol");
            std::fflush(stdout);
            return nlohmann::json{{"printed", true}};
        }
        if (what == "tell") {
            for (int i = 1; i <= 3; ++i)
                progress.sendPartial({{"known", i}});
            return nlohmann::json{{"known", 4}};
        }
        if (what == "wait") {
            progress("waiting");
            while (!stop.stop_requested())
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            return Error{"cancelled", "Cancelled."};
        }
        if (what == "hang") {
            progress("hanging");
            while (true)
                std::this_thread::sleep_for(std::chrono::seconds(1));
        }
        if (what == "last") {
            m_ends = true;
            return nlohmann::json{{"pid", ::getpid()}};
        }
        if (what == "race") return raced(request.params);
        if (what == "race_again") return Error{"unknown_bench", "Nothing stays here."};
        if (what == "run") return ran(request.params);
        if (what == "compile") return compiled(request.params, progress);
        if (what == "verify") return verify::toJson(statedVerdict());
        if (what == "crash") std::raise(SIGSEGV);
        if (what == "exit") std::_Exit(3);
        if (what == "allocate") {
            std::vector<char> much(std::size_t(1) << 40);
            return nlohmann::json{{"bytes", much.size()}};
        }
        if (what == "hold" || what == "abort") return hold(request.params, what == "abort");
        if (what == "throw") throw std::runtime_error("thrown on purpose");
        return Error{"bad_request", "No method " + what + "."};
    }
    bool mustEnd() const override { return m_ends; }

private:
    bool m_ends = false;
};

} // namespace

int main() {
    MisbehavingService service;
    ServerOptions options;
    options.addressSpace = std::uint64_t(1) << 32;
    options.memory = std::uint64_t(1) << 30;
    return serve(service, options);
}
