// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hub/Http.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <curl/curl.h>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>

namespace kernelarium::hub {
namespace {

constexpr long mostRedirects = 10;
constexpr long connectSeconds = 20;
constexpr long silentSeconds = 30;

/// Where systems keep the certificates of those who are trusted: the library's own place may be another system's.
std::string certificateFile() {
    for (const char* name : {"SSL_CERT_FILE", "CURL_CA_BUNDLE"})
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return value;
    for (const char* path :
         {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
          "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem"}) {
        std::error_code ignored;
        if (std::filesystem::exists(path, ignored)) return path;
    }
    return {};
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.remove_suffix(1);
    return text;
}

std::optional<std::uint64_t> wholeNumber(std::string_view text) {
    std::uint64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

std::string hostOf(const std::string& whole) {
    const std::string address = withoutCredentials(whole);
    const auto begin = address.find("://");
    const auto host = begin == std::string::npos ? 0 : begin + 3;
    return address.substr(host, address.find_first_of("/?#", host) - host);
}

/// <https://host/next>; rel="next", …
std::string nextFromLink(std::string_view value) {
    while (!value.empty()) {
        const auto open = value.find('<'), close = value.find('>');
        if (open == std::string_view::npos || close == std::string_view::npos || close < open) break;
        const auto rest = value.substr(close + 1);
        const auto parameters = rest.substr(0, rest.find('<'));
        if (parameters.find("rel=\"next\"") != std::string_view::npos)
            return std::string(value.substr(open + 1, close - open - 1));
        value = rest.substr(parameters.size());
    }
    return {};
}

void takeHeader(HttpAnswer& answer, std::string name, std::string_view value) {
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    if (name == "content-type") answer.contentType = value;
    if (name == "etag") answer.etag = value.starts_with("\"") ? std::string(value) : std::string();
    if (name == "link") answer.nextPage = nextFromLink(value);
    if (name == "content-length" && answer.status == 200) answer.wholeLength = wholeNumber(value);
    if (name == "retry-after") {
        if (const auto seconds = wholeNumber(value)) {
            answer.retryAfter = std::chrono::seconds(std::min<std::uint64_t>(*seconds, 86400));
        } else if (const time_t date = curl_getdate(std::string(value).c_str(), nullptr); date >= 0) {
            answer.retryAfter = std::chrono::seconds(std::clamp<long long>(date - std::time(nullptr), 0, 86400));
        }
    }
    if (name == "ratelimit") { // "api";r=0;t=55: so many requests left, so many seconds until there are more
        const auto number = [value](std::string_view key) -> std::optional<std::uint64_t> {
            const auto at = value.find(key);
            if (at == std::string_view::npos) return std::nullopt;
            const auto rest = value.substr(at + key.size());
            return wholeNumber(rest.substr(0, rest.find_first_not_of("0123456789")));
        };
        if (const auto left = number(";r="), seconds = number(";t="); left == 0U && seconds)
            answer.retryAfter = std::max(answer.retryAfter.value_or(std::chrono::seconds(0)),
                                         std::chrono::seconds(std::min<std::uint64_t>(*seconds, 86400)));
    }
    if (name == "content-range" && value.starts_with("bytes ")) { // bytes 100-199/200
        value.remove_prefix(6);
        const auto dash = value.find('-'), slash = value.find('/');
        if (dash != std::string_view::npos) answer.from = wholeNumber(value.substr(0, dash)).value_or(0);
        if (slash != std::string_view::npos) answer.wholeLength = wholeNumber(value.substr(slash + 1));
    }
}

/// One request, as libcurl's callbacks see it.
struct Exchange {
    const HttpClient::Begin& begin;
    const HttpClient::Content& content;
    const std::stop_token& stop;
    HttpAnswer answer = {};
    bool begun = false;
    std::optional<Error> problem = {};

    Result<void> start() {
        if (begun) return {};
        begun = true;
        return begin ? begin(answer) : Result<void>();
    }
    [[nodiscard]] bool hasContent() const { return answer.status == 200 || answer.status == 206; }
};

size_t onHeader(char* data, size_t, size_t size, void* user) {
    auto& exchange = *static_cast<Exchange*>(user);
    const std::string_view line = trimmed({data, size});
    if (line.starts_with("HTTP/")) { // also the one behind a redirect
        exchange.answer = {};
        const auto space = line.find(' ');
        if (space != std::string_view::npos)
            exchange.answer.status = long(wholeNumber(line.substr(space + 1, 3)).value_or(0));
    } else if (const auto colon = line.find(':'); colon != std::string_view::npos) {
        takeHeader(exchange.answer, std::string(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
    }
    return size;
}

size_t onContent(char* data, size_t, size_t size, void* user) {
    auto& exchange = *static_cast<Exchange*>(user);
    if (!exchange.hasContent()) return size;
    auto taken = exchange.start();
    if (taken) taken = exchange.content({data, size});
    if (taken) return size;
    exchange.problem = taken.error();
    return 0;
}

int onProgress(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<Exchange*>(user)->stop.stop_requested() ? 1 : 0;
}

Error failure(CURLcode code, const std::string& address, const std::string& detail) {
    const std::string host = hostOf(address);
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
        return {"no_network", fmt::format("The address of {} could not be resolved.", host),
                "Check that this machine is connected to the internet.", detail};
    case CURLE_COULDNT_CONNECT:
        return {"no_network", fmt::format("{} does not answer.", host),
                "Check that this machine is connected to the internet, and that no firewall is in the way.", detail};
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
        return {
            "tls", fmt::format("No secure connection to {} could be made: {}.", host, detail),
            "Check this machine's clock and its certificates (package ca-certificates); a proxy may be in the way."};
    case CURLE_TOO_MANY_REDIRECTS:
        return {"redirect_loop", fmt::format("{} redirects endlessly.", host), "Try again later."};
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
        return {"bad_input",
                fmt::format("{} is not an address of a web server that can be used here.", withoutCredentials(address)),
                "It begins with https:// (a secure one never leads to an insecure one).", detail};
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
        return {"connection_cut", fmt::format("The connection to {} broke off.", host),
                "What came is kept; try again to resume.", detail};
    default: return {"bad_answer", fmt::format("{} gave an answer that cannot be understood: {}.", host, detail)};
    }
}

} // namespace

struct HttpClient::State {
    CURL* handle = nullptr;
    std::array<char, CURL_ERROR_SIZE> message{};
};

HttpClient::HttpClient()
    : m_state(std::make_unique<State>()) {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    m_state->handle = curl_easy_init();
}

HttpClient::~HttpClient() {
    curl_easy_cleanup(m_state->handle);
}

Result<HttpAnswer> HttpClient::get(const HttpRequest& request, const Begin& begin, const Content& content,
                                   const std::stop_token& stop) {
    CURL* handle = m_state->handle;
    if (handle == nullptr) return Error{"out_of_memory", "There is not enough memory for a connection."};
    const bool secure = request.address.starts_with("https://");
    Exchange exchange{begin, content, stop};
    curl_easy_reset(handle);
    m_state->message[0] = '\0';
    curl_easy_setopt(handle, CURLOPT_URL, request.address.c_str());
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, m_state->message.data());
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, secure ? "https" : "http,https");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(handle, CURLOPT_MAXREDIRS, mostRedirects);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, connectSeconds);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, silentSeconds);
    curl_easy_setopt(handle, CURLOPT_USERAGENT, "Kernelarium/" KERNELARIUM_VERSION);
    static const std::string certificates = certificateFile();
    if (!certificates.empty()) curl_easy_setopt(handle, CURLOPT_CAINFO, certificates.c_str());
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, onHeader);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, &exchange);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, onContent);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &exchange);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, onProgress);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, &exchange);
    const std::string range = fmt::format("{}-", request.from);
    if (request.from > 0) curl_easy_setopt(handle, CURLOPT_RANGE, range.c_str());
    std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers(nullptr, curl_slist_free_all);
    const auto add = [&headers](const std::string& line) {
        if (curl_slist* longer = curl_slist_append(headers.get(), line.c_str())) {
            (void)headers.release();
            headers.reset(longer);
        }
    };
    if (request.from > 0 && !request.ifRange.empty()) add("If-Range: " + request.ifRange);
    if (!request.accept.empty()) add("Accept: " + request.accept);
    if (headers) curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());

    const CURLcode code = curl_easy_perform(handle);
    if (stop.stop_requested()) return Error{"cancelled", "Cancelled."};
    if (exchange.problem) return *exchange.problem;
    if (code == CURLE_OPERATION_TIMEDOUT && exchange.answer.status == 0)
        return failure(CURLE_COULDNT_CONNECT, request.address, m_state->message.data()); // not one word came
    if (code != CURLE_OK) {
        std::string detail = m_state->message[0] != '\0' ? m_state->message.data() : curl_easy_strerror(code);
        return failure(code, request.address, detail);
    }
    if (exchange.hasContent()) // also where there was none of it
        if (auto started = exchange.start(); !started) return started.error();
    return exchange.answer;
}

