// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/toolkit/ToolkitReport.h"

#include "app/cli/Output.h"
#include "core/quantities/Quantities.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {
namespace {

/// The word of a part in JSON.
const char* partKey(toolkit::Part part) {
    switch (part) {
    case toolkit::Part::nvrtc: return "nvrtc";
    case toolkit::Part::nvJitLink: return "nvjitlink";
    case toolkit::Part::ptxas: return "ptxas";
    case toolkit::Part::headers: return "headers";
    case toolkit::Part::deviceRuntime: return "device_runtime";
    case toolkit::Part::nvdisasm: return "nvdisasm";
    }
    return "";
}

const char* originKey(toolkit::Origin origin) {
    switch (origin) {
    case toolkit::Origin::named: return "named";
    case toolkit::Origin::variable: return "environment";
    case toolkit::Origin::brought: return "brought";
    case toolkit::Origin::system: return "system";
    case toolkit::Origin::wheels: return "wheels";
    case toolkit::Origin::loader: return "loader";
    }
    return "";
}

nlohmann::json partsJson(const toolkit::Parts& parts) {
    nlohmann::json json = nlohmann::json::object();
    for (const toolkit::Part part : toolkit::allParts)
        json[partKey(part)] = of(parts, part).empty() ? nlohmann::json() : nlohmann::json(of(parts, part));
    return json;
}

} // namespace

std::string toolkitsText(const toolkit::Toolkits& found) {
    std::string text;
    if (found.found.empty()) {
        text = "No CUDA toolkit was found.\n";
    } else {
        TextTable table({{"TOOLKIT"}, {"VERSION"}, {"FOUND"}, {"USED FOR"}});
        for (std::size_t i = 0; i < found.found.size(); ++i) {
            const toolkit::FoundToolkit& kit = found.found[i];
            table.add({printable(kit.root), kit.version.empty() ? "-" : kit.version,
                       std::string(originName(kit.origin)), useText(found, i)});
        }
        text = table.text();
    }
    for (const std::string& missing : missingTexts(found))
        text += missing + "\n";
    if (!found.canCompile()) text += "\"kernelarium-cli toolkit get\" brings what compiling needs.\n";
    return text;
}

nlohmann::json toolkitsJson(const toolkit::Toolkits& found, const std::filesystem::path& folder) {
    auto list = nlohmann::json::array();
    for (std::size_t i = 0; i < found.found.size(); ++i) {
        const toolkit::FoundToolkit& kit = found.found[i];
        auto uses = nlohmann::json::array();
        for (const toolkit::Part part : toolkit::allParts)
            if (found.usedOf[std::size_t(part)] == i) uses.push_back(partKey(part));
        list.push_back({{"folder", kit.root},
                        {"version", kit.version.empty() ? nlohmann::json() : nlohmann::json(kit.version)},
                        {"found", originKey(kit.origin)},
                        {"parts", partsJson(kit.parts)},
                        {"used_for", uses},
                        {"use", useText(found, i)}});
    }
    const auto brought = toolkit::broughtToolkit(folder);
    return {{"toolkits", list},
            {"used", partsJson(found.used)},
            {"can_compile", found.canCompile()},
            {"missing", missingTexts(found)},
            {"brought", brought ? broughtJson(*brought) : nlohmann::json()},
            {"into", folder.string()}};
}

std::string offerText(const toolkit::Offer& offer, const std::filesystem::path& folder) {
    using Align = TextTable::Align;
    TextTable table({{"WHEEL"}, {"SIZE", Align::right}, {"CHECKSUM"}, {"WHAT IT HAS"}});
    for (const toolkit::OfferedWheel& wheel : offer.wheels)
        table.add({fmt::format("{} {}", wheel.wheel.project, wheel.wheel.version),
                   quantities::bytes(double(wheel.bytes)), wheel.isPublished() ? "as published" : "another",
                   wheel.wheel.purpose});
    return fmt::format("The parts of the CUDA toolkit {} that compiling needs, from {}:\n{}"
                       "{}: {}; unpacked, about {}, in {}.\n"
                       "They are NVIDIA's, under the {}: {} (--licence prints it)\n",
                       offer.version, printable(offer.sourceText()), table.text(),
                       offer.isDownload() ? "To download" : "Size", quantities::bytes(double(offer.wheelBytes())),
                       quantities::bytes(double(offer.unpackedBytes())), printable(folder.string()),
                       toolkit::licenceName, toolkit::licenceAddress);
}

nlohmann::json offerJson(const toolkit::Offer& offer, const std::filesystem::path& folder) {
    auto wheels = nlohmann::json::array();
    for (const toolkit::OfferedWheel& wheel : offer.wheels)
        wheels.push_back({{"project", wheel.wheel.project},
                          {"version", wheel.wheel.version},
                          {"file", wheel.file},
                          {"bytes", wheel.bytes},
                          {"sha256", wheel.sha256},
                          {"as_published", wheel.isPublished()},
                          {"purpose", wheel.wheel.purpose}});
    return {{"version", offer.version},
            {"source", offer.sourceText()},
            {"wheels", wheels},
            {"bytes", offer.wheelBytes()},
            {"unpacked_bytes", offer.unpackedBytes()},
            {"licence", {{"name", toolkit::licenceName}, {"address", toolkit::licenceAddress}}},
            {"into", folder.string()}};
}

nlohmann::json broughtJson(const toolkit::BroughtToolkit& brought) {
    auto wheels = nlohmann::json::array();
    for (const auto& wheel : brought.wheels)
        wheels.push_back({{"file", wheel.file}, {"sha256", wheel.sha256}});
    return {{"version", brought.version},
            {"folder", brought.root.string()},
            {"bytes", brought.bytes},
            {"source", brought.source},
            {"wheels", wheels}};
}

} // namespace kernelarium::cli
