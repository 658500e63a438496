// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toolkit/Licence.h"

#include "core/hub/Get.h"
#include "core/hub/PartFile.h"
#include "core/toolkit/WheelFile.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::toolkit {

Result<std::string> licenceText(const Offer& offer, const std::filesystem::path& folder, const std::stop_token& stop) {
    const auto smallest =
        std::min_element(offer.wheels.begin(), offer.wheels.end(),
                         [](const OfferedWheel& a, const OfferedWheel& b) { return a.bytes < b.bytes; });
    const Error none{"not_found", "The wheels have no licence in them.", fmt::format("Read it at {}.", licenceAddress)};
    if (smallest == offer.wheels.end()) return none;
    std::filesystem::path path = smallest->path;
    if (offer.isDownload()) {
        if (folder.empty())
            return Error{"no_home", "There is no folder for this user's data.", "Set HOME or XDG_DATA_HOME."};
        hub::GetRequest request;
        request.into = folder / "downloads";
        request.files.push_back({smallest->file, smallest->bytes, smallest->sha256, smallest->address});
        auto paths = hub::get(request, {}, stop);
        if (!paths) return paths.error();
        path = paths->front();
    } else {
        const auto sum = hub::sha256OfFile(path, {}, stop);
        if (!sum) return sum.error();
        if (*sum != smallest->sha256)
            return Error{"checksum_mismatch", fmt::format("{} has another checksum than it should.", path.string())};
    }
    auto wheel = WheelFile::open(path, smallest->wheel, stop);
    if (!wheel) return wheel.error();
    auto text = wheel->licence(stop);
    return text && text->empty() ? Result<std::string>(none) : text;
}

} // namespace kernelarium::toolkit
