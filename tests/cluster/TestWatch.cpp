// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cluster/ArrayScript.h"
#include "gpu/cluster/Watch.h"
#include "tests/TestRegistry.h"

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <map>

namespace kernelarium::cluster {
namespace {

/// An engine whose every word is said by the test.
class ScriptedEngine : public Engine {
public:
    [[nodiscard]] std::string_view name() const override { return "scripted"; }
    [[nodiscard]] ScriptWords words() const override { return {"$T", "1"}; }
    [[nodiscard]] std::string gpuOption(const std::vector<std::string>&) const override { return {}; }
    [[nodiscard]] std::string processorsOption(unsigned) const override { return {}; }
    [[nodiscard]] Result<void> check(const std::vector<std::string>&) const override { return {}; }
    [[nodiscard]] Result<std::string> submit(const Submission& submission, const std::stop_token&) override {
        if (onSubmit)
            if (Result<void> said = onSubmit(submission); !said) return said.error();
        submissions.push_back(submission);
        return std::to_string(submissions.size());
    }
    [[nodiscard]] Result<std::vector<std::string>> find(const std::string& name, const std::stop_token&) override {
        const auto at = known.find(name);
        return at == known.end() ? std::vector<std::string>() : std::vector<std::string>{at->second};
    }
    [[nodiscard]] Result<std::vector<TaskSeen>> look(const std::string& job, const std::stop_token&) override {
        return onLook ? onLook(job) : Result<std::vector<TaskSeen>>(std::vector<TaskSeen>());
    }
    [[nodiscard]] Result<void> cancel(const std::string& job, const std::stop_token&) override {
        cancelled.push_back(job);
        return {};
    }

