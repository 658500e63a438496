// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toolkit/Bring.h"

#include "core/hub/Get.h"
#include "core/hub/PartFile.h"
#include "core/quantities/Quantities.h"
#include "core/toolkit/WheelFile.h"

#include <chrono>
#include <fmt/format.h>

namespace kernelarium::toolkit {
namespace {

namespace fs = std::filesystem;

constexpr auto betweenSayings = std::chrono::milliseconds(100);
constexpr std::uint64_t spare = 16u << 20; ///< folders, and blocks that are not full

Error cancelledBringing() {
    return {"cancelled", "Getting the toolkit was cancelled.",
            "What came is kept: getting it again resumes from there."};
}

std::uint64_t systemRoom(const fs::path& folder) {
    std::error_code code;
    const auto space = fs::space(folder, code);
    return code ? UINT64_MAX : std::uint64_t(space.available);
}

class Bringing {
public:
    Bringing(const BringRequest& request, const std::function<void(const BringProgress&)>& tell,
             const std::stop_token& stop)
        : m_request(request)
        , m_tell(tell)
        , m_stop(stop) {}

    Result<BroughtToolkit> run() {
        const Offer& offer = m_request.offer;
        if (!m_request.acceptsLicence)
            return Error{"not_accepted", fmt::format("The {} was not accepted.", licenceName),
                         fmt::format("Read it at {}, and say so (--yes).", licenceAddress)};
        if (m_request.folder.empty())
            return Error{"no_home", "There is no folder for this user's data.", "Set HOME or XDG_DATA_HOME."};
        auto staged = StagedToolkit::begin(m_request.folder);
        if (!staged) return staged.error();
        if (auto room = findRoom(); !room) return room.error();
        auto paths = offer.isDownload() ? download() : check();
        if (!paths) return paths.error().code == "cancelled" ? cancelledBringing() : paths.error();
        BroughtToolkit brought{offer.version, {}, 0, offer.sourceText(), {}};
        if (auto unpacked = unpack(*paths, staged->root(), brought.bytes); !unpacked)
            return unpacked.error().code == "cancelled" ? cancelledBringing() : unpacked.error();
        for (const OfferedWheel& wheel : offer.wheels)
            brought.wheels.push_back({wheel.file, wheel.sha256});
        auto used = staged->use(std::move(brought));
        if (used && offer.isDownload()) dropDownloads();
        return used;
    }

private:
    [[nodiscard]] fs::path downloads() const { return m_request.folder / "downloads"; }

    Result<void> findRoom() const {
        std::uint64_t needed = m_request.offer.unpackedBytes() + spare;
        if (m_request.offer.isDownload())
            for (const OfferedWheel& wheel : m_request.offer.wheels)
                needed += wheel.bytes - std::min(wheel.bytes, hub::bytesPresent(downloads() / wheel.file));
        const std::uint64_t there = m_request.room ? m_request.room(m_request.folder) : systemRoom(m_request.folder);
        if (there >= needed) return {};
        return Error{"disk_full",
                     fmt::format("The toolkit needs {}, and {} has room for {}.", quantities::bytes(double(needed)),
                                 m_request.folder.string(), quantities::bytes(double(there))),
                     "Free some space."};
    }

    Result<std::vector<fs::path>> download() {
        hub::GetRequest get;
        get.into = downloads();
        for (const OfferedWheel& wheel : m_request.offer.wheels)
            get.files.push_back({wheel.file, wheel.bytes, wheel.sha256, wheel.address});
        return hub::get(
            get,
            [this](const hub::GetProgress& at) {
                m_progress.step = at.isChecking ? BringProgress::Step::checking : BringProgress::Step::downloading;
                m_progress.file = at.file;
                m_progress.done = at.bytesDone;
                m_progress.total = at.bytesTotal;
                m_progress.bytesPerSecond = at.bytesPerSecond();
                m_progress.secondsLeft = at.secondsLeft().value_or(-1);
                m_progress.waits = double(at.waits.count());
                if (m_tell) m_tell(m_progress);
            },
            m_stop);
    }

