// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/hazards/Distances.h"

#include "core/sass/instruction/InstructionText.h"

#include <charconv>
#include <fmt/format.h>

namespace kernelarium::sass {

namespace {

const char* fileName(Register one) {
    static const char* const names[] = {"R", "UR", "P", "UP"};
    return names[int(one.file())];
}

/// A product's latency depends on its shape, which is in its modifiers.
std::string unitName(const Instruction& i) {
    std::string out(i.mnemonic);
    if (i.unit == Unit::matrix) out += modifiers(i);
    if (i.writesPartly) out += "~";
    return out;
}

/// Which register of a result: "+1" for the second one of a pair.
std::string partOf(const Instruction& producer, Register where) {
    for (const Operand& operand : producer.operands) {
        if (!operand.written || operand.count < 2) continue;
        const int first = operand.index, at = where.index() - first;
        const bool sameFile = (operand.kind == Operand::Kind::general && where.file() == RegisterFile::general) ||
                              (operand.kind == Operand::Kind::uniform && where.file() == RegisterFile::uniform);
        // The quarters of a product come at the same times as its halves.
        if (sameFile && at > 0 && at < operand.count)
            return fmt::format("+{}", producer.unit == Unit::matrix ? at / 2 : at);
    }
    return {};
}

bool holds(const Operand& operand, Register where) {
    const auto within = [&](int first, int count) { return where.index() >= first && where.index() < first + count; };
    switch (where.file()) {
    case RegisterFile::general:
        return (operand.kind == Operand::Kind::general || operand.kind == Operand::Kind::address) &&
               within(operand.index, operand.count);
    case RegisterFile::uniform:
        if (operand.kind == Operand::Kind::uniform) return within(operand.index, operand.count);
        return (operand.uniform >= 0 && within(operand.uniform, operand.uniformCount)) ||
               (operand.descriptor >= 0 && within(operand.descriptor, 2));
    case RegisterFile::predicate: return operand.kind == Operand::Kind::predicate && operand.index == where.index();
    case RegisterFile::uniformPredicate:
        return operand.kind == Operand::Kind::uniformPredicate && operand.index == where.index();
    }
    return false;
}

/// Through which of its operands an instruction reads a register, and which of a pair it is there: the upper half of a
/// wide sum is read later than the lower one.
std::string roleOf(const Instruction& consumer, Register where) {
    if (consumer.guardReads.contains(where)) return "guard";
    int number = 0;
    std::string role = "implied";
    for (const Operand& operand : consumer.operands) {
        ++number;
        if (operand.written || !holds(operand, where)) continue;
        if (operand.kind == Operand::Kind::address) return "address";
        role = operand.slot ? std::string(1, operand.slot) : std::to_string(number);
        const int at = where.file() == RegisterFile::general ? where.index() - operand.index : 0;
        if (at > 0) role += fmt::format("+{}", consumer.unit == Unit::matrix ? at / 2 : at);
        if (operand.slot != 'C') break; // of several, the one that is read first
    }
    return role;
}

} // namespace

void DistanceTable::Entry::add(int distance, long times) {
    met[distance] += times;
    count += times;
    long seen = 0;
    for (const auto& [cycles, often] : met) {
        least = cycles;
        countOfLeast = often;
        seen += often;
        if (seen >= attested) break;
    }
}

void DistanceTable::take(const std::string& key, const std::string& unitKey, int distance) {
    Entry& entry = m_entries[key];
    entry.units = unitKey;
    entry.add(distance, 1);
}

void DistanceTable::take(const DistanceTable& other) {
    for (const auto& [key, theirs] : other.m_entries) {
        Entry& entry = m_entries[key];
        entry.units = theirs.units;
        for (const auto& [distance, times] : theirs.met)
            entry.add(distance, times);
    }
}

std::optional<int> DistanceTable::least(const std::string& key) const {
    const auto found = m_entries.find(key);
    if (found == m_entries.end() || found->second.count < enough) return std::nullopt;
    return found->second.least;
}

std::optional<int> DistanceTable::floorOfUnits(const std::string& unitKey) const {
    const auto found = m_floors.find(unitKey);
    return found == m_floors.end() ? std::nullopt : std::optional<int>(found->second);
}

std::string DistanceTable::csv() const {
    std::string out = "dependence,units,least,count,count_of_least\n";
    for (const auto& [key, entry] : m_entries)
        if (entry.count >= enough)
            out += fmt::format("{},{},{},{},{}\n", key, entry.units, entry.least, entry.count, entry.countOfLeast);
    return out;
}

Result<DistanceTable> DistanceTable::fromCsv(std::string_view text) {
    DistanceTable table;
    int line = 0;
    const auto cell = [](std::string_view& row) {
        const std::size_t comma = std::min(row.find(','), row.size());
        const std::string_view one = row.substr(0, comma);
        row.remove_prefix(std::min(comma + 1, row.size()));
        return one;
    };
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view row = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++line;
        if (row.empty() || row.front() == '#' || row.substr(0, 11) == "dependence,") continue;
        const std::string key(cell(row)), units(cell(row));
        long values[3] = {};
        bool good = !key.empty() && !units.empty();
        for (long& value : values) {
            const std::string_view digits = cell(row);
            const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
            good = good && parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size() && value >= 0;
        }
        if (!good)
            return Error{"bad_input", fmt::format("Line {} of the table of distances cannot be read.", line),
                         "A line is DEPENDENCE,UNITS,LEAST,COUNT,COUNT_OF_LEAST."};
        Entry entry;
        entry.units = units;
        entry.least = int(values[0]);
        entry.count = values[1];
        entry.countOfLeast = values[2];
        table.m_entries[key] = entry;
        if (!entry.isFloor()) continue;
        int& floor = table.m_floors.try_emplace(units, entry.least).first->second;
        floor = std::max(floor, entry.least);
    }
    return table;
}

