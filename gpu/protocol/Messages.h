// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::protocol {

/// What parent and child say to each other: one JSON object a line, requests on the child's standard input, events on
/// its standard output.
///
///   request  {"id": 7, "generation": 3, "method": "compile", "tag": "editor", "params": {...}}
///   event    {"event": "hello", "kind": "compile", "version": "0.1.0", "protocol": 1, "capabilities": [...]}
///            {"event": "progress", "id": 7, "generation": 3, "stage": "run"}
///            {"event": "partial", "id": 7, "generation": 3, "result": {...}}
///            {"event": "finished", "id": 7, "generation": 3, "result": {...}}
///            {"event": "failed", "id": 7, "generation": 3, "code": "...", "message": "...", "action": "..."}
///            {"event": "cancelled", "id": 7, "generation": 3}
///
/// A finished, failed or cancelled event with "child_ends": true is the last thing that this child says: it ends by
/// itself (a GPU that it can use no more, say), requests that still wait are not answered, and another child has to be
/// started.
///
/// The child says hello once, before anything else. Every request with an id gets exactly one of finished, failed and
/// cancelled, in the order in which the requests came unless some were cancelled. {"method": "cancel", "id": 7} ends
/// request 7; it has no event of its own. Any number of progress and partial events come before that end: a partial
/// result is what a method knows early and is replaced by the finished one. A request with a tag cancels older ones of
/// the same tag that have not ended. A line that is not a request is answered with `failed` and id null.
inline constexpr int protocolVersion = 1;

/// Longest line a child takes; a longer one is skipped and answered with `failed`, code "too_large".
inline constexpr std::size_t longestLine = std::size_t(64 + 4) << 20;

/// A line for the child.
struct Request {
    std::int64_t id = 0;
    std::int64_t generation = 0; ///< of whatever the sender counts; comes back unchanged
    std::string method;
    std::string tag;
    nlohmann::json params = nlohmann::json::object();
};

/// What an event says; the last three end their request.
enum class EventKind { hello, progress, partial, finished, failed, cancelled };

/// A line of the child.
struct Event {
    EventKind kind = EventKind::hello;
    std::int64_t id = -1; ///< -1 where it answers no request
    std::int64_t generation = 0;
    std::string stage;      ///< of progress
    nlohmann::json result;  ///< of finished; of partial, what is known so far
    Error error;            ///< of failed
    bool childEnds = false; ///< of a terminal event: the child ends by itself after it
    // of hello
    std::string childKind;
    std::string version;
    int protocol = 0;
    std::vector<std::string> capabilities;

    /// finished, failed or cancelled.
    [[nodiscard]] bool isTerminal() const { return kind >= EventKind::finished; }
};

/// One line without the line end. Bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string toLine(const Request& request);
[[nodiscard]] std::string toLine(const Event& event);
/// Errors: "bad_json", "bad_request" (what is missing or of the wrong type).
Result<Request> parseRequest(std::string_view line);
Result<Event> parseEvent(std::string_view line);

[[nodiscard]] nlohmann::json toJson(const Error& error);

} // namespace kernelarium::protocol
