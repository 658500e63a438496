// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/session/SessionFixture.h"

#include <cmath>

namespace kernelarium::session {
namespace {

class TestSessionStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sessionsAreListedNamedAndCounted() {
        SessionFixture file;
        const auto second = file.store.createSession("");
        VERIFY_OK(second);
        QVERIFY(second->name.find("Session") == 0);
        VERIFY_OK(file.store.renameSession(file.session, "tiling \xc3\xa9 <b>"));
        VERIFY_OK(file.store.addAttempt(file.attempt("a")));
        VERIFY_OK(file.store.addAttempt(file.attempt("b")));
        const auto sessions = file.store.sessions();
        VERIFY_OK(sessions);
        QCOMPARE(sessions->size(), std::size_t{2});
        const auto first = std::find_if(sessions->begin(), sessions->end(),
                                        [&](const SessionInfo& info) { return info.id == file.session; });
        QVERIFY(first != sessions->end());
        QCOMPARE(first->name, std::string("tiling \xc3\xa9 <b>"));
        QCOMPARE(first->attempts, 2);
        QVERIFY(first->lastUsedMs >= first->startedMs);
        QCOMPARE(file.store.renameSession(99, "x").error().code, std::string("bad_input"));
    }

    void attemptComesBackWhole() {
        SessionFixture file;
        Attempt attempt = file.attempt("__global__ void k() {}\n// \xe2\x82\xac\n");
        attempt.parent = 7;
        attempt.verdict = "verified";
        attempt.verdictJson = R"({"verdict":"verified","checks":[1,2]})";
        attempt.countersJson = R"({"sectors":8})";
        attempt.name = "tile 32";
        attempt.notes = "why\nnot";
        attempt.timings = {timing(Timing::Origin::measured, 1.25), timing(Timing::Origin::modelled, 0.5)};
        attempt.timings[0].relativeNoise = 0.01;
        attempt.timings[0].flops = 2e9;
        attempt.timings[0].bytes = 3e9;
        attempt.timings[0].byteSource = "compulsory";
        attempt.timings[0].detailJson = "[1,2,3]";
        const auto id = file.store.addAttempt(attempt);
        VERIFY_OK(id);
        const auto back = file.store.attempt(*id);
        VERIFY_OK(back);
        QCOMPARE(back->source, attempt.source);
        QCOMPARE(back->optionsJson, attempt.optionsJson);
        QCOMPARE(back->verdictJson, attempt.verdictJson);
        QCOMPARE(back->countersJson, attempt.countersJson);
        QCOMPARE(back->parent, 7);
        QCOMPARE(back->notes, attempt.notes);
        QVERIFY(back->createdMs > 0);
        QCOMPARE(back->timings.size(), std::size_t{2});
        QCOMPARE(back->timings[0].relativeNoise, 0.01);
        QCOMPARE(back->timings[0].flops, 2e9);
        QCOMPARE(back->timings[0].byteSource, std::string("compulsory"));
        QCOMPARE(back->timings[0].detailJson, std::string("[1,2,3]"));
        QVERIFY(std::isnan(back->timings[1].relativeNoise));
        QVERIFY(back->timings[1].origin == Timing::Origin::modelled);
        QCOMPARE(file.store.attempt(*id + 1).error().code, std::string("bad_input"));
    }

    /// A text that has a change of another kernel has two parents, in lists and by itself.
    void bothParentsAreKept() {
        SessionFixture file;
        Attempt attempt = file.attempt("x");
        attempt.parent = 3;
        const OtherParent archived{"archive:L1/T19/fast@12", "fast", 0}, tried{"file:/a.cu", "a.cu", 7};
        attempt.takenFrom = {tried, archived};
        const auto id = file.store.addAttempt(attempt);
        VERIFY_OK(id);
        VERIFY_OK(file.store.addAttempt(file.attempt("y")));
        QVERIFY(file.store.attempt(*id)->takenFrom == attempt.takenFrom);
        QCOMPARE(file.store.attempt(*id)->parent, 3);
        const auto list = *file.store.attempts({});
        QCOMPARE(list.size(), std::size_t{2});
        QVERIFY(list[0].takenFrom == attempt.takenFrom);
        QVERIFY(list[1].takenFrom.empty());
    }

    /// Timed after it was verified, it is the same attempt: its parents stay, and none is there twice.
    void parentsAreAddedToTheSameAttempt() {
        SessionFixture file;
        Attempt attempt = file.attempt("x");
        const OtherParent one{"k1", "one", 0}, two{"k2", "two", 0};
        attempt.takenFrom = {one};
        const auto id = *file.store.addAttempt(attempt);
        attempt.takenFrom = {one, two};
        QCOMPARE(*file.store.addAttempt(attempt), id);
        attempt.takenFrom.clear();
        QCOMPARE(*file.store.addAttempt(attempt), id);
        QVERIFY(file.store.attempt(id)->takenFrom == (std::vector{one, two}));
    }