    std::function<Result<void>(const Submission&)> onSubmit;
    std::function<Result<std::vector<TaskSeen>>(const std::string&)> onLook;
    std::map<std::string, std::string> known; ///< name -> job
    std::vector<Submission> submissions;
    std::vector<std::string> cancelled;
};

class CountedWork : public Work {
public:
    std::uint64_t done(unsigned task) override { return counts[task]; }
    Result<void> collect(const std::stop_token&) override {
        ++collected;
        return {};
    }
    std::map<unsigned, std::uint64_t> counts;
    int collected = 0;
};

class TestWatch : public QObject {
    Q_OBJECT

private slots:
    void init();
    void allDone();
    void tasksThatGetNothingDoneAreGivenUp();
    void tasksThatGetOnAreNot();
    void aKilledSubmitterIsFollowed();
    void aKilledSubmitterWhoSubmittedNothing();
    void aRefusedArray();
    void aSilentEngine();
    void anEngineSilentForever();
    void cancelledMeanwhile();
    void stoppedWatching();
    void onlyOneWatches();
    void damagedBooks();
    void linesOfGrowingFiles();

private:
    [[nodiscard]] std::filesystem::path folder() const { return m_folder->path().toStdString(); }
    [[nodiscard]] Book newBook() const {
        Plan plan;
        plan.kind = "sweep";
        plan.engine = "scripted";
        plan.name = "kernelarium-test";
        plan.tasks = 2;
        plan.total = 10;
        return Book::begin(folder(), plan).value();
    }
    void end(unsigned task, int code) const { std::ofstream(taskMark(folder(), task)) << code << '\n'; }
    [[nodiscard]] static ArrayWatch quick() {
        ArrayWatch watch;
        watch.interval = watch.settle = std::chrono::milliseconds(1);
        return watch;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    ScriptedEngine m_engine;
    CountedWork m_work;
};

void TestWatch::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_engine = {};
    m_work = {};
}

void TestWatch::allDone() {
    Book book = newBook();
    m_engine.onSubmit = [&](const Submission& submission) -> Result<void> {
        for (const unsigned task : submission.tasks)
            end(task, 0);
        return {};
    };
    const auto watched = watchArray(m_engine, book, m_work, quick(), {});
    QVERIFY(watched.ok() && watched->end == ArrayEnd::done);
    QCOMPARE(m_engine.submissions.size(), std::size_t(1));
    QCOMPARE(m_engine.submissions.front().tasks, (std::vector<unsigned>{1, 2}));
    QCOMPARE(m_work.collected, 1);
    QVERIFY(readNotes(folder())->collected);
}

/// Whether the engine says so, says nothing any more, or the task says so itself.
void TestWatch::tasksThatGetNothingDoneAreGivenUp() {
    Book book = newBook();
    end(1, 0);
    int looks = 0;
    m_engine.onSubmit = [&](const Submission& submission) -> Result<void> {
        std::ofstream(taskLog(folder(), 2)) << "kernelarium-cli: There is no GPU here.\nmore\n";
        if (submission.name != "kernelarium-test-1") end(2, 3);
        end(1, 0);
        return {};
    };
    m_engine.onLook = [&](const std::string&) -> Result<std::vector<TaskSeen>> {
        if (++looks > 3) return std::vector<TaskSeen>();
        return std::vector<TaskSeen>{{2, TaskSeen::State::lost, "NODE_FAIL", "n1", ""}};
    };
    std::vector<std::string> said;
    ArrayWatch watch = quick();
    watch.said = [&](const std::string& text) { said.push_back(text); };
    const auto watched = watchArray(m_engine, book, m_work, watch, {});
    QVERIFY(watched.ok() && watched->end == ArrayEnd::incomplete);
    QCOMPARE(m_engine.submissions.size(), std::size_t(3));
    QCOMPARE(m_engine.submissions.back().tasks, (std::vector<unsigned>{2}));
    const TaskLine& line = watched->progress.tasks.at(1);
    QVERIFY(line.state == TaskLine::State::givenUp);
    QVERIFY2(line.why.find("3 times") != std::string::npos && line.why.find("no GPU here") != std::string::npos,
             line.why.c_str());
    QVERIFY(said.size() == 3 && said.front().find("NODE_FAIL") != std::string::npos);
    QCOMPARE(m_work.collected, 1); // what there is
    const Notes notes = readNotes(folder()).value();
    QVERIFY(notes.givenUp.contains(2) && notes.losses.at(2).size() == 2);
}

void TestWatch::tasksThatGetOnAreNot() {
    Book book = newBook();
    m_engine.onSubmit = [&](const Submission&) -> Result<void> {
        end(1, 0);
        if (++m_work.counts[2] == 9) end(2, 0);
        return {};
    };
    const auto watched = watchArray(m_engine, book, m_work, quick(), {});
    QVERIFY(watched.ok() && watched->end == ArrayEnd::done);
    QCOMPARE(m_engine.submissions.size(), std::size_t(9));
    QCOMPARE(watched->progress.resubmitted, 8U);
}

void TestWatch::aKilledSubmitterIsFollowed() {
    {
        Book book = newBook();
        QVERIFY(book.note({"kernelarium-test-1", {1, 2}, {}}).ok()); // and then it was killed
    }
    end(1, 0);
    end(2, 0);
    m_engine.known["kernelarium-test-1"] = "77";
    Book book = Book::open(folder()).value();
    QVERIFY(watchArray(m_engine, book, m_work, quick(), {})->end == ArrayEnd::done);
    QVERIFY(m_engine.submissions.empty());
    QCOMPARE(readNotes(folder())->submissions.front().job, "77");
}

void TestWatch::aKilledSubmitterWhoSubmittedNothing() {
    {
        Book book = newBook();
        QVERIFY(book.note({"kernelarium-test-1", {1, 2}, {}}).ok());
    }
    m_engine.onSubmit = [&](const Submission& submission) -> Result<void> {
        for (const unsigned task : submission.tasks)
            end(task, 0);
        return {};
    };
    Book book = Book::open(folder()).value();
    QVERIFY(watchArray(m_engine, book, m_work, quick(), {})->end == ArrayEnd::done);
    QCOMPARE(m_engine.submissions.size(), std::size_t(1));
    QCOMPARE(m_engine.submissions.front().name, "kernelarium-test-1");
}

void TestWatch::aRefusedArray() {
    Book book = newBook();
    m_engine.onSubmit = [](const Submission&) -> Result<void> { return Error{"refused_job", "No."}; };
    QCOMPARE(watchArray(m_engine, book, m_work, quick(), {}).error().code, "refused_job");
    QCOMPARE(m_work.collected, 0);
}

void TestWatch::aSilentEngine() {
    Book book = newBook();
    int looks = 0;
    m_engine.onLook = [&](const std::string&) -> Result<std::vector<TaskSeen>> {
        if (++looks <= 3) return Error{"cluster_silent", "No answer."};
        for (const unsigned task : {1U, 2U})
            end(task, 0);
        return std::vector<TaskSeen>();
    };
    ArrayWatch watch = quick();
    int said = 0;
    watch.said = [&](const std::string&) { ++said; };
    const auto watched = watchArray(m_engine, book, m_work, watch, {});
    QVERIFY(watched.ok() && watched->end == ArrayEnd::done);
    QCOMPARE(said, 1);
    QCOMPARE(m_engine.submissions.size(), std::size_t(1)); // silence is no loss
}

void TestWatch::anEngineSilentForever() {
    Book book = newBook();
    m_engine.onLook = [](const std::string&) -> Result<std::vector<TaskSeen>> {
        return Error{"cluster_silent", "No answer."};
    };
    ArrayWatch watch = quick();
    watch.patience = std::chrono::seconds(0);
    QCOMPARE(watchArray(m_engine, book, m_work, watch, {}).error().code, "cluster_silent");
    watch.patience = std::chrono::seconds(1000);
    m_engine.onLook = [](const std::string&) -> Result<std::vector<TaskSeen>> { return Error{"bad_answer", "What?"}; };
    QCOMPARE(watchArray(m_engine, book, m_work, watch, {}).error().code, "bad_answer");
}

void TestWatch::cancelledMeanwhile() {
    Book book = newBook();
    int looks = 0;
    m_engine.onLook = [&](const std::string& job) -> Result<std::vector<TaskSeen>> {
        if (++looks == 1) static_cast<void>(markCancelled(folder()));
        if (!m_engine.cancelled.empty()) return std::vector<TaskSeen>();
        return std::vector<TaskSeen>{{1, TaskSeen::State::running, "RUNNING", job, ""},
                                     {2, TaskSeen::State::pending, "PENDING", "", ""}};
    };
    const auto watched = watchArray(m_engine, book, m_work, quick(), {});
    QVERIFY(watched.ok() && watched->end == ArrayEnd::cancelled);
    QCOMPARE(m_engine.cancelled, (std::vector<std::string>{"1"}));
    QCOMPARE(m_engine.submissions.size(), std::size_t(1));
    QCOMPARE(m_work.collected, 1);
}

void TestWatch::stoppedWatching() {
    Book book = newBook();
    std::stop_source source;
    m_engine.onLook = [&](const std::string&) -> Result<std::vector<TaskSeen>> {
        source.request_stop();
        return std::vector<TaskSeen>{{1, TaskSeen::State::running, "RUNNING", "n", ""}};
    };
    const auto watched = watchArray(m_engine, book, m_work, quick(), source.get_token());
    QVERIFY(watched.ok() && watched->end == ArrayEnd::stopped);
    QVERIFY(m_engine.cancelled.empty());
}

void TestWatch::onlyOneWatches() {
    const Book book = newBook();
    QCOMPARE(Book::open(folder()).error().code, "busy");
    QVERIFY(readNotes(folder()).ok());
    QCOMPARE(readNotes(folder() / "nowhere").error().code, "no_array");
}

void TestWatch::damagedBooks() {
    for (const char* line :
         {R"({"kind":"lost","task":3,"word":"x","done":0})", R"({"kind":"lost","task":"1","word":"x","done":0})",
          R"({"kind":"submission","name":"x","tasks":[0],"job":"1"})", R"({"kind":"plan","tasks":1})", "garbage"}) {
        init();
        { const Book book = newBook(); }
        std::ofstream(folder() / "array.book", std::ios::app) << line << '\n';
        QCOMPARE(readNotes(folder()).error().code, "damaged_store");
    }
}

void TestWatch::linesOfGrowingFiles() {
    GrowingLines lines;
    const auto path = folder() / "part";
    QCOMPARE(lines.count(path), std::uint64_t(0));
    const auto append = [&](const std::string& text) { std::ofstream(path, std::ios::app) << text; };
    append("a\nb\nhalf");
    QCOMPARE(lines.count(path), std::uint64_t(2));
    append(" of it\n");
    QCOMPARE(lines.count(path), std::uint64_t(3));
    append("unfinished");
    QCOMPARE(lines.count(path), std::uint64_t(3));
    std::filesystem::resize_file(path, 4); // what a killed writer left unfinished, and more, is cut off
    QCOMPARE(lines.count(path), std::uint64_t(2));
    append(std::string(200000, 'x') + "\n");
    QCOMPARE(lines.count(path), std::uint64_t(3));
}

KERNELARIUM_TEST(TestWatch);

} // namespace
} // namespace kernelarium::cluster

#include "TestWatch.moc"