Result<std::string> fetchText(HttpClient& client, const std::string& address, std::size_t mostBytes, HttpAnswer& answer,
                              const std::stop_token& stop, const std::string& accept) {
    std::string text;
    auto got = client.get(
        {address, 0, {}, accept}, {},
        [&](std::string_view bytes) -> Result<void> {
            if (text.size() + bytes.size() > mostBytes)
                return Error{"bad_answer", fmt::format("{} sends more than was requested.", hostOf(address))};
            text += bytes;
            return {};
        },
        stop);
    if (!got) return got.error();
    answer = *got;
    if (answer.status != 200) return errorOf(answer, address);
    return text;
}

std::string withoutCredentials(const std::string& address) {
    const auto begin = address.find("://");
    const auto host = begin == std::string::npos ? 0 : begin + 3;
    const auto end = std::min(address.find_first_of("/?#", host), address.size());
    const auto at = address.substr(host, end - host).rfind('@');
    return at == std::string::npos ? address : address.substr(0, host) + address.substr(host + at + 1);
}

Result<std::string> addressOn(const std::string& page, const std::string& reference) {
    const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> url(curl_url(), curl_url_cleanup);
    const Error bad{"bad_answer",
                    fmt::format("{} leads to '{}', which cannot be downloaded.", withoutCredentials(page), reference),
                    "Choose another address."};
    char* scheme = nullptr;
    char* whole = nullptr;
    if (!url || curl_url_set(url.get(), CURLUPART_URL, page.c_str(), 0) != CURLUE_OK ||
        curl_url_set(url.get(), CURLUPART_URL, reference.c_str(), 0) != CURLUE_OK ||
        curl_url_set(url.get(), CURLUPART_FRAGMENT, nullptr, 0) != CURLUE_OK ||
        curl_url_get(url.get(), CURLUPART_SCHEME, &scheme, 0) != CURLUE_OK)
        return bad;
    const std::string kind = scheme;
    curl_free(scheme);
    if ((kind != "https" && kind != "http") || (kind == "http" && page.starts_with("https:"))) return bad;
    if (curl_url_get(url.get(), CURLUPART_URL, &whole, 0) != CURLUE_OK) return bad;
    std::string address = whole;
    curl_free(whole);
    return address;
}

Error errorOf(const HttpAnswer& answer, const std::string& address) {
    const std::string host = hostOf(address);
    const long status = answer.status;
    if (status == 404 || status == 410)
        return {"not_found", fmt::format("{} is not there (HTTP {}).", withoutCredentials(address), status),
                "It may have moved: look for a newer version of this program."};
    if (status == 401 || status == 403)
        return {"forbidden", fmt::format("{} refuses access to this (HTTP {}).", host, status),
                "Download the files with a browser that is signed in, and import them."};
    if (status == 429 || status >= 500)
        return {"server_busy", fmt::format("{} is busy (HTTP {}).", host, status),
                answer.retryAfter ? fmt::format("It asks to try again in {} s.", answer.retryAfter->count())
                                  : std::string("Try again later; what came is kept.")};
    return {"bad_answer", fmt::format("{} gave an unexpected answer (HTTP {}).", withoutCredentials(address), status)};
}

} // namespace kernelarium::hub