    void listsTellTheGistOfMeasuredTimes() {
        SessionFixture file;
        Attempt attempt = file.attempt("x");
        for (const char* detail :
             {R"({"mode":"hot","summary":{"lower_quartile":0.001,"upper_quartile":0.0012},"samples":[1,2],
                                      "baselines":[{"name":"cuBLAS","version":"13.1","mode":"hot","median":0.0008},{"name":"odd"},7]})",
              "", "not json", R"({"summary":3,"mode":{},"baselines":"x"})", "[1,2,3]"}) {
            attempt.timings.push_back(timing(Timing::Origin::measured, 1.1));
            attempt.timings.back().detailJson = detail;
        }
        VERIFY_OK(file.store.addAttempt(attempt));
        const auto listed = file.store.attempts({});
        VERIFY_OK(listed);
        const std::vector<Timing>& timings = listed->front().timings;
        QCOMPARE(timings.size(), std::size_t{5});
        QCOMPARE(timings[0].lowerQuartileMs, 1.0);
        QCOMPARE(timings[0].upperQuartileMs, 1.2);
        QCOMPARE(timings[0].mode, std::string("hot"));
        QCOMPARE(timings[0].baselines.size(), std::size_t{1});
        QCOMPARE(timings[0].baselines[0].name + timings[0].baselines[0].version, std::string("cuBLAS13.1"));
        QCOMPARE(timings[0].baselines[0].milliseconds, 0.8);
        QVERIFY(timings[0].detailJson.empty()); // fetched with the attempt alone
        for (std::size_t i = 1; i < timings.size(); ++i)
            QVERIFY(std::isnan(timings[i].lowerQuartileMs) && timings[i].mode.empty() && timings[i].baselines.empty());
        QCOMPARE(file.store.attempt(listed->front().id)->timings[0].mode, std::string("hot"));
    }

    void sameSourceTwiceIsOneAttempt() {
        SessionFixture file;
        Attempt first = file.attempt("one");
        first.verdict = "wrong";
        first.verdictJson = "{\"a\":1}";
        first.countersJson = "{\"c\":1}";
        first.timings = {timing(Timing::Origin::measured, 2)};
        const auto id = file.store.addAttempt(first).value();
        Attempt again = file.attempt("one");
        again.verdict = "verified";
        again.verdictJson = "{\"a\":2}";
        again.timings = {timing(Timing::Origin::measured, 1)};
        QCOMPARE(file.store.addAttempt(again).value(), id);
        const auto merged = file.store.attempt(id).value();
        QCOMPARE(merged.verdict, std::string("verified"));
        QCOMPARE(merged.verdictJson, std::string("{\"a\":2}"));
        QCOMPARE(merged.countersJson, std::string("{\"c\":1}"));
        QCOMPARE(merged.timings.size(), std::size_t{2});

        Attempt otherOptions = file.attempt("one");
        otherOptions.optionsJson = R"({"fast_math":true})";
        const auto fast = file.store.addAttempt(otherOptions).value();
        QVERIFY(fast != id);
        // Going back to an older text is a step of its own; so is the same text of another kernel.
        QVERIFY(file.store.addAttempt(file.attempt("one")).value() != id);
        QVERIFY(file.store.addAttempt(file.attempt("one", "other")).value() != id);
        QCOMPARE(file.store.attempts({}).value().size(), std::size_t{4});
    }

    void listsAreFiltered() {
        SessionFixture file;
        const auto other = file.store.createSession("other").value().id;
        VERIFY_OK(file.store.addAttempt(file.attempt("a", "k1")));
        VERIFY_OK(file.store.addAttempt(file.attempt("b", "k2")));
        Attempt elsewhere = file.attempt("c", "k1");
        elsewhere.session = other;
        elsewhere.level = 2;
        elsewhere.task = 5;
        elsewhere.timings = {timing(Timing::Origin::archived, 3)};
        VERIFY_OK(file.store.addAttempt(elsewhere));

        AttemptFilter ofSession;
        ofSession.session = file.session;
        QCOMPARE(file.store.attempts(ofSession).value().size(), std::size_t{2});
        AttemptFilter ofKernel;
        ofKernel.kernelKey = "k1";
        QCOMPARE(file.store.attempts(ofKernel).value().size(), std::size_t{2});
        AttemptFilter ofTask;
        ofTask.task = AttemptFilter::TaskNumber{2, 5};
        const auto found = file.store.attempts(ofTask).value();
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].timings.size(), std::size_t{1});
        QCOMPARE(found[0].timings[0].milliseconds, 3.0);
        AttemptFilter all = ofKernel;
        all.session = other;
        QCOMPARE(file.store.attempts(all).value().size(), std::size_t{1});
    }

    void attemptsAreAnnotated() {
        SessionFixture file;
        const auto id = file.store.addAttempt(file.attempt("a")).value();
        VERIFY_OK(file.store.setName(id, "n"));
        VERIFY_OK(file.store.setNotes(id, "line\nline"));
        VERIFY_OK(file.store.setVerdict(id, "fault", "{}", "[]"));
        VERIFY_OK(file.store.addTiming(id, timing(Timing::Origin::measured, 4)));
        const auto back = file.store.attempt(id).value();
        QCOMPARE(back.name, std::string("n"));
        QCOMPARE(back.notes, std::string("line\nline"));
        QCOMPARE(back.verdict, std::string("fault"));
        QCOMPARE(back.countersJson, std::string("[]"));
        QCOMPARE(back.timings.size(), std::size_t{1});
        for (const auto& result :
             {file.store.setName(9, ""), file.store.setNotes(9, ""), file.store.setVerdict(9, "", "", ""),
              file.store.addTiming(9, timing(Timing::Origin::measured, 4)),
              file.store.addTiming(id, timing(Timing::Origin::measured, NAN))})
            QVERIFY(!result.ok() && result.error().code == "bad_input");
        Attempt homeless = file.attempt("a");
        homeless.session = 77;
        QCOMPARE(file.store.addAttempt(homeless).error().code, std::string("bad_input"));
    }

    void bestTimeStaysOnOneDeviceAndSize() {
        AttemptSummary summary;
        summary.timings = {timing(Timing::Origin::measured, 0.1, "H200", "small"), timing(Timing::Origin::measured, 3),
                           timing(Timing::Origin::measured, 2, "T4"), timing(Timing::Origin::measured, 4),
                           timing(Timing::Origin::modelled, 1)};
        const auto* best = summary.best(Timing::Origin::measured);
        QVERIFY(best != nullptr);
        QCOMPARE(best->milliseconds, 3.0); // of H200, full: what was timed last
        QVERIFY(summary.best(Timing::Origin::archived) == nullptr);
    }

    void removalCanBeTakenBack() {
        SessionFixture file;
        const auto id = file.store.addAttempt(file.attempt("a")).value();
        VERIFY_OK(file.store.removeSession(file.session));
        QVERIFY(file.store.sessions().value().empty());
        QVERIFY(file.store.attempts({}).value().empty());
        QVERIFY(!file.store.removeSession(file.session).ok());
        QVERIFY(!file.store.addAttempt(file.attempt("b")).ok());
        VERIFY_OK(file.store.restoreSession(file.session));
        QCOMPARE(file.store.attempts({}).value().size(), std::size_t{1});
        VERIFY_OK(file.store.removeSession(file.session));
        QCOMPARE(file.store.purgeRemoved(0).value(), 0);
        QCOMPARE(file.store.purgeRemoved(std::numeric_limits<std::int64_t>::max()).value(), 1);
        QVERIFY(!file.store.restoreSession(file.session).ok());
        QVERIFY(!file.store.attempt(id).ok());
        // Numbers are not given again.
        file.session = file.store.createSession("next").value().id;
        QVERIFY(file.store.addAttempt(file.attempt("a")).value() > id);
    }

    void draftsAndValuesAreKept() {
        SessionFixture file;
        QVERIFY(!file.store.draft("k").value().has_value());
        VERIFY_OK(file.store.saveDraft({"k", "text 1", 5, 3}));
        VERIFY_OK(file.store.saveDraft({"k", "text 2", 6, 4}));
        VERIFY_OK(file.store.saveDraft({"m", std::string("nul \0 in", 8), 9, 0}));
        const auto draft = file.store.draft("k").value();
        QVERIFY(draft.has_value());
        QCOMPARE(draft->text, std::string("text 2"));
        QCOMPARE(draft->cursorLine, 4);
        const auto drafts = file.store.drafts().value();
        QCOMPARE(drafts.size(), std::size_t{2});
        QCOMPARE(drafts[0].text.size(), std::size_t{8});
        VERIFY_OK(file.store.removeDraft("m"));
        QCOMPARE(file.store.drafts().value().size(), std::size_t{1});

        QVERIFY(!file.store.value("window").value().has_value());
        VERIFY_OK(file.store.setValue("window", "{}"));
        VERIFY_OK(file.store.setValue("window", "{\"w\":1}"));
        QCOMPARE(file.store.value("window").value().value(), std::string("{\"w\":1}"));
    }

    void everythingIsThereAfterReopening() {
        SessionFixture file;
        const auto id = file.store.addAttempt(file.attempt("kept")).value();
        VERIFY_OK(file.store.saveDraft({"k", "draft", 0, 0}));
        auto second = SessionStore::open(file.path); // while the first is still open
        VERIFY_OK(second);
        QCOMPARE(second->attempt(id).value().source, std::string("kept"));
        QVERIFY(second->draft("k").value()->changedMs > 0);
    }
};

} // namespace

KERNELARIUM_TEST(TestSessionStore);

} // namespace kernelarium::session

#include "TestSessionStore.moc"
