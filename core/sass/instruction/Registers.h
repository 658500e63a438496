// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace kernelarium::sass {

/// The four register files of a warp.
enum class RegisterFile { general, uniform, predicate, uniformPredicate };

/// A register of any file as one number. R255 (RZ), UR63 (URZ), P7 (PT) and UP7 (UPT) are constants, never registers.
struct Register {
    int id = 0;

    [[nodiscard]] static constexpr Register of(RegisterFile file, int index) {
        constexpr int first[] = {0, 256, 320, 328};
        return {first[int(file)] + index};
    }
    [[nodiscard]] constexpr RegisterFile file() const {
        return id < 256   ? RegisterFile::general
               : id < 320 ? RegisterFile::uniform
               : id < 328 ? RegisterFile::predicate
                          : RegisterFile::uniformPredicate;
    }
    [[nodiscard]] constexpr int index() const {
        constexpr int first[] = {0, 256, 320, 328};
        return id - first[int(file())];
    }
    friend constexpr bool operator==(Register, Register) = default;
};

/// The number that stands for a constant in each file.
[[nodiscard]] constexpr int constantIndex(RegisterFile file) {
    constexpr int index[] = {255, 63, 7, 7};
    return index[int(file)];
}

/// "R12", "UR4", "P0", "UP1"; "RZ", "URZ", "PT", "UPT".
[[nodiscard]] std::string registerName(RegisterFile file, int index);
[[nodiscard]] std::string registerName(Register one);

/// A set of registers of all files.
class RegisterSet {
public:
    void add(Register one) { m_words[std::size_t(one.id) / 64] |= std::uint64_t(1) << (one.id % 64); }
    void remove(Register one) { m_words[std::size_t(one.id) / 64] &= ~(std::uint64_t(1) << (one.id % 64)); }
    [[nodiscard]] bool contains(Register one) const { return m_words[std::size_t(one.id) / 64] >> (one.id % 64) & 1; }
    [[nodiscard]] bool isEmpty() const { return *this == RegisterSet(); }
    [[nodiscard]] bool meets(const RegisterSet& other) const {
        std::uint64_t common = 0;
        for (std::size_t i = 0; i < m_words.size(); ++i)
            common |= m_words[i] & other.m_words[i];
        return common != 0;
    }
    RegisterSet& operator|=(const RegisterSet& other) {
        for (std::size_t i = 0; i < m_words.size(); ++i)
            m_words[i] |= other.m_words[i];
        return *this;
    }
    /// Leaves those that are in both.
    RegisterSet& operator&=(const RegisterSet& other) {
        for (std::size_t i = 0; i < m_words.size(); ++i)
            m_words[i] &= other.m_words[i];
        return *this;
    }
    /// Takes out those of the other.
    RegisterSet& operator-=(const RegisterSet& other) {
        for (std::size_t i = 0; i < m_words.size(); ++i)
            m_words[i] &= ~other.m_words[i];
        return *this;
    }
    friend RegisterSet operator|(RegisterSet a, const RegisterSet& b) { return a |= b; }
    friend RegisterSet operator&(RegisterSet a, const RegisterSet& b) { return a &= b; }
    friend RegisterSet operator-(RegisterSet a, const RegisterSet& b) { return a -= b; }
    friend bool operator==(const RegisterSet&, const RegisterSet&) = default;

    /// Calls `take` with each, in the order of their numbers.
    template <class Take> void each(const Take& take) const {
        for (std::size_t i = 0; i < m_words.size(); ++i)
            for (std::uint64_t left = m_words[i]; left != 0; left &= left - 1)
                take(Register{int(i) * 64 + std::countr_zero(left)});
    }
    [[nodiscard]] std::vector<Register> list() const;
    /// Those of one file.
    [[nodiscard]] RegisterSet of(RegisterFile file) const;
    /// Every register there is.
    [[nodiscard]] static RegisterSet all();

private:
    std::array<std::uint64_t, 6> m_words{};
};

/// "R4..R7, UR2"; empty for none.
[[nodiscard]] std::string text(const RegisterSet& registers);

} // namespace kernelarium::sass
