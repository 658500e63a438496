// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/cubin/LineTable.h"

#include "core/sass/cubin/CubinSections.h"
#include "core/sass/cubin/Elf.h"

#include <algorithm>
#include <optional>
#include <span>

namespace kernelarium::sass {

namespace {

/// Reads forward through bytes; past their end everything is 0 and `failed`.
class Bytes {
public:
    explicit Bytes(std::span<const std::byte> bytes)
        : m_bytes(bytes) {}
    [[nodiscard]] bool failed() const { return m_failed; }
    [[nodiscard]] bool atEnd() const { return m_failed || m_at >= m_bytes.size(); }
    [[nodiscard]] std::size_t at() const { return m_at; }
    [[nodiscard]] std::size_t left() const { return m_failed ? 0 : m_bytes.size() - m_at; }
    void fail() { m_failed = true; }
    void skipTo(std::size_t at) {
        m_failed = m_failed || at > m_bytes.size();
        m_at = at;
    }
    template <class T> T take() {
        T value{};
        if (m_failed || m_bytes.size() - m_at < sizeof(T)) {
            m_failed = true;
            return value;
        }
        std::memcpy(&value, m_bytes.data() + m_at, sizeof value);
        m_at += sizeof value;
        return value;
    }
    std::uint64_t number() { // LEB128
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto byte = take<std::uint8_t>();
            value |= std::uint64_t(byte & 0x7f) << shift;
            if (byte < 0x80) break;
        }
        return value;
    }
    std::int64_t signedNumber() {
        std::int64_t value = 0;
        unsigned shift = 0;
        std::uint8_t byte = 0;
        do {
            byte = take<std::uint8_t>();
            value |= std::int64_t(byte & 0x7f) << shift;
            shift += 7;
        } while (byte >= 0x80 && shift < 63);
        if (byte & 0x40) value |= -(std::int64_t(1) << shift);
        return value;
    }
    std::string string() {
        std::string text;
        for (char c = take<char>(); c != 0 && !m_failed; c = take<char>())
            text += c;
        return text;
    }

private:
    std::span<const std::byte> m_bytes;
    std::size_t m_at = 0;
    bool m_failed = false;
};

/// Which kernel an address of the table belongs to: the addresses are all 0 and relocated by the kernels' symbols.
std::map<std::size_t, std::string> relocatedKernels(const std::vector<std::byte>& cubin) {
    std::map<std::size_t, std::string> kernels;
    const std::vector<ElfSection> sections = elfSections(cubin);
    for (const ElfSection& one : sections) {
        if (one.name != ".rela.debug_line" && one.name != ".rel.debug_line") continue;
        if (!isWithin(cubin, one.header) || one.header.sh_link >= sections.size()) continue;
        const Elf64_Shdr& symbols = sections[one.header.sh_link].header;
        const std::size_t step = one.header.sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
        for (std::size_t at = 0; at + step <= one.header.sh_size; at += step) {
            const auto entry = valueAt<Elf64_Rel>(cubin, one.header.sh_offset + at);
            const auto symbol =
                valueAt<Elf64_Sym>(cubin, symbols.sh_offset + ELF64_R_SYM(entry->r_info) * sizeof(Elf64_Sym));
            if (!symbol || symbol->st_shndx >= sections.size()) continue;
            const std::string& section = sections[symbol->st_shndx].name;
            if (section.rfind(".text.", 0) == 0) kernels[entry->r_offset] = section.substr(6);
        }
    }
    return kernels;
}

} // namespace

/// One compilation unit's line program.
class LineProgram {
public:
    LineProgram(LineTable& table, const std::map<std::size_t, std::string>& kernels)
        : m_table(table)
        , m_kernels(kernels) {}

    void run(std::span<const std::byte> section) {
        Bytes in(section);
        while (!in.atEnd()) {
            const auto length = in.take<std::uint32_t>();
            const std::size_t end = in.at() + length;
            if (in.take<std::uint16_t>() != 2) return; // other versions are not written by ptxas
            header(in);
            while (in.at() < end && !in.failed())
                step(in);
            in.skipTo(end);
        }
    }

private:
    void header(Bytes& in) {
        const auto length = in.take<std::uint32_t>();
        const std::size_t begin = in.at() + length;
        m_smallest = in.take<std::uint8_t>();
        m_isStatement = in.take<std::uint8_t>();
        m_lineBase = in.take<std::int8_t>();
        m_lineRange = std::max<int>(in.take<std::uint8_t>(), 1);
        const auto opcodes = in.take<std::uint8_t>();
        m_opcodeBase = opcodes;
        m_arguments.assign(opcodes, 0);
        for (int i = 1; i < opcodes; ++i)
            m_arguments[std::size_t(i)] = in.take<std::uint8_t>();
        while (!in.string().empty()) {
        }
        m_table.m_files.assign(1, {});
        for (std::string name = in.string(); !name.empty(); name = in.string()) {
            for (int i = 0; i < 3; ++i)
                in.number();
            m_table.m_files.push_back(name.substr(name.find_last_of('/') + 1));
        }
        in.skipTo(begin);
        reset();
    }

