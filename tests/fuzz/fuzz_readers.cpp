// SPDX-License-Identifier: GPL-3.0-or-later
//
// fuzz_readers [--seconds N] [--seed S] [READER...]: gives damaged texts to the program's readers, each for N seconds.
// Build it with the preset "asan": cmake --preset asan && cmake --build --preset asan --target fuzz_readers, then
// build/asan/bin/fuzz_readers --seconds 600 "archive file" "card in request" "child's answer". The text at work stands
// in fuzz_input.txt (zeros behind it), so that one that ends the process is at hand; `fuzz_readers --replay FILE
// [--bytes N] READER` reads it again.
#include "tests/fuzz/Mutator.h"
#include "tests/fuzz/Readers.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/mman.h>
#include <unistd.h>

using namespace kernelarium::fuzz;

namespace {

struct Options {
    double seconds = 2;
    unsigned long long seed = 1;
    std::string replay;
    std::size_t replayed = 0; ///< bytes of it; 0: all
    std::vector<std::string> names;
};

Options optionsOf(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const bool hasValue = i + 1 < argc;
        if (word == "--seconds" && hasValue)
            options.seconds = std::atof(argv[++i]);
        else if (word == "--seed" && hasValue)
            options.seed = std::strtoull(argv[++i], nullptr, 10);
        else if (word == "--replay" && hasValue)
            options.replay = argv[++i];
        else if (word == "--bytes" && hasValue)
            options.replayed = std::strtoull(argv[++i], nullptr, 10);
        else
            options.names.push_back(word);
    }
    return options;
}

bool wanted(const Options& options, const Reader& reader) {
    if (options.names.empty()) return true;
    for (const std::string& name : options.names)
        if (name == reader.name) return true;
    return false;
}

std::vector<Reader> everyReader() {
    std::vector<Reader> every = readers();
    for (auto others : {fileReaders, protocolReaders})
        for (Reader& reader : others())
            every.push_back(std::move(reader));
    return every;
}

/// The text at work, in a mapped file: it is there although the process dies in the next moment.
class Kept {
public:
    Kept() {
        const int file = ::open("fuzz_input.txt", O_RDWR | O_CREAT | O_TRUNC, 0644);
        if (file < 0 || ::ftruncate(file, size) != 0) return;
        void* mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        ::close(file);
        if (mapped != MAP_FAILED) m_bytes = static_cast<char*>(mapped);
    }
    void keep(const std::string& text) {
        if (!m_bytes) return;
        std::memset(m_bytes, 0, m_used);
        m_used = std::min<std::size_t>(text.size(), size);
        std::memcpy(m_bytes, text.data(), m_used);
    }

private:
    static constexpr std::size_t size = 1 << 20;
    char* m_bytes = nullptr;
    std::size_t m_used = 0;
};

/// False where a reader threw: readers refuse with a Result.
bool fuzz(const Reader& reader, const Options& options) {
    using Clock = std::chrono::steady_clock;
    static Kept kept;
    Mutator mutator(options.seed);
    double slowest = 0;
    unsigned long long count = 0;
    const auto start = Clock::now();
    while (std::chrono::duration<double>(Clock::now() - start).count() < options.seconds) {
        const std::string text = reader.isFile ? mutator.overwritten(reader.corpus) : mutator.mutated(reader.corpus);
        kept.keep(text);
        const auto began = Clock::now();
        try {
            reader.read(text);
        } catch (const std::exception& failure) {
            std::printf("%s threw: %s (fuzz_input.txt)\n", reader.name.c_str(), failure.what());
            return false;
        }
        slowest = std::max(slowest, std::chrono::duration<double>(Clock::now() - began).count());
        ++count;
    }
    std::printf("%-16s %9llu texts, slowest %.1f ms\n", reader.name.c_str(), count, 1000 * slowest);
    std::fflush(stdout);
    return true;
}

} // namespace

int main(int argc, char** argv) {
    const Options options = optionsOf(argc, argv);
    bool ok = true, any = false;
    for (const Reader& reader : everyReader()) {
        if (!wanted(options, reader)) continue;
        any = true;
        if (options.replay.empty()) {
            ok = fuzz(reader, options) && ok;
            continue;
        }
        std::ifstream file(options.replay, std::ios::binary);
        std::string text{std::istreambuf_iterator<char>(file), {}};
        if (options.replayed > 0) text.resize(std::min(text.size(), options.replayed));
        reader.read(text);
    }
    if (!any) std::fprintf(stderr, "error: there is no such reader.\n");
    return ok && any ? 0 : 1;
}
