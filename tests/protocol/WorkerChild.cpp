// SPDX-License-Identifier: GPL-3.0-or-later
//
// A child for the tests of the protocol: it does on request what a real one must never do, and compiles and verifies
// without a compiler.
#include "core/verify/VerdictJson.h"
#include "gpu/protocol/RunMessages.h"
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
