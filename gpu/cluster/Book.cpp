// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cluster/Book.h"

#include "core/tuning/store/StoreReader.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace kernelarium::cluster {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr unsigned mostTasks = 100000; // as tuning::shardOf()

fs::path bookFile(const fs::path& folder) {
    return folder / "array.book";
}

fs::path cancelFile(const fs::path& folder) {
    return folder / "cancelled";
}

tuning::Header headerFor(const std::string& name) {
    tuning::Header header;
    header.search = {{"search", "array of jobs"}, {"name", name}};
    return header;
}

json fieldsOf(const Plan& plan) {
    return {{"kind_of_work", plan.kind},
            {"engine", plan.engine},
            {"name", plan.name},
            {"title", plan.title},
            {"target", plan.target.string()},
            {"tasks", plan.tasks},
            {"total", plan.total ? json(*plan.total) : json(nullptr)},
            {"known", plan.known},
            {"options", plan.options}};
}

Plan planFrom(const json& j) {
    Plan plan;
    plan.kind = j.at("kind_of_work");
    plan.engine = j.at("engine");
    plan.name = j.at("name");
    plan.title = j.at("title");
    plan.target = j.at("target").get<std::string>();
    plan.tasks = j.at("tasks");
    if (!j.at("total").is_null()) plan.total = j.at("total").get<std::uint64_t>();
    plan.known = j.at("known");
    plan.options = j.at("options").get<std::vector<std::string>>();
    if (plan.tasks < 1 || plan.tasks > mostTasks) throw std::invalid_argument("\"tasks\" is out of range");
    return plan;
}

unsigned taskFrom(const json& j, const Plan& plan) {
    const unsigned task = j.at("task");
    if (task < 1 || task > plan.tasks) throw std::invalid_argument("\"task\" is out of range");
    return task;
}

void take(Notes& notes, const std::string& kind, const json& j) {
    if (kind == "plan") {
        notes.plan = planFrom(j);
    } else if (kind == "submission") {
        SubmissionNote note{j.at("name"), j.at("tasks").get<std::vector<unsigned>>(), j.at("job")};
        for (const unsigned task : note.tasks)
            taskFrom({{"task", task}}, notes.plan);
        const auto same = std::find_if(notes.submissions.begin(), notes.submissions.end(),
                                       [&](const SubmissionNote& known) { return known.name == note.name; });
        if (same == notes.submissions.end())
            notes.submissions.push_back(std::move(note));
        else
            *same = std::move(note);
    } else if (kind == "lost") {
        notes.losses[taskFrom(j, notes.plan)].push_back({j.at("word"), j.at("done")});
    } else if (kind == "given_up") {
        notes.givenUp[taskFrom(j, notes.plan)] = j.at("why");
    } else if (kind == "collected") {
        notes.collected = true;
    }
}

} // namespace

fs::path arrayFolder(const fs::path& target) {
    fs::path folder = target;
    folder += ".cluster";
    return folder;
}

Result<fs::path> arrayFolderOf(const fs::path& named) {
    std::error_code problem;
    for (const fs::path& folder : {arrayFolder(named), named})
        if (fs::exists(bookFile(folder), problem)) return fs::absolute(folder, problem);
    return Error{"no_array", fmt::format("{} has no array of jobs.", named.string()),
                 "Give the store that `tune ... --cluster slurm --store STORE` names, an audit's file of verdicts, or "
                 "the folder beside one of them."};
}

Result<Notes> readNotes(const fs::path& folder) {
    std::error_code problem;
    if (!fs::exists(bookFile(folder), problem))
        return Error{"no_array", fmt::format("{} is no folder of an array of jobs.", folder.string())};
    Result<tuning::StoreReader> reader = tuning::StoreReader::open(bookFile(folder));
    if (!reader) return reader.error();
    Notes notes;
    for (;;) {
        auto record = reader->next();
        if (!record) return record.error();
        if (!*record) break;
        try {
            take(notes, (*record)->kind, (*record)->fields);
        } catch (const std::exception& wrong) {
            return reader->damaged(reader->lineNumber(), wrong.what());
        }
    }
    if (notes.plan.kind.empty()) return reader->damaged(reader->lineNumber(), "it holds no plan");
    notes.cancelled = fs::exists(cancelFile(folder), problem);
    return notes;
}

Result<Book> Book::begin(const fs::path& folder, const Plan& plan) {
    Result<tuning::Store> store = tuning::Store::open(bookFile(folder), headerFor(plan.name));
    if (!store) return store.error();
    Notes notes;
    notes.plan = plan;
    Book book(folder, std::move(*store), std::move(notes));
    if (Result<void> kept = book.append("plan", fieldsOf(plan)); !kept) return kept.error();
    return book;
}

Result<Book> Book::open(const fs::path& folder) {
    Result<Notes> notes = readNotes(folder);
    if (!notes) return notes.error();
    Result<tuning::Store> store = tuning::Store::open(bookFile(folder), headerFor(notes->plan.name));
    if (!store && store.error().code == "busy")
        return Error{"busy", "Another process watches this array.",
                     "`kernelarium-cli cluster status` shows how it stands."};
    if (!store) return store.error();
    notes = readNotes(folder); // once more, now that nobody else writes
    if (!notes) return notes.error();
    return Book(folder, std::move(*store), std::move(*notes));
}

bool Book::cancelled() const {
    std::error_code problem;
    return m_notes.cancelled || fs::exists(cancelFile(m_folder), problem);
}

Result<void> Book::append(const std::string& kind, json fields) {
    Result<tuning::Record> record = tuning::recordOf(kind, std::move(fields));
    if (!record) return record.error();
    if (Result<void> kept = m_store.append(*record); !kept) return kept;
    if (Result<void> synced = m_store.sync(); !synced) return synced;
    take(m_notes, kind, record->fields);
    return {};
}

Result<void> Book::note(const SubmissionNote& submission) {
    return append("submission", {{"name", submission.name}, {"tasks", submission.tasks}, {"job", submission.job}});
}

Result<void> Book::lost(unsigned task, const LossNote& loss) {
    return append("lost", {{"task", task}, {"word", loss.word}, {"done", loss.done}});
}

Result<void> Book::giveUp(unsigned task, const std::string& why) {
    return append("given_up", {{"task", task}, {"why", why}});
}

Result<void> Book::collected() {
    return append("collected", json::object());
}

Result<void> markCancelled(const fs::path& folder) {
    std::ofstream file(cancelFile(folder));
    file << "cancelled\n";
    file.close();
    if (file) return {};
    return Error{"unwritable_file", fmt::format("{} cannot be written.", cancelFile(folder).string()),
                 "Check your rights and the free space."};
}

} // namespace kernelarium::cluster