std::string distanceKey(const std::vector<Instruction>& code, const Observation& o, int computeCapability) {
    if (isHazard(o.kind)) return {};
    const int generation = computeCapability / 10;
    if (o.kind == Dependence::samePipe) return fmt::format("{} pipe {}", generation, name(o.pipe));
    if (o.kind == Dependence::scoreboardAge) return fmt::format("{} scoreboard", generation);
    const Instruction &producer = code[std::size_t(o.producer)], &consumer = code[std::size_t(o.consumer)];
    if (o.kind == Dependence::readAfterWrite)
        return fmt::format("{} raw {} {}{}>{}.{}", generation, fileName(o.where), unitName(producer),
                           partOf(producer, o.where), unitName(consumer), roleOf(consumer, o.where));
    if (o.kind == Dependence::writeAfterWrite)
        return fmt::format("{} waw {} {}{}>{}", generation, fileName(o.where), unitName(producer),
                           partOf(producer, o.where), unitName(consumer));
    return fmt::format("{} war {} {}>{}", generation, fileName(o.where), unitName(producer), unitName(consumer));
}

std::string distanceUnitKey(const std::vector<Instruction>& code, const Observation& o, int computeCapability) {
    if (o.kind == Dependence::samePipe || o.kind == Dependence::scoreboardAge)
        return distanceKey(code, o, computeCapability);
    const Instruction &producer = code[std::size_t(o.producer)], &consumer = code[std::size_t(o.consumer)];
    const bool isGuard = o.kind == Dependence::readAfterWrite && consumer.guardReads.contains(o.where);
    return fmt::format("{} {} {} {}>{}", computeCapability / 10,
                       o.kind == Dependence::readAfterWrite    ? "raw"
                       : o.kind == Dependence::writeAfterWrite ? "waw"
                                                               : "war",
                       fileName(o.where), name(producer.unit),
                       isGuard ? std::string_view("guard") : name(consumer.unit));
}

namespace {
/// Does the dependence hold whenever both are executed? What a guarded instruction writes may be meant for one with the
/// opposite guard only in appearance.
bool isCertain(const std::vector<Instruction>& code, const Observation& o) {
    if (o.kind == Dependence::samePipe || o.kind == Dependence::scoreboardAge) return true;
    const Instruction &producer = code[std::size_t(o.producer)], &consumer = code[std::size_t(o.consumer)];
    return !producer.isGuarded() ||
           (producer.guard == consumer.guard && producer.guardNegated == consumer.guardNegated &&
            producer.hasUniformGuard == consumer.hasUniformGuard);
}
} // namespace

DistanceTable distancesOf(const std::vector<Instruction>& code, int computeCapability) {
    DistanceTable table;
    HazardVisitor visitor;
    const std::vector<Block> blocks = blocksOf(code);
    std::vector<std::size_t> blockOf(code.size());
    for (std::size_t b = 0; b < blocks.size(); ++b)
        for (int i = blocks[b].first; i <= blocks[b].last; ++i)
            blockOf[std::size_t(i)] = b;
    visitor.met = [&](const Observation& met) {
        // Across a border ptxas does not look after pipes: what it leaves there is no floor.
        if (met.kind == Dependence::samePipe &&
            (met.producer >= met.consumer || blockOf[std::size_t(met.producer)] != blockOf[std::size_t(met.consumer)]))
            return;
        if (!isHazard(met.kind) && isCertain(code, met))
            table.take(distanceKey(code, met, computeCapability), distanceUnitKey(code, met, computeCapability),
                       met.distance);
    };
    observe(code, blocks, scheduleOf(code), visitor);
    return table;
}

} // namespace kernelarium::sass
