// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace kernelarium::hub {

/// What a server is asked for.
struct HttpRequest {
    std::string address;
    std::uint64_t from = 0; ///< over 0: asks for the rest of the content from this byte on (Range)
    std::string ifRange;    ///< the ETag that the rest has to belong to; empty: no condition
    std::string accept;     ///< the kinds of content that are understood (Accept); empty: any
};

/// The answer of the last server in a chain of redirects.
struct HttpAnswer {
    long status = 0;
    std::uint64_t from = 0;                   ///< of a 206: where the content begins
    std::optional<std::uint64_t> wholeLength; ///< of the whole content, where the server says
    std::string contentType;
    std::string etag;                               ///< empty unless it is a strong one
    std::string nextPage;                           ///< address of a list's next page (Link), empty on the last
    std::optional<std::chrono::seconds> retryAfter; ///< Retry-After, or RateLimit of one who has no request left
};

/// HTTP over libcurl: it brings TLS with the system's certificates, proxies from the environment, redirects and partial
/// content, which a client of our own would get wrong; Qt has none where core may reach. One connection is kept from
/// request to request. One object from one thread at a time.
class HttpClient {
public:
    HttpClient();
    ~HttpClient();
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;

    using Begin = std::function<Result<void>(const HttpAnswer& answer)>;
    using Content = std::function<Result<void>(std::string_view bytes)>;

    /// GET. For an answer of 200 or 206 calls `begin` once, then `content` with what comes; an Error of theirs ends the
    /// request and is returned. Any other status is returned in the answer, without its content. A redirect from https
    /// never leads to http.
    ///
    /// Errors: "no_network" (the name is not resolved, nobody answers), "tls", "redirect_loop", "connection_cut"
    /// (before the end, or nothing came for half a minute), "cancelled", "bad_answer" (anything else that is not HTTP),
    /// "bad_input".
    Result<HttpAnswer> get(const HttpRequest& request, const Begin& begin, const Content& content,
                           const std::stop_token& stop = {});

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// The content as a text of at most `mostBytes`. Errors: those of get() and of errorOf().
Result<std::string> fetchText(HttpClient& client, const std::string& address, std::size_t mostBytes, HttpAnswer& answer,
                              const std::stop_token& stop, const std::string& accept = {});

/// The address without a user's name and password, as it is shown and kept.
[[nodiscard]] std::string withoutCredentials(const std::string& address);

/// What `reference` on the page `page` leads to (RFC 3986), without its fragment. Error "bad_answer" for what is no
/// address, none of a web server, or an insecure one on a secure page.
Result<std::string> addressOn(const std::string& page, const std::string& reference);

/// What a status that is not a success means: "not_found", "forbidden", "server_busy" (429, 500 to 599: worth another
/// try), "bad_answer".
Error errorOf(const HttpAnswer& answer, const std::string& address);

} // namespace kernelarium::hub
