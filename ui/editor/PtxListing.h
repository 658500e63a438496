// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <stop_token>
#include <vector>

namespace kernelarium::ui {

struct PtxFunction {
    enum class Kind { kernel, user, support }; ///< support: code that comes from headers only

    QString name;      ///< demangled, without parameters
    QString signature; ///< demangled
    Kind kind = Kind::support;
    int firstLine = 0; ///< 0-based, of the text
    int lineCount = 0;
};

/// PTX text by line, with the line of the user's source that each was made from.
struct PtxListing {
    std::vector<QString> lines;
    std::vector<int> sourceLines;       ///< 1-based; 0: none
    std::vector<char> isDetail;         ///< .loc, .file, debug sections, the compiler's banner
    std::vector<PtxFunction> functions; ///< kernels, then the file's other functions, then support
};

/// Reads .file and .loc. The user's file is the one whose path ends in `userFile`; a location inlined from elsewhere
/// counts for the line of the user's file that it was inlined at, through any number of callers.
[[nodiscard]] PtxListing readPtx(const QString& text, const std::stop_token& stop = {},
                                 const QString& userFile = QStringLiteral("kernel.cu"));

/// A line with its mangled names as they are in the source: "rowSums", and "rowSums_param_0" for a parameter. For
/// reading: no assembler takes it.
[[nodiscard]] QString withPlainNames(const QString& line);

/// What is shown: lines of the listing by index.
struct PtxSelection {
    int function = -1; ///< index of PtxListing::functions; -1: every kernel; -2: the whole text
    bool details = false;
};
[[nodiscard]] std::vector<int> selectedLines(const PtxListing& listing, const PtxSelection& selection);

} // namespace kernelarium::ui
