// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/protocol/TestRecordMessages.h"

#include "gpu/protocol/RecordMessages.h"
#include "tests/TestRegistry.h"

#include <QtTest>

using namespace kernelarium;
using namespace kernelarium::protocol;
using nlohmann::json;

namespace {

/// More than two pages of steps that add 1 to a register, store it and trip now and then.
recording::Recording longRecording() {
    recording::Recording r;
    r.kernel = "count";
    r.launch = 2;
    r.grid = {4, 2, 1};
    r.blockSize = {64, 1, 1};
    r.block = {3, 1, 0};
    r.warps = 2;
    r.onlyWarp = 1;
    r.line = 7;
    r.lineStep = 5;
    r.skipped = 123;
    r.isCut = true;
    r.functions = {"count"};
    r.registers = {{"%r1", "s32", 0, 1}, {"%rq", "b128", 0, 2}};
    r.instructions = {{"add.s32 %r1, %r1, 1;", 7, 30, 0, false}, {"bar.sync 0;", 8, 31, 0, true}};
    r.allocations = {{"argument 1", 0x700000000000, 4096}};
    r.base = {{1, 9, 0, 0xff, std::vector<std::uint64_t>(32, 41)}};
    r.sharedBase = {0x7fc0dead, 2};
    r.sharedWritten = {0, 1};
    for (std::uint64_t k = 0; k < 2 * pageSteps + 17; ++k) {
        recording::Step s;
        s.warp = 1;
        s.instruction = std::uint32_t(k % 2);
        s.frame = 9;
        s.active = 0x7;
        s.on = 0x5;
        s.registers = {{0, 0x5, 0x4, {k, 0}, {k + 1, k + 2}}, {1, 0x1, 0, {1, 2}, {3, ~std::uint64_t(0)}}};
        if (k % 3 == 0) s.shared = {{1, 2, std::uint32_t(k), k == 0}};
        if (k % 5 == 0) s.accesses = {{recording::Space::shared, true, false, 4, 0x3, {0, 4}, 0x1, {1, 2, 3, 4}, 2, 1}};
        if (k % 7 == 0) s.faults = {{"out_of_bounds", "Read of 4 bytes \xff", 0x4}};
        r.steps.push_back(std::move(s));
    }
    return r;
}

Result<std::shared_ptr<const recording::Recording>> travelled(const recording::Recording& r,
                                                              const std::function<void(json&, json&)>& damage = {}) {
    RecordingReader reader;
    json rest = restJson(r);
    for (std::size_t k = 0; k < r.steps.size(); k += pageSteps) {
        json page = pageJson(r, k);
        if (damage && k == 0) damage(page, rest);
        // As lines of the protocol do.
        page = json::parse(page.dump(-1, ' ', false, json::error_handler_t::replace));
        if (Result<void> read = reader.addPage(page); !read) return read.error();
    }
    return reader.finish(json::parse(rest.dump()));
}

} // namespace

void TestRecordMessages::requestsTravel() {
    RecordParameters p;
    p.run.unit = std::make_shared<const compile::CompiledUnit>();
    p.request = {3, {1, 2, 3}, 4, 5, 6};
    Result<RecordParameters> back = recordParametersFromJson(json::parse(toJson(p).dump()));
    QVERIFY2(back.ok(), back.ok() ? "" : back.error().message.c_str());
    QCOMPARE(back->request.launch, std::optional(3u));
    QCOMPARE(back->request.block, (recording::Place{1, 2, 3}));
    QCOMPARE(back->request.warp, std::optional(4u));
    QCOMPARE(back->request.line, 5);
    QCOMPARE(back->request.maxSteps, std::size_t(6));
    p.request = {};
    back = recordParametersFromJson(json::parse(toJson(p).dump()));
    QVERIFY(back.ok() && !back->request.launch && !back->request.warp);
}

void TestRecordMessages::recordingsTravelInPages() {
    const recording::Recording r = longRecording();
    const auto back = travelled(r);
    QVERIFY2(back.ok(), back.ok() ? "" : back.error().message.c_str());
    QCOMPARE((*back)->steps.size(), r.steps.size());
    json expected = toJson(r), got = toJson(**back);
    // Bytes that are not UTF-8 do not survive.
    const auto text = [](const json& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); };
    QCOMPARE(json::parse(text(got)), json::parse(text(expected)));
}

void TestRecordMessages::lanesThatAgreeTravelOnce() {
    recording::Recording r = longRecording();
    r.steps[0].registers = {{0, ~0u, 0, std::vector<std::uint64_t>(32, 7), std::vector<std::uint64_t>(32, 8)}};
    const json page = pageJson(r, 0);
    QCOMPARE(page.at("steps")[0].at("registers")[0].at("after").size(), std::size_t(1));
    const auto back = travelled(r);
    QVERIFY(back.ok());
    QCOMPARE((*back)->steps[0].registers[0].after, std::vector<std::uint64_t>(32, 8));
}

void TestRecordMessages::damagedOnesAreRefused_data() {
    QTest::addColumn<int>("damage");
    QTest::newRow("an instruction that is not there") << 0;
    QTest::newRow("a register that is not there") << 1;
    QTest::newRow("too few lanes") << 2;
    QTest::newRow("a word outside shared memory") << 3;
    QTest::newRow("steps are missing") << 4;
    QTest::newRow("a line's step that is none") << 5;
    QTest::newRow("no space") << 6;
    QTest::newRow("a function that is not there") << 7;
    QTest::newRow("lanes of an access") << 8;
    QTest::newRow("a register of a function that is not there") << 9;
}

void TestRecordMessages::damagedOnesAreRefused() {
    QFETCH(int, damage);
    const auto back = travelled(longRecording(), [damage](json& page, json& rest) {
        json& step = page["steps"][0];
        switch (damage) {
        case 0: step["instruction"] = 2; break;
        case 1: step["registers"][0]["register"] = 2; break;
        case 2: step["registers"][0]["lanes"] = 0xff; break;
        case 3: step["shared"][0][0] = 2; break;
        case 4: page["steps"].erase(3); break;
        case 5: rest["line_step"] = 100000; break;
        case 6: step["accesses"][0]["space"] = "nowhere"; break;
        case 7: rest["instructions"][0]["function"] = 1; break;
        case 9: rest["registers"][0]["function"] = 1; break;
        default: step["accesses"][0]["lanes"] = 0xf; break;
        }
    });
    QVERIFY(!back.ok());
    QCOMPARE(back.error().code, std::string("bad_request"));
}

KERNELARIUM_TEST(TestRecordMessages);
