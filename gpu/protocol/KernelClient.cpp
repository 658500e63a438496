// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/KernelClient.h"

#include "core/verify/BothSizes.h"
#include "core/verify/VerdictJson.h"
#include "gpu/protocol/Trial.h"
#include "gpu/protocol/WorkerClient.h"
#include "gpu/protocol/kept/KeptUnits.h"

namespace kernelarium::protocol {

namespace {

constexpr std::chrono::minutes devicesLimit(2); // a program that is copied first takes its time

WorkerClient::CallOptions limited(std::chrono::milliseconds limit, const CallOptions& call) {
    WorkerClient::CallOptions options;
    options.timeLimit = limit;
    options.progress = call.progress;
    options.stop = call.stop;
    return options;
}

WorkerClient::CallOptions limitedCompiling(const CallOptions& call) {
    return limited(call.compileLimit.count() > 0 ? call.compileLimit : compileLimit, call);
}

/// Of these parameters, for the unit that comes of them.
nlohmann::json whatCounts(const CompileParameters& parameters) {
    nlohmann::json request = toJson(parameters);
    request.erase("early");
    return request;
}

KernelClient::Unit shared(compile::CompiledUnit unit) {
    return std::make_shared<const compile::CompiledUnit>(std::move(unit));
}

VerdictAnswer answerOf(verify::Verdict verdict) {
    std::string json = verify::toJson(verdict).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return {std::move(verdict), std::move(json)};
}

/// A verdict's document with the counters that another one holds.
std::string withCounters(std::string json, const std::string& other) {
    const nlohmann::json from = nlohmann::json::parse(other, nullptr, false);
    const auto counters = from.find("counters");
    if (counters == from.end()) return json;
    nlohmann::json to = nlohmann::json::parse(json);
    to["counters"] = *counters;
    return to.dump();
}

} // namespace

KernelClient::KernelClient(std::vector<std::string> command)
    : m_child(std::make_shared<WorkerClient>(std::move(command))) {}

KernelClient::KernelClient(std::shared_ptr<WorkerStarter> starter)
    : m_child(std::make_shared<WorkerClient>(std::move(starter))) {}

KernelClient::KernelClient(std::shared_ptr<WorkerClient> child)
    : m_child(std::move(child)) {}

pid_t KernelClient::childPid() const {
    return m_child->childPid();
}

Result<KernelClient::Unit> KernelClient::compile(const CompileParameters& parameters, const CallOptions& call,
                                                 const std::function<void(const EarlyDiagnostics&)>& early) {
    WorkerClient::CallOptions options = limitedCompiling(call);
    if (early)
        options.partial = [&early](const nlohmann::json& part) {
            const auto list = part.find("diagnostics"), ok = part.find("ok_so_far");
            if (list == part.end()) return; // the unit says all
            auto diagnostics = diagnosticsFromJson(*list);
            if (diagnostics) early({std::move(*diagnostics), ok == part.end() || !ok->is_boolean() || ok->get<bool>()});
        };
    const std::shared_ptr<KeptUnits> kept = KeptUnits::ofProcess();
    // What is included from folders of the user may change.
    const bool keeps = kept && parameters.settings.folders.empty();
    const KeptUnits::Key key =
        keeps ? kept->keyOf(whatCounts(parameters), parameters.toolkit, m_child->program()) : KeptUnits::Key();
    if (const std::optional<nlohmann::json> known = keeps ? kept->find(key) : std::nullopt)
        if (Result<compile::CompiledUnit> unit = unitFromJson(*known); unit) return shared(std::move(*unit));
    nlohmann::json sent = toJson(parameters);
    sent["early"] = bool(early);
    Result<nlohmann::json> answer = m_child->call("compile", std::move(sent), options);
    if (!answer) return answer.error();
    Result<compile::CompiledUnit> unit = unitFromJson(*answer);
    if (!unit) return unit.error();
    if (keeps) kept->keep(key, *answer);
    return shared(std::move(*unit));
}

Result<std::string> KernelClient::disassemble(const CompileParameters& parameters, const CallOptions& call) {
    nlohmann::json sent = toJson(parameters);
    sent["early"] = false;
    sent["emit"] = {"sass"};
    Result<nlohmann::json> answer = m_child->call("compile", std::move(sent), limitedCompiling(call));
    if (!answer) return answer.error();
    const auto sass = answer->find("sass");
    if (sass == answer->end() || !sass->is_string())
        return Error{"compile_error", "What does not compile has no machine code.", "The Diagnostics panel says why."};
    return sass->get<std::string>();
}

Result<VerdictAnswer> KernelClient::verify(const RunParameters& parameters, const CallOptions& call) {
    if (!parameters.unit->ok) return answerOf(refusedVerdict(parameters));
    RunParameters asked = parameters;
    const bool both = parameters.size == "both";
    if (both) asked.size = parameters.card ? "small" : "full";
    Result<VerdictAnswer> small = verifyAt(asked, call);
    if (!small || !asked.card || asked.size != "small") return small;
    const bool right = small->verdict.kind == verify::VerdictKind::verified;
    if (!(both && right) && !verify::mayDependOnSize(small->verdict)) return small;
    asked.size = "full";
    asked.explain = right; // of what was wrong before nothing is told but that it stays so
    if (call.progress) call.progress("published size");
    // A request of its own: a kernel that loses the GPU's context at the small size has a new child at the other.
    Result<VerdictAnswer> published = verifyAt(asked, call);
    if (!published && published.error().code == "cancelled") return published.error();
    const Result<verify::Verdict> verdict =
        published ? Result<verify::Verdict>(std::move(published->verdict)) : Result<verify::Verdict>(published.error());
    VerdictAnswer answer = answerOf(verify::ofBothSizes(std::move(small->verdict), verdict));
    if (parameters.counters) answer.json = withCounters(std::move(answer.json), small->json);
    return answer;
}

Result<VerdictAnswer> KernelClient::verifyAt(const RunParameters& parameters, const CallOptions& call) {
    Result<nlohmann::json> answer =
        m_child->call("verify", toJson(parameters), limited(childLimit("verify", parameters.timeLimit), call));
    if (!answer && answer.error().code == "timeout") return answerOf(timeoutVerdict(answer.error(), parameters));
    if (!answer) return answer.error();
    Result<verify::Verdict> verdict = verify::verdictFromJson(*answer);
    if (!verdict) return verdict.error();
    return VerdictAnswer{std::move(*verdict), answer->dump()};
}

Result<RunSummary> KernelClient::run(const RunParameters& parameters, const CallOptions& call) {
    Result<nlohmann::json> answer =
        m_child->call("run", toJson(parameters), limited(childLimit("run", parameters.timeLimit), call));
    if (!answer) return answer.error();
    return runSummaryFromJson(*answer);
}

Result<ProfileSummary> KernelClient::profile(const ProfileParameters& parameters, const CallOptions& call) {
    ProfileParameters sent = parameters;
    sent.run.referenceUnit.reset();
    Result<nlohmann::json> answer =
        m_child->call("profile", toJson(sent), limited(childLimit("profile", sent.run.timeLimit), call));
    if (!answer) return answer.error();
    return profileSummaryFromJson(*answer);
}

Result<std::shared_ptr<const recording::Recording>> KernelClient::record(const RecordParameters& parameters,
                                                                         const CallOptions& call) {
    RecordParameters sent = parameters;
    sent.run.referenceUnit.reset();
    RecordingReader reader;
    Result<void> pages;
    WorkerClient::CallOptions options = limited(childLimit("record", sent.run.timeLimit), call);
    options.partial = [&](const nlohmann::json& page) {
        if (pages) pages = reader.addPage(page);
    };
    Result<nlohmann::json> answer = m_child->call("record", toJson(sent), options);
    if (!answer) return answer.error();
    if (!pages) return pages.error();
    return reader.finish(*answer);
}

Result<tensorview::Answer> KernelClient::tensors(const RunParameters& parameters, const tensorview::Query& query,
                                                 const CallOptions& call) {
    nlohmann::json sent = toJson(parameters);
    sent["query"] = toJson(query);
    Result<nlohmann::json> answer =
        m_child->call("tensors", std::move(sent), limited(childLimit("tensors", parameters.timeLimit), call));
    if (!answer) return answer.error();
    return tensorview::answerFromJson(*answer);
}

Result<TimeSummary> KernelClient::time(const TimeParameters& parameters, const CallOptions& call,
                                       const std::function<void(const TimeSummary&)>& early) {
    TimeParameters sent = parameters;
    sent.run.referenceUnit.reset();
    sent.run.claim.reset();
    WorkerClient::CallOptions options =
        limited(childLimit("time", sent.run.timeLimit) + baselineLimit(sent.baselines), call);
    if (early)
        options.partial = [&early](const nlohmann::json& part) {
            if (const Result<TimeSummary> first = timeSummaryFromJson(part); first) early(*first);
        };
    Result<nlohmann::json> answer = m_child->call("time", toJson(sent), options);
    if (!answer) return answer.error();
    return timeSummaryFromJson(*answer);
}

Result<DeviceList> KernelClient::devices(const CallOptions& call) {
    Result<nlohmann::json> answer = m_child->call("devices", nlohmann::json::object(), limited(devicesLimit, call));
    if (!answer) return answer.error();
    return deviceListFromJson(*answer);
}

Result<perf::MeasuredCeilings> KernelClient::measure(const CallOptions& call) {
    Result<nlohmann::json> answer = m_child->call("measure", nlohmann::json::object(), limited(measureLimit, call));
    if (!answer) return answer.error();
    return perf::measuredCeilingsFromJson(*answer);
}

Result<void> KernelClient::prepareProducts(const std::vector<hgemm::Configuration>& configurations,
                                           const CallOptions& call) {
    nlohmann::json keys = nlohmann::json::array();
    for (const hgemm::Configuration& one : configurations)
        keys.push_back(one.key());
    Result<nlohmann::json> answer =
        m_child->call("hgemm.prepare", {{"configurations", std::move(keys)}}, limited(productsLimit, call));
    if (!answer) return answer.error();
    return {};
}

Result<hgemm::MeasureAnswer> KernelClient::measureProducts(const hgemm::MeasureRequest& request,
                                                           const CallOptions& call) {
    Result<nlohmann::json> answer =
        m_child->call("hgemm.measure", hgemm::toJson(request), limited(productsLimit, call));
    if (!answer) return answer.error();
    return hgemm::measureAnswerFromJson(*answer);
}

} // namespace kernelarium::protocol
