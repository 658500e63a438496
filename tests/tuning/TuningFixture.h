// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Search.h"
#include "core/tuning/space/Space.h"
#include "core/tuning/store/Store.h"

#include <QByteArray>
#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

/// Fails the test with the error's text; evaluates `result` once.
#define VERIFY_OK(result)                                                                                              \
    do {                                                                                                               \
        const auto& checkedResult = (result);                                                                          \
        QVERIFY2(checkedResult.ok(), checkedResult.ok() ? "" : checkedResult.error().text().c_str());                  \
    } while (false)

namespace kernelarium::tuning {

/// A folder for stores.
class StoreFolder {
public:
    [[nodiscard]] std::filesystem::path path(const std::string& name) const;
    [[nodiscard]] std::filesystem::path write(const std::string& name, const QByteArray& bytes) const;
    [[nodiscard]] static QByteArray read(const std::filesystem::path& file);

private:
    QTemporaryDir m_folder;
};

[[nodiscard]] Header headerOf(const std::string& space = "abc", Shard shard = {});
[[nodiscard]] Judged judgedOf(const std::string& key, double value, std::int64_t when = 1000);
[[nodiscard]] Judged judgedOf(const std::string& key, Outcome::Kind kind, std::int64_t when = 1000);
/// All candidates of a store, in its order, as lines.
[[nodiscard]] std::vector<std::string> linesOf(const std::filesystem::path& store);
[[nodiscard]] std::vector<Judged> candidatesOf(const std::filesystem::path& store);

/// Proposes the keys of a list in their order.
class ListProposer : public Proposer {
public:
    explicit ListProposer(std::vector<std::string> keys)
        : m_keys(std::move(keys)) {}
    [[nodiscard]] std::vector<Candidate> propose(std::size_t most) override;
    void hear(const Candidate& candidate, const Outcome& outcome) override;
    [[nodiscard]] std::optional<std::uint64_t> total() const override { return m_keys.size(); }

    std::vector<std::string> heard;

private:
    std::vector<std::string> m_keys;
    std::size_t m_next = 0;
    std::vector<std::string> m_earlier;
};

/// Judges by a function and counts.
class CountingEvaluation : public Evaluation {
public:
    using Judge = std::function<Result<Outcome>(const Candidate&, std::stop_token)>;
    explicit CountingEvaluation(Judge judge)
        : m_judge(std::move(judge)) {}
    [[nodiscard]] Result<std::string> secondKey(const Candidate& candidate) override {
        return second ? second(candidate) : Result<std::string>(std::string());
    }
    [[nodiscard]] Result<Outcome> evaluate(const Candidate& candidate, std::stop_token stop) override;

    std::function<Result<std::string>(const Candidate&)> second;
    [[nodiscard]] std::vector<std::string> seen() const;

private:
    Judge m_judge;
    mutable std::mutex m_mutex;
    std::vector<std::string> m_seen;
};

[[nodiscard]] Outcome valuedAs(double value);

/// "p0", "p1", ... with the values 1, 2, 4, ...
[[nodiscard]] Parameter powers(const std::string& name, int count, std::size_t start = 0);
[[nodiscard]] Parameter wordsNamed(const std::string& name, std::vector<std::string> words);
/// A restriction that reads all parameters, all of them whole numbers.
[[nodiscard]] Space::Restriction restrictionOf(const std::string& text,
                                               std::function<bool(const std::vector<std::int64_t>&)> allows);

} // namespace kernelarium::tuning
