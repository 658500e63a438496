// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/BoundedCache.h"
#include "tests/TestRegistry.h"

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using kernelarium::files::BoundedCache;
namespace fs = std::filesystem;

namespace {

struct Place {
    QTemporaryDir folder;
    fs::path path = fs::path(folder.path().toStdString()) / "deep" / "kept";
    [[nodiscard]] fs::path file(const char* name) const { return path / (std::string(name) + ".kept"); }
};

/// As if it had last been used so many hours ago.
void age(const fs::path& file, int hours) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(hours));
}

std::string bytesOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

} // namespace

class TestBoundedCache : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsAcrossInstances() {
        const Place place;
        const std::string text("a\0text\n", 7);
        QVERIFY(!BoundedCache(place.path).find("a1"));
        BoundedCache(place.path).keep("a1", text);
        QCOMPARE(BoundedCache(place.path).find("a1"), std::optional(text));
        BoundedCache(place.path).keep("a1", "another");
        QCOMPARE(BoundedCache(place.path).find("a1"), std::optional<std::string>("another"));
        BoundedCache(place.path).keep("empty", "");
        QCOMPARE(BoundedCache(place.path).find("empty"), std::optional<std::string>(""));
        struct stat what {};
        QCOMPARE(::stat(place.path.c_str(), &what), 0);
        QCOMPARE(what.st_mode & 0777, mode_t(0700));
        QCOMPARE(BoundedCache(place.path).contents().texts, std::uint64_t(2));
    }

    void namesLeadNowhereElse() {
        const Place place;
        BoundedCache cache(place.path);
        cache.keep("good", "text");
        for (const char* name : {"", "../good", "a/b", "A", "limit.kept", "a b", "."}) {
            cache.keep(name, "text");
            QVERIFY2(!cache.find(name), name);
        }
        QCOMPARE(cache.contents().texts, std::uint64_t(1));
    }

    /// Whatever happens to a file: it is not there any more, and can be made again.
    void damageIsNotRead() {
        const Place place;
        BoundedCache cache(place.path);
        const std::string text(1000, 'x');
        cache.keep("one", text);
        const std::string whole = bytesOf(place.file("one"));
        std::vector<std::string> damaged{"", whole.substr(0, 64), whole.substr(0, 500), whole + "x", "x" + whole};
        for (const std::size_t at : {std::size_t(0), std::size_t(64), std::size_t(65), whole.size() - 1}) {
            damaged.push_back(whole);
            damaged.back()[at] ^= 1;
        }
        for (const std::string& bytes : damaged) {
            write(place.file("one"), bytes);
            QVERIFY(!cache.find("one"));
            QVERIFY(!fs::exists(place.file("one")));
            cache.keep("one", text);
            QCOMPARE(cache.find("one"), std::optional(text));
        }
    }

    void linksAndOtherThingsAreLeftAlone() {
        const Place place;
        BoundedCache cache(place.path);
        cache.keep("one", "text");
        const fs::path outside = place.path.parent_path() / "outside";
        fs::rename(place.file("one"), outside);
        fs::create_symlink(outside, place.file("one"));
        QVERIFY(!cache.find("one"));
        fs::create_directory(place.file("two"));
        QVERIFY(!cache.find("two"));
        cache.keep("two", "text"); // cannot be
        QCOMPARE(::mkfifo(place.file("three").c_str(), 0600), 0);
        QVERIFY(!cache.find("three")); // nor does it wait
        QVERIFY(cache.clear());
        QVERIFY(fs::exists(outside) && fs::is_directory(place.file("two")));
    }

    void foldersOfOthersAreNotUsed() {
        const Place place;
        BoundedCache cache(place.path);
        cache.keep("one", "text");
        QCOMPARE(::chmod(place.path.c_str(), 0777), 0);
        QVERIFY(!cache.find("one"));
        cache.keep("two", "text");
        QVERIFY(!fs::exists(place.file("two")));
        const auto refused = cache.setLimit(5);
        QVERIFY(!refused && refused.error().code == "unwritable_file");
        QVERIFY(!cache.clear());
        QCOMPARE(::chmod(place.path.c_str(), 0700), 0);
        QVERIFY(cache.find("one"));
        // A folder that cannot be, and none at all.
        write(place.path.parent_path() / "file", "");
        for (const fs::path& folder : {place.path.parent_path() / "file" / "below", fs::path()}) {
            BoundedCache nowhere(folder);
            nowhere.keep("one", "text");
            QVERIFY(!nowhere.find("one"));
            QVERIFY(!nowhere.setLimit(5));
            QCOMPARE(nowhere.contents().texts, std::uint64_t(0));
        }
    }

    void whatWasUsedLongestAgoGoesFirst() {
        const Place place;
        BoundedCache cache(place.path);
        const std::string text(100, 'x');
        constexpr std::uint64_t each = 165; // with its digest
        QVERIFY(cache.setLimit(10 * each));
        QCOMPARE(BoundedCache(place.path).limit(), std::uint64_t(10 * each));
        for (int i = 0; i < 10; ++i) {
            cache.keep("k" + std::to_string(i), text);
            age(place.file(("k" + std::to_string(i)).c_str()), 20 - i);
        }
        QCOMPARE(cache.contents().texts, std::uint64_t(10));
        QVERIFY(cache.find("k0")); // a use
        for (int i = 10; i < 40; ++i) {
            cache.keep("k" + std::to_string(i), text);
            QVERIFY(cache.contents().bytes <= 11 * each); // looked through once a tenth has come
        }
        QVERIFY(!cache.find("k1"));
        QVERIFY(cache.setLimit(3 * each));
        QVERIFY(cache.contents().bytes <= 3 * each);
        QVERIFY(cache.setLimit(0));
        cache.keep("none", "");
        cache.keep("some", text);
        QVERIFY(!cache.find("some"));
        QVERIFY(cache.setLimit(1000));
        cache.keep("long", std::string(2000, 'x')); // longer than the limit
        QVERIFY(!cache.find("long"));
        write(place.path / "kernelarium-limit", "not a number");
        QCOMPARE(cache.limit(), BoundedCache::standardLimit);
        QVERIFY(cache.clear());
        QCOMPARE(cache.contents().texts, std::uint64_t(0));
    }

    /// Somebody may name a folder that holds other things.
    void foreignFilesStay() {
        const Place place;
        fs::create_directories(place.path);
        const char* const names[] = {"thesis.tex",        "limit",          "old",
                                     "A-B.kept",          ".bashrc",        "x.unfinished.txt",
                                     "thesis.unfinished", "a-1.unfinished", "a-b-1.unfinished"};
        for (const char* name : names) {
            write(place.path / name, "mine");
            age(place.path / name, 50);
        }
        BoundedCache cache(place.path);
        cache.keep("one", "text");
        QVERIFY(cache.setLimit(1));
        QVERIFY(cache.setLimit(1000));
        cache.keep("one", "text");
        QCOMPARE(cache.contents().texts, std::uint64_t(1));
        QVERIFY(cache.clear());
        for (const char* name : names)
            QCOMPARE(bytesOf(place.path / name), std::string("mine"));
    }

    /// Writers that are killed leave nothing that is read, and not for long.
    void unfinishedFilesGo() {
        const Place place;
        BoundedCache cache(place.path);
        cache.keep("one", "text");
        const fs::path unfinished = place.path / "two-1234-1.unfinished";
        write(unfinished, "half");
        QVERIFY(!cache.find("two"));
        QVERIFY(BoundedCache(place.path).setLimit(1000));
        QVERIFY(fs::exists(unfinished)); // perhaps it is being written
        age(unfinished, 2);
        QVERIFY(BoundedCache(place.path).setLimit(1000));
        QVERIFY(!fs::exists(unfinished));
        QVERIFY(cache.find("one"));
    }

    void severalAtATime() {
        const Place place;
        const std::string text(10000, 'y');
        {
            BoundedCache one(place.path), two(place.path);
            QVERIFY(one.setLimit(20 * text.size()));
            std::vector<std::jthread> threads;
            for (BoundedCache* cache : {&one, &one, &two, &two})
                threads.emplace_back([cache, &text] {
                    for (int i = 0; i < 200; ++i) {
                        const std::string name = "n" + std::to_string(i % 40);
                        cache->keep(name, text);
                        if (const auto found = cache->find(name); found && *found != text) std::abort();
                    }
                });
        }
        BoundedCache after(place.path);
        QVERIFY(after.contents().bytes <= 23 * text.size());
        for (const auto& entry : fs::directory_iterator(place.path))
            QVERIFY(entry.path().filename() == "kernelarium-limit" || entry.path().extension() == ".kept");
    }
};

KERNELARIUM_TEST(TestBoundedCache);
#include "TestBoundedCache.moc"
