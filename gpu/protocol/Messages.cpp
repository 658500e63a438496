// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/Messages.h"

#include "core/text/UntrustedJson.h"

#include <array>

namespace kernelarium::protocol {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 6> eventNames = {"hello",    "progress", "partial",
                                                        "finished", "failed",   "cancelled"};

std::string dump(const json& j) {
    return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<json> parseObject(std::string_view line) {
    if (text::nestsTooDeeply(line)) return Error{"bad_json", "The line's lists and objects nest too deeply."};
    json j = json::parse(line, nullptr, false);
    if (j.is_discarded()) return Error{"bad_json", "The line is not JSON.", "Send one JSON object per line."};
    if (!j.is_object()) return Error{"bad_request", "The line is not a JSON object."};
    return j;
}

} // namespace

json toJson(const Error& error) {
    json j = {{"code", error.code}, {"message", error.message}, {"action", error.action}};
    if (!error.detail.empty()) j["detail"] = error.detail;
    return j;
}

std::string toLine(const Request& request) {
    json j = {{"id", request.id}, {"generation", request.generation}, {"method", request.method}};
    if (!request.tag.empty()) j["tag"] = request.tag;
    j["params"] = request.params;
    return dump(j);
}

std::string toLine(const Event& event) {
    json j = {{"event", eventNames[std::size_t(event.kind)]}};
    if (event.kind != EventKind::hello) {
        j["id"] = event.id < 0 ? json(nullptr) : json(event.id);
        j["generation"] = event.generation;
    }
    switch (event.kind) {
    case EventKind::hello:
        j.update({{"kind", event.childKind},
                  {"version", event.version},
                  {"protocol", event.protocol},
                  {"capabilities", event.capabilities}});
        break;
    case EventKind::progress: j["stage"] = event.stage; break;
    case EventKind::partial:
    case EventKind::finished: j["result"] = event.result; break;
    case EventKind::failed: j.update(toJson(event.error)); break;
    case EventKind::cancelled: break;
    }
    if (event.childEnds) j["child_ends"] = true;
    return dump(j);
}

Result<Request> parseRequest(std::string_view line) {
    Result<json> j = parseObject(line);
    if (!j) return j.error();
    try {
        Request request;
        request.id = j->at("id").get<std::int64_t>();
        request.generation = j->value("generation", std::int64_t(0));
        request.method = j->at("method").get<std::string>();
        request.tag = j->value("tag", "");
        if (j->contains("params")) request.params = std::move((*j)["params"]);
        if (!request.params.is_object()) return Error{"bad_request", "`params` is not an object."};
        return request;
    } catch (const json::exception& failure) {
        return Error{"bad_request", std::string("Not a request: ") + failure.what()};
    }
}

Result<Event> parseEvent(std::string_view line) {
    Result<json> j = parseObject(line);
    if (!j) return j.error();
    try {
        Event event;
        const std::string kind = j->at("event").get<std::string>();
        std::size_t which = 0;
        while (which < eventNames.size() && eventNames[which] != kind)
            ++which;
        if (which == eventNames.size()) return Error{"bad_request", "Unknown event " + kind + "."};
        event.kind = EventKind(which);
        if (j->contains("id") && j->at("id").is_number()) event.id = j->at("id").get<std::int64_t>();
        event.generation = j->value("generation", std::int64_t(0));
        event.stage = j->value("stage", "");
        if (event.kind == EventKind::finished || event.kind == EventKind::partial)
            event.result = std::move(j->at("result"));
        if (event.kind == EventKind::failed)
            event.error = {j->at("code").get<std::string>(), j->at("message").get<std::string>(),
                           j->value("action", ""), j->value("detail", "")};
        event.childEnds = j->value("child_ends", false);
        event.childKind = j->value("kind", "");
        event.version = j->value("version", "");
        event.protocol = j->value("protocol", 0);
        event.capabilities = j->value("capabilities", std::vector<std::string>{});
        return event;
    } catch (const json::exception& failure) {
        return Error{"bad_request", std::string("Not an event: ") + failure.what()};
    }
}

} // namespace kernelarium::protocol
