// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hub/Get.h"

#include "core/hub/Http.h"
#include "core/hub/PartFile.h"
#include "core/hub/Retry.h"
#include "core/quantities/Quantities.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace kernelarium::hub {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto betweenTellings = std::chrono::milliseconds(100);

/// One call of get(): a file after the other over one connection.
class GetRun {
public:
    GetRun(const GetRequest& request, const std::function<void(const GetProgress&)>& progress,
           const std::stop_token& stop)
        : m_request(request)
        , m_tell(progress)
        , m_stop(stop) {
        m_progress.fileCount = request.files.size();
        for (const auto& file : request.files)
            m_progress.bytesTotal += file.bytes;
    }

    Result<std::vector<fs::path>> run() {
        if (auto room = findRoom(); !room) return room.error();
        std::vector<fs::path> paths;
        std::uint64_t before = 0;
        for (const auto& file : m_request.files) {
            m_progress.file = fs::path(file.path).filename().string();
            ++m_progress.fileNumber;
            m_before = before;
            const fs::path target = m_request.into / file.path;
            if (auto got = bring(file, target); !got) return got.error();
            paths.push_back(target);
            before += file.bytes;
            at(file.bytes, true);
        }
        return paths;
    }

private:
    Result<void> findRoom() {
        std::error_code code;
        fs::create_directories(m_request.into, code);
        if (code)
            return Error{"unwritable_file",
                         fmt::format("{} cannot be created: {}.", m_request.into.string(), code.message()),
                         "Choose another folder."};
        std::uint64_t needed = 0;
        for (const auto& file : m_request.files)
            needed += file.bytes - std::min(file.bytes, bytesPresent(m_request.into / file.path));
        const auto space = fs::space(m_request.into, code);
        if (!code && space.available < needed)
            return Error{"disk_full",
                         fmt::format("The download needs {}, and {} has room for {}.",
                                     quantities::bytes(double(needed)), m_request.into.string(),
                                     quantities::bytes(double(space.available))),
                         "Free some space or choose another folder."};
        return {};
    }

    /// The file under its name, with its content.
    Result<void> bring(const HubFile& file, const fs::path& target) {
        if (m_stop.stop_requested()) return cancelled();
        std::error_code code;
        if (fs::exists(target, code) && fs::file_size(target, code) == file.bytes && !code) {
            auto same = isContentOf(file, target);
            if (!same) return same.error();
            if (*same) return {};
        }
        auto part = PartFile::open(target, file);
        if (!part) return part.error();
        const bool resumed = part->bytes() > 0;
        if (auto fetched = fetch(file, *part); !fetched) return fetched;
        auto same = isContentOf(file, fs::path(target) += ".part");
        if (!same) return same.error();
        if (!*same && resumed) { // an old part may be at fault; a whole new one is not
            if (auto begun = part->beginAnew(); !begun) return begun;
            if (auto fetched = fetch(file, *part); !fetched) return fetched;
            same = isContentOf(file, fs::path(target) += ".part");
            if (!same) return same.error();
        }
        if (!*same) {
            part->discard();
            return Error{"checksum_mismatch", fmt::format("The content of {} is not what the list says.", file.path),
                         "It was discarded. Try again; a proxy may have changed it."};
        }
        return part->finish();
    }

    Result<bool> isContentOf(const HubFile& file, const fs::path& path) {
        m_progress.isChecking = true;
        at(file.bytes, true);
        auto sum = sha256OfFile(path, {}, m_stop);
        m_progress.isChecking = false;
        if (!sum) return sum.error().code == "cancelled" ? cancelled() : sum.error();
        return *sum == file.sha256;
    }

    /// Until the part is as long as the file.
    Result<void> fetch(const HubFile& file, PartFile& part) {
        Retry retry;
        at(part.bytes(), true);
        while (part.bytes() < file.bytes) {
            const auto had = part.bytes();
            HttpAnswer answer;
            auto fetched = fetchRest(file, part, answer);
            if (fetched && part.bytes() >= file.bytes) break;
            if (m_stop.stop_requested()) return cancelled();
            if (part.bytes() > had) retry.progressed();
            const Error error =
                fetched ? Error{"connection_cut",
                                fmt::format("{} ended after {} of {} bytes.", file.path, part.bytes(), file.bytes),
                                "Try again; what came is kept."}
                        : fetched.error();
            const auto tellWait = [&](std::chrono::seconds wait) {
                m_progress.waits = wait;
                at(part.bytes(), true);
                m_progress.waits = {};
            };
            if (!retry.waitFor(error, answer, m_stop, tellWait)) return m_stop.stop_requested() ? cancelled() : error;
        }
        return {};
    }

    Result<void> fetchRest(const HubFile& file, PartFile& part, HttpAnswer& last) {
        const auto begin = [&](const HttpAnswer& answer) -> Result<void> {
            if (answer.contentType.starts_with("text/html"))
                return Error{"bad_answer", "A web page came instead of " + file.path + ".",
                             "A proxy or a sign-in page may be in the way."};
            if (answer.wholeLength && *answer.wholeLength != file.bytes)
                return Error{
                    "size_mismatch",
                    fmt::format("{} has {} bytes there; the list says {}.", file.path, *answer.wholeLength, file.bytes),
                    "Try again later: it may be changing."};
            const bool goesOn = answer.status == 206 && answer.from == part.bytes();
            if (!goesOn && answer.status == 206)
                return Error{"bad_answer", fmt::format("The rest of {} came from the wrong position.", file.path),
                             "Try again later."};
            if (!goesOn && part.bytes() > 0)
                if (auto begun = part.beginAnew(); !begun) return begun;
            return answer.etag == part.etag() ? Result<void>() : part.noteEtag(answer.etag);
        };
        const auto content = [&](std::string_view bytes) -> Result<void> {
            if (part.bytes() + bytes.size() > file.bytes)
                return Error{"size_mismatch", fmt::format("{} is longer than the list says.", file.path),
                             "Try again later: it may be changing."};
            if (auto added = part.append(bytes); !added) return added;
            m_progress.bytesFetched += bytes.size();
            at(part.bytes(), false);
            return {};
        };
        const std::string address = file.address.empty() ? m_request.dataSet.fileAddress(file.path) : file.address;
        auto got = m_client.get({address, part.bytes(), part.etag(), {}}, begin, content, m_stop);
        if (!got) return got.error();
        last = *got;
        if (got->status == 416) return part.beginAnew(); // what is here does not fit what is there
        if (got->status != 200 && got->status != 206) return errorOf(*got, address);
        return {};
    }

    static Error cancelled() {
        return {"cancelled", "The download was cancelled.", "What came is kept: getting it again resumes from there."};
    }

    void at(std::uint64_t ofThisFile, bool always) {
        m_progress.bytesDone = m_before + ofThisFile;
        const auto now = Clock::now();
        m_progress.seconds = std::chrono::duration<double>(now - m_began).count();
        if (!m_tell || (!always && now - m_told < betweenTellings)) return;
        m_told = now;
        m_tell(m_progress);
    }

    const GetRequest& m_request;
    const std::function<void(const GetProgress&)>& m_tell;
    const std::stop_token& m_stop;
    HttpClient m_client;
    GetProgress m_progress;
    std::uint64_t m_before = 0; ///< bytes of the files before this one
    Clock::time_point m_began = Clock::now();
    Clock::time_point m_told{};
};

} // namespace

Result<std::vector<fs::path>> get(const GetRequest& request, const std::function<void(const GetProgress&)>& progress,
                                  const std::stop_token& stop) {
    return GetRun(request, progress, stop).run();
}

} // namespace kernelarium::hub
