// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tuning/TuningFixture.h"

#include <QFile>
#include <algorithm>
#include <fstream>

namespace kernelarium::tuning {

std::filesystem::path StoreFolder::path(const std::string& name) const {
    return std::filesystem::path(m_folder.path().toStdString()) / name;
}

std::filesystem::path StoreFolder::write(const std::string& name, const QByteArray& bytes) const {
    std::ofstream(path(name), std::ios::binary).write(bytes.constData(), bytes.size());
    return path(name);
}

QByteArray StoreFolder::read(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Header headerOf(const std::string& space, Shard shard) {
    return {{{"source", "00ff"}, {"space", space}, {"task", "1/1"}}, shard};
}

Judged judgedOf(const std::string& key, double value, std::int64_t when) {
    Judged judged{{key}, valuedAs(value)};
    judged.when = when;
    judged.seconds = 0.5;
    return judged;
}

Judged judgedOf(const std::string& key, Outcome::Kind kind, std::int64_t when) {
    Judged judged{{key}, {kind, std::nullopt, "because", {}}};
    judged.when = when;
    return judged;
}

std::vector<Judged> candidatesOf(const std::filesystem::path& store) {
    std::vector<Judged> all;
    auto reader = StoreReader::open(store);
    if (reader && eachCandidate(*reader, [&](const Judged& judged) { all.push_back(judged); }).ok()) return all;
    return {};
}

std::vector<std::string> linesOf(const std::filesystem::path& store) {
    std::vector<std::string> lines;
    for (const Judged& judged : candidatesOf(store))
        lines.push_back(recordOf(judged)->line);
    return lines;
}

std::vector<Candidate> ListProposer::propose(std::size_t most) {
    std::vector<Candidate> candidates;
    for (; candidates.size() < most && m_next < m_keys.size(); ++m_next)
        if (std::find(m_earlier.begin(), m_earlier.end(), m_keys[m_next]) == m_earlier.end())
            candidates.push_back({m_keys[m_next]});
    return candidates;
}

void ListProposer::hear(const Candidate& candidate, const Outcome&) {
    if (m_next == 0) m_earlier.push_back(candidate.key);
    heard.push_back(candidate.key);
}

Result<Outcome> CountingEvaluation::evaluate(const Candidate& candidate, std::stop_token stop) {
    {
        const std::scoped_lock lock(m_mutex);
        m_seen.push_back(candidate.key);
    }
    return m_judge(candidate, std::move(stop));
}

std::vector<std::string> CountingEvaluation::seen() const {
    const std::scoped_lock lock(m_mutex);
    return m_seen;
}

Outcome valuedAs(double value) {
    return {Outcome::Kind::valued, value, {}, {}};
}

Parameter powers(const std::string& name, int count, std::size_t start) {
    Parameter parameter{name, {}, start};
    for (int i = 0; i < count; ++i)
        parameter.values.emplace_back(std::int64_t(1) << i);
    return parameter;
}

Parameter wordsNamed(const std::string& name, std::vector<std::string> words) {
    Parameter parameter{name, {}, 0};
    for (std::string& word : words)
        parameter.values.emplace_back(std::move(word));
    return parameter;
}

Space::Restriction restrictionOf(const std::string& text,
                                 std::function<bool(const std::vector<std::int64_t>&)> allows) {
    return {text, [allows = std::move(allows)](const Space::Values& values) {
                std::vector<std::int64_t> numbers;
                for (const Value* value : values) {
                    const auto* number = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
                    numbers.push_back(number == nullptr ? 0 : *number);
                }
                return allows(numbers);
            }};
}

} // namespace kernelarium::tuning
