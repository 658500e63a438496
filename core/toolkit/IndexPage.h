// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::toolkit {

/// A file of a project, as an index lists it.
struct IndexFile {
    std::string name;
    std::string address; ///< absolute, of a web server
    std::string sha256;  ///< 64 lower-case hexadecimal digits; empty: the index has none
    std::optional<std::uint64_t> bytes;
};

/// What an index is asked for, best first: JSON has the sizes.
inline constexpr std::string_view indexPageKinds =
    "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1";

/// The files of a project's page in a simple index: JSON (PEP 691) or HTML (PEP 503), by the page's content type.
/// `page` is its address, which others are relative to. Nothing on it is trusted: a file whose name is more than a
/// name, whose address leads from a secure page to an insecure one or away from the web, or whose size or checksum is
/// none, is refused by its name. Error "bad_answer".
Result<std::vector<IndexFile>> readIndexPage(std::string_view text, std::string_view contentType,
                                             const std::string& page);

} // namespace kernelarium::toolkit