    void reset() {
        m_row = {};
        m_row.file = 1;
        m_row.line = 1;
    }

    void add() {
        m_table.m_rows.push_back(m_row);
        if (m_kernel.empty()) return;
        auto& range = m_table.m_kernels.try_emplace(m_kernel, m_table.m_rows.size() - 1, 0).first->second;
        range.second = m_table.m_rows.size();
    }

    void extended(Bytes& in) {
        const auto length = in.number();
        if (length == 0 || length > in.left()) return in.fail(); // it would be read again, or never end
        const std::size_t end = in.at() + std::size_t(length);
        const std::size_t operand = in.at() + 1;
        switch (in.take<std::uint8_t>()) {
        case 1:
            m_row.endsSequence = true;
            add();
            reset();
            m_kernel.clear();
            break;
        case 2: {
            m_row.place = std::int64_t(in.take<std::uint64_t>());
            const auto found = m_kernels.find(operand);
            if (found != m_kernels.end()) m_kernel = found->second;
            break;
        }
        case 0x90: // called from a row of this table, counted from 1 within the sequence's unit
            m_row.calledFrom = std::size_t(in.number());
            break;
        default: break;
        }
        in.skipTo(end);
    }

    void step(Bytes& in) {
        const int opcode = in.take<std::uint8_t>();
        if (opcode >= m_opcodeBase) {
            const int adjusted = opcode - m_opcodeBase;
            m_row.place += adjusted / m_lineRange * m_smallest;
            m_row.line += m_lineBase + adjusted % m_lineRange;
            return add();
        }
        switch (opcode) {
        case 0: return extended(in);
        case 1: return add();
        case 2: m_row.place += std::int64_t(in.number()) * m_smallest; return;
        case 3: m_row.line += int(in.signedNumber()); return;
        case 4: m_row.file = int(in.number()); return;
        case 8: m_row.place += (255 - m_opcodeBase) / m_lineRange * m_smallest; return;
        case 9: m_row.place += in.take<std::uint16_t>(); return;
        default:
            for (int i = 0; i < m_arguments[std::size_t(opcode)]; ++i)
                in.number();
        }
    }

    LineTable& m_table;
    const std::map<std::size_t, std::string>& m_kernels;
    std::string m_kernel;
    LineTable::Row m_row;
    int m_smallest = 1, m_isStatement = 1, m_lineBase = 0, m_lineRange = 1, m_opcodeBase = 10;
    std::vector<int> m_arguments;
};

LineTable LineTable::read(const std::vector<std::byte>& cubin) {
    LineTable table;
    const std::map<std::size_t, std::string> kernels = relocatedKernels(cubin);
    LineProgram(table, kernels).run(sectionBytes(cubin, ".debug_line"));
    return table;
}

SourcePlace LineTable::at(const std::string& kernel, std::int64_t place, const std::string& file) const {
    const auto range = m_kernels.find(kernel);
    if (range == m_kernels.end()) return {};
    // The last row at or before the place; of several at one place the last one stands.
    const Row* found = nullptr;
    for (std::size_t i = range->second.first; i < range->second.second; ++i) {
        const Row& row = m_rows[i];
        if (row.place > place) continue;
        if (!found || row.place >= found->place) found = &row;
    }
    for (int depth = 0; found && !found->endsSequence && depth < 64; ++depth) {
        if (found->file > 0 && std::size_t(found->file) < m_files.size() && m_files[std::size_t(found->file)] == file)
            return {file, found->line};
        if (found->calledFrom == 0 || found->calledFrom > m_rows.size()) break;
        found = &m_rows[found->calledFrom - 1];
    }
    return {};
}

std::string LineTable::fileOf(const std::string& kernel) const {
    const auto range = m_kernels.find(kernel);
    if (range == m_kernels.end()) return {};
    for (std::size_t i = range->second.first; i < range->second.second; ++i) {
        const Row& row = m_rows[i];
        if (row.calledFrom == 0 && row.file > 0 && std::size_t(row.file) < m_files.size())
            return m_files[std::size_t(row.file)];
    }
    return {};
}

} // namespace kernelarium::sass