    /// The wheels of a folder stay where they are.
    Result<std::vector<fs::path>> check() {
        std::vector<fs::path> paths;
        m_progress = {BringProgress::Step::checking, {}, 0, m_request.offer.wheelBytes()};
        for (const OfferedWheel& wheel : m_request.offer.wheels) {
            m_progress.file = wheel.file;
            auto sum = hub::sha256OfFile(
                wheel.path,
                [this](std::uint64_t bytes) {
                    m_progress.done += bytes;
                    say(false);
                },
                m_stop);
            if (!sum) return sum.error();
            if (*sum != wheel.sha256)
                return Error{"checksum_mismatch",
                             wheel.isPublished()
                                 ? fmt::format("{} is not the file that NVIDIA published.", wheel.path.string())
                                 : fmt::format("{} is not what SHA256SUMS beside it says.", wheel.path.string()),
                             "Nothing was installed. Copy it again; for wheels made elsewhere, put a SHA256SUMS file "
                             "(of sha256sum) beside them."};
            paths.push_back(wheel.path);
        }
        return paths;
    }

    Result<void> unpack(const std::vector<fs::path>& paths, const fs::path& root, std::uint64_t& bytes) {
        std::vector<WheelFile> wheels;
        for (std::size_t i = 0; i < paths.size(); ++i) {
            auto wheel = WheelFile::open(paths[i], m_request.offer.wheels[i].wheel, m_stop);
            if (!wheel) return wheel.error();
            bytes += wheel->keptBytes();
            wheels.push_back(std::move(*wheel));
        }
        m_progress = {BringProgress::Step::unpacking, {}, 0, bytes};
        const auto wrote = [this](std::uint64_t more) {
            m_progress.done += more;
            say(false);
        };
        for (std::size_t i = 0; i < wheels.size(); ++i) {
            m_progress.file = m_request.offer.wheels[i].file;
            for (const WheelFile::Kept& kept : wheels[i].kept()) {
                if (m_stop.stop_requested()) return cancelledBringing();
                if (auto done = wheels[i].unpack(kept, root, wrote, m_stop); !done) return done;
            }
        }
        say(true);
        return {};
    }

    void dropDownloads() const {
        std::error_code ignored;
        for (const OfferedWheel& wheel : m_request.offer.wheels)
            fs::remove(downloads() / wheel.file, ignored);
        fs::remove(downloads(), ignored); // unless something else is in it
    }

    void say(bool always) {
        const auto now = std::chrono::steady_clock::now();
        if (!m_tell || (!always && now - m_said < betweenSayings)) return;
        m_said = now;
        m_tell(m_progress);
    }

    const BringRequest& m_request;
    const std::function<void(const BringProgress&)>& m_tell;
    const std::stop_token& m_stop;
    BringProgress m_progress;
    std::chrono::steady_clock::time_point m_said{};
};

} // namespace

std::string progressText(const BringProgress& progress) {
    using quantities::bytes;
    const std::string amount = fmt::format("{} of {}", bytes(double(progress.done)), bytes(double(progress.total)));
    switch (progress.step) {
    case BringProgress::Step::checking: return fmt::format("Checking {}: {}", progress.file, amount);
    case BringProgress::Step::unpacking: return fmt::format("Unpacking {}: {}", progress.file, amount);
    case BringProgress::Step::downloading: break;
    }
    std::string text = fmt::format("Downloading {}: {}", progress.file, amount);
    if (progress.waits > 0)
        return text + fmt::format(", the server is busy: retrying in {}", quantities::timeLeft(progress.waits));
    if (progress.bytesPerSecond > 0) text += ", " + quantities::si(progress.bytesPerSecond, "B/s");
    if (progress.secondsLeft >= 0) text += ", time left: " + quantities::timeLeft(progress.secondsLeft);
    return text;
}

Result<BroughtToolkit> bring(const BringRequest& request, const std::function<void(const BringProgress&)>& progress,
                             const std::stop_token& stop) {
    return Bringing(request, progress, stop).run();
}

} // namespace kernelarium::toolkit
