// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/SavedSearches.h"
#include "tests/TestRegistry.h"
#include "tests/session/SessionFixture.h"

namespace kernelarium::session {
namespace {

class TestSavedSearches : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areKept() {
        SessionFixture file;
        VERIFY_OK(savedSearches(file.store));
        QVERIFY(savedSearches(file.store)->empty());
        const SavedSearch second{"second", "task:1/1 \"x\"", false, true, true, true, "speedup", true, true};
        VERIFY_OK(saveSearch(file.store, second));
        VERIFY_OK(saveSearch(file.store, {.name = "first", .text = "a", .literal = true}));
        auto again = SessionStore::open(file.path);
        VERIFY_OK(again);
        const auto searches = savedSearches(*again);
        VERIFY_OK(searches);
        QCOMPARE(searches->size(), std::size_t(2));
        QCOMPARE(searches->front().name, std::string("first"));
        QVERIFY(searches->front().literal);
        QVERIFY(searches->back() == second);
    }

    void oneOfEachName() {
        SessionFixture file;
        VERIFY_OK(saveSearch(file.store, {.name = "n", .text = "a"}));
        VERIFY_OK(saveSearch(file.store, {.name = "n", .text = "b"}));
        QCOMPARE(savedSearches(file.store)->size(), std::size_t(1));
        QCOMPARE(savedSearches(file.store)->front().text, std::string("b"));
        VERIFY_OK(removeSearch(file.store, "n"));
        QVERIFY(savedSearches(file.store)->empty());
        QCOMPARE(removeSearch(file.store, "n").error().code, std::string("bad_input"));
        QCOMPARE(saveSearch(file.store, {}).error().code, std::string("bad_input"));
    }

    void areRenamed() {
        SessionFixture file;
        VERIFY_OK(saveSearch(file.store, {.name = "a", .text = "first"}));
        VERIFY_OK(saveSearch(file.store, {.name = "b", .text = "second"}));
        VERIFY_OK(renameSearch(file.store, "a", "c"));
        VERIFY_OK(renameSearch(file.store, "c", "c"));
        QCOMPARE(savedSearches(file.store)->back().text, std::string("first"));
        QCOMPARE(renameSearch(file.store, "c", "b").error().code, std::string("bad_input"));
        QCOMPARE(renameSearch(file.store, "a", "d").error().code, std::string("bad_input"));
        QCOMPARE(renameSearch(file.store, "b", "").error().code, std::string("bad_input"));
        QCOMPARE(savedSearches(file.store)->size(), std::size_t(2));
    }

    void whatIsOfAnotherFormIsPassedOver() {
        SessionFixture file;
        for (const char* value :
             {"5", "{", R"([1, {"name": 5}, {"name": "x", "regex": "yes"}, {"name": "good", "text": "t"}])"}) {
            VERIFY_OK(file.store.setValue("archive.searches", value));
            VERIFY_OK(savedSearches(file.store));
        }
        QCOMPARE(savedSearches(file.store)->size(), std::size_t(1));
    }
};

} // namespace

KERNELARIUM_TEST(TestSavedSearches);

} // namespace kernelarium::session

#include "TestSavedSearches.moc"
