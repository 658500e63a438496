// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kernelarium::sass {

struct SourcePlace {
    std::string file; ///< without its folder
    int line = 0;     ///< 0: not known
};

/// What a cubin says about where its instructions come from: its .debug_line, which is there when it was compiled with
/// -lineinfo. DWARF version 2 ("DWARF Debugging Information Format", UNIX International 1993, section 6.2) with
/// NVIDIA's extended opcode 0x90, which names the row that an inlined function was called from.
class LineTable {
public:
    /// Empty where there is no such section, or it is not understood.
    static LineTable read(const std::vector<std::byte>& cubin);

    /// Where the instruction at byte `place` of a kernel comes from, in `file`: the call there where the instruction
    /// itself is of a function that was inlined from elsewhere. Line 0 where nothing leads to that file.
    [[nodiscard]] SourcePlace at(const std::string& kernel, std::int64_t place, const std::string& file) const;
    /// The file of the kernel itself: that of its first row that is not inlined from elsewhere.
    [[nodiscard]] std::string fileOf(const std::string& kernel) const;
    [[nodiscard]] bool isEmpty() const { return m_rows.empty(); }

private:
    struct Row {
        std::int64_t place = 0;
        int file = 0;
        int line = 0;
        std::size_t calledFrom = 0; ///< row, counted from 1 over the whole table; 0: not inlined
        bool endsSequence = false;
    };
    std::vector<std::string> m_files; ///< by their numbers from 1
    std::vector<Row> m_rows;
    std::map<std::string, std::pair<std::size_t, std::size_t>> m_kernels; ///< first row, and one behind the last
    friend class LineProgram;
};

} // namespace kernelarium::sass
