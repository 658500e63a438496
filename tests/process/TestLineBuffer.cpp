// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/process/TestLineBuffer.h"

#include "gpu/process/LineBuffer.h"
#include "tests/TestRegistry.h"

#include <QtTest>

using kernelarium::process::LineBuffer;

void TestLineBuffer::linesAreCutWhateverTheChunks() {
    const std::string text = "first\nsecond line\n\nfourth";
    for (std::size_t size = 1; size <= text.size(); ++size) {
        LineBuffer buffer(100);
        std::vector<std::string> lines;
        for (std::size_t at = 0; at < text.size(); at += size) {
            buffer.append(std::string_view(text).substr(at, size));
            while (auto line = buffer.next())
                lines.push_back(line->text);
        }
        if (auto line = buffer.rest()) lines.push_back(line->text);
        QCOMPARE(lines, (std::vector<std::string>{"first", "second line", "", "fourth"}));
    }
}

void TestLineBuffer::longLinesAreDroppedNotKept() {
    for (const std::size_t chunk : {1, 7, 64, 1000}) {
        LineBuffer buffer(10);
        std::vector<std::pair<std::string, bool>> lines;
        const std::string text =
            "short\n" + std::string(500, 'x') + "\nlast\n" + std::string(11, 'y') + "\n0123456789\n";
        for (std::size_t at = 0; at < text.size(); at += chunk) {
            buffer.append(std::string_view(text).substr(at, chunk));
            while (auto line = buffer.next())
                lines.emplace_back(line->text, line->tooLong);
        }
        QCOMPARE(lines, (std::vector<std::pair<std::string, bool>>{
                            {"short", false}, {"", true}, {"last", false}, {"", true}, {"0123456789", false}}));
    }
}

KERNELARIUM_TEST(TestLineBuffer);
