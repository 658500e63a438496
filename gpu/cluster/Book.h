// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/store/Store.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::cluster {

/// What an array is of, which does not change once it is submitted.
struct Plan {
    std::string kind;             ///< "sweep", "audit": who makes its Work
    std::string engine;           ///< Engine::name()
    std::string name;             ///< of its jobs, this array's alone
    std::string title;            ///< for people
    std::filesystem::path target; ///< where its results are brought together
    unsigned tasks = 1;
    std::optional<std::uint64_t> total; ///< points or kernels in all, where it is known
    std::uint64_t known = 0;            ///< that every task's part began with
    std::vector<std::string> options;   ///< for the engine's program
};

struct SubmissionNote {
    std::string name; ///< of the job
    std::vector<unsigned> tasks;
    std::string job; ///< empty: the program was killed before it knew
};

/// A time that a task was found lost.
struct LossNote {
    std::string word;       ///< the engine's, or ours
    std::uint64_t done = 0; ///< of its part at that time
};

/// All that is known of an array but for what its engine and its parts say now.
struct Notes {
    Plan plan;
    std::vector<SubmissionNote> submissions;
    std::map<unsigned, std::vector<LossNote>> losses;
    std::map<unsigned, std::string> givenUp; ///< task -> why
    bool cancelled = false;
    bool collected = false; ///< after its end
};

/// The folder of an array whose results go to `target`: beside it.
[[nodiscard]] std::filesystem::path arrayFolder(const std::filesystem::path& target);
/// Of what a person names: the target, or the folder itself. Error "no_array".
[[nodiscard]] Result<std::filesystem::path> arrayFolderOf(const std::filesystem::path& named);

/// Errors: "no_array", those of StoreReader.
[[nodiscard]] Result<Notes> readNotes(const std::filesystem::path& folder);

/// The file in an array's folder that its watcher writes: whoever watches next, here or on another machine, knows from
/// it what was submitted, even if the one before was killed in the midst of it. It is a store (core/tuning/store): one
/// process has it open, any number read it.
class Book {
public:
    /// A new array's. Errors: those of Store::open().
    [[nodiscard]] static Result<Book> begin(const std::filesystem::path& folder, const Plan& plan);
    /// Errors: "no_array", "busy" (another watcher has it), those of Store::open().
    [[nodiscard]] static Result<Book> open(const std::filesystem::path& folder);

    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }
    [[nodiscard]] const Notes& notes() const { return m_notes; }
    /// What another process said meanwhile: that the array is cancelled.
    [[nodiscard]] bool cancelled() const;

    /// Before the engine is called, and once more when the job is known. Errors: those of Store::append().
    [[nodiscard]] Result<void> note(const SubmissionNote& submission);
    [[nodiscard]] Result<void> lost(unsigned task, const LossNote& loss);
    [[nodiscard]] Result<void> giveUp(unsigned task, const std::string& why);
    [[nodiscard]] Result<void> collected();

private:
    Book(std::filesystem::path folder, tuning::Store store, Notes notes)
        : m_folder(std::move(folder))
        , m_store(std::move(store))
        , m_notes(std::move(notes)) {}
    Result<void> append(const std::string& kind, nlohmann::json fields);

    std::filesystem::path m_folder;
    tuning::Store m_store;
    Notes m_notes;
};

/// Says, also to a watcher elsewhere, that the array is to end. Error "unwritable_file".
[[nodiscard]] Result<void> markCancelled(const std::filesystem::path& folder);

} // namespace kernelarium::cluster
