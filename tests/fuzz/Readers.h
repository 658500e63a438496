// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace kernelarium::fuzz {

/// A reader of untrusted text or bytes: what it is given at first, and how it is called. It may refuse; it may not
/// fault, hang or throw.
struct Reader {
    std::string name;
    std::vector<std::string> corpus;
    std::function<void(const std::string&)> read;
    bool isFile = false; ///< of pages: mutations keep places
};

[[nodiscard]] std::vector<Reader> readers();
[[nodiscard]] std::vector<Reader> fileReaders();     ///< of the SQLite files that the program opens
[[nodiscard]] std::vector<Reader> protocolReaders(); ///< of requests with a card, and of all that a child answers

} // namespace kernelarium::fuzz
