// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::toolkit {

/// What the program uses of a toolkit.
enum class Part { nvrtc, nvJitLink, ptxas, headers, deviceRuntime, nvdisasm };
inline constexpr std::size_t partCount = 6;
inline constexpr std::array<Part, partCount> allParts{Part::nvrtc,   Part::nvJitLink,     Part::ptxas,
                                                      Part::headers, Part::deviceRuntime, Part::nvdisasm};
[[nodiscard]] std::string_view partName(Part part); ///< "NVRTC"
[[nodiscard]] std::string_view partUse(Part part);  ///< what it is used for: "compiling"

/// Paths by part; empty: not there. Of the headers it is the folder with cuda_fp16.h.
using Parts = std::array<std::string, partCount>;
[[nodiscard]] inline std::string& of(Parts& parts, Part part) {
    return parts[std::size_t(part)];
}
[[nodiscard]] inline const std::string& of(const Parts& parts, Part part) {
    return parts[std::size_t(part)];
}

/// How a toolkit was found, in the order in which they are looked for.
enum class Origin {
    named,    ///< by a setting or an option, and then alone
    variable, ///< CUDA_PATH, CUDA_HOME
    brought,  ///< by this program, into the user's folder
    system,   ///< /usr/local/cuda, /usr/local/cuda-*, /opt/cuda, beside nvcc in PATH
    wheels,   ///< in the packages of a Python, as PyTorch brings them along
    loader    ///< the libraries alone, where the loader finds them
};
[[nodiscard]] std::string_view originName(Origin origin); ///< "system"

/// A place with at least one of the parts.
struct FoundToolkit {
    Origin origin = Origin::system;
    std::string root;
    std::string version; ///< of its NVRTC, "13.0"; empty: not known, or it has none
    Parts parts;
};

/// The oldest toolkit that compiles our headers.
inline constexpr std::string_view oldestVersion = "12.8";

struct Toolkits {
    std::vector<FoundToolkit> found;   ///< in the order of Origin; each place once, whatever it is called
    std::vector<std::string> searched; ///< folders that were looked into
    Parts used;                        ///< the paths that the program uses
    std::array<std::optional<std::size_t>, partCount> usedOf{}; ///< of which of `found`

    /// Whether compiling works: NVRTC and nvJitLink are there.
    [[nodiscard]] bool canCompile() const {
        return !of(used, Part::nvrtc).empty() && !of(used, Part::nvJitLink).empty();
    }
};

/// Looks in `folder` alone when it is not empty, else in the places of Origin. NVRTC and nvJitLink are used of the
/// first place that has both, at a version that is not too old, since PTX of one release is not read by an older one;
/// ptxas of NVRTC's place only; the rest of there where it has it, else of the first that does. Reads folders, and asks
/// the loader only where no place has NVRTC.
///
/// $KERNELARIUM_TEST_SYSTEM_ROOT stands before the system's paths; PATH, the user's Pythons and the loader are then
/// left out.
[[nodiscard]] Toolkits findToolkits(const std::filesystem::path& folder = {});

/// What a found toolkit is used for, or why it is not: "compiling, linking, headers", "not used: older than 12.8".
[[nodiscard]] std::string useText(const Toolkits& toolkits, std::size_t index);

/// What does not work for want of a part, a sentence each; empty where nothing is missing.
[[nodiscard]] std::vector<std::string> missingTexts(const Toolkits& toolkits);

} // namespace kernelarium::toolkit
