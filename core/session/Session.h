// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::session {

/// A sitting at the workbench. Times are milliseconds since 1970 (UTC).
struct SessionInfo {
    std::int64_t id = 0;
    std::string name;
    std::int64_t startedMs = 0;
    std::int64_t lastUsedMs = 0; ///< of the newest thing written into it
    std::int64_t attempts = 0;
};

/// What somebody else's implementation of the same task took, timed beside a kernel.
struct BaselineTime {
    std::string name;    ///< "PyTorch eager"
    std::string version; ///< may be empty
    std::string mode;    ///< "cold", "hot", "server"; empty: not told
    double milliseconds = 0;
};

/// One time of a kernel, with where it comes from. Times of different origins, sizes or devices are never
/// compared.
struct Timing {
    enum class Origin { archived, measured, modelled };
    Origin origin = Origin::measured;
    double milliseconds = 0;
    std::string device; ///< "NVIDIA H200"
    std::string size;   ///< "small", "full"
    double flops = 0;
    double bytes = 0;
    std::string byteSource;                                          ///< "compulsory", "emulator sectors", "profiler"
    double relativeNoise = std::numeric_limits<double>::quiet_NaN(); ///< of the samples, 0.01 is 1 %; NaN: unknown
    std::string detailJson; ///< samples, clocks, terms of the model; may be empty

    // Read from the detail, where it has them; not written by themselves.
    double lowerQuartileMs = std::numeric_limits<double>::quiet_NaN();
    double upperQuartileMs = std::numeric_limits<double>::quiet_NaN();
    std::string mode; ///< of measured times: "cold", "hot", "server"
    std::vector<BaselineTime> baselines;
};

[[nodiscard]] std::string_view name(Timing::Origin origin); ///< "archived", "measured", "modelled"
[[nodiscard]] std::optional<Timing::Origin> parseOrigin(std::string_view name);

/// Another kernel of which a change was taken into an attempt's text: its second parent.
struct OtherParent {
    std::string kernelKey;
    std::string kernelTitle;
    std::int64_t attempt = 0; ///< whose text it was; 0: the kernel as it was archived or saved

    bool operator==(const OtherParent&) const = default;
};

/// What a list shows of an attempt: everything but the texts.
struct AttemptSummary {
    std::int64_t id = 0; ///< never given twice, not even after a removal
    std::int64_t session = 0;
    std::int64_t parent = 0; ///< the attempt it was edited from; 0: none
    std::string kernelKey;   ///< of the kernel where the editing began
    std::string kernelTitle;
    int level = 0;
    int task = 0; ///< 0: of no task
    std::int64_t createdMs = 0;
    std::string verdict; ///< verify::name(VerdictKind), empty when it was not verified
    std::string name;
    std::string notes;
    std::string optionsJson;            ///< of compilation: with the text, what makes two attempts the same
    std::string sourceHash;             ///< files::toHex() of the text's SHA-256; read, not written by itself
    std::vector<Timing> timings;        ///< in the order they came; in a summary without detailJson
    std::vector<OtherParent> takenFrom; ///< beside `parent` and the kernel where the editing began

    /// The smallest of an origin; nothing is compared across sizes or devices: those of the newest timing
    /// count.
    [[nodiscard]] const Timing* best(Timing::Origin origin) const;
};

/// One edit taken through compile, verify, time.
struct Attempt : AttemptSummary {
    std::string source;
    std::string verdictJson;  ///< verify::toJson(Verdict), may be empty
    std::string countersJson; ///< may be empty
};

/// Unsaved text of a kernel.
struct Draft {
    std::string kernelKey;
    std::string text;
    std::int64_t changedMs = 0;
    int cursorLine = 0; ///< from 0
};

/// Which attempts; what is not set does not restrict.
struct AttemptFilter {
    struct TaskNumber {
        int level = 0;
        int task = 0;
    };
    std::optional<std::int64_t> session;
    std::optional<std::string> kernelKey;
    std::optional<TaskNumber> task;
};

} // namespace kernelarium::session
