// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/TestRegistry.h"

#include <string>

namespace kernelarium::test {

/// Runs what the files of a test program have registered, by class name, so that the order in which they were linked
/// changes nothing:
///     test_things [part or class] [functions and options of Qt Test]
/// Where functions are named, classes that have none of them are passed over.
class TestRun {
public:
    /// To be made before the application: takes the first argument away where it is ours, and makes the environment
    /// that of all tests.
    TestRun(int& argc, char**& argv);

    /// 0 where nothing failed. `begun` is called for each class when Qt Test has taken over the messages.
    [[nodiscard]] int run(int argc, char** argv, void (*begun)() = nullptr) const;

private:
    [[nodiscard]] bool isChosen(const TestRegistry::Test& test) const;

    std::string m_chosen; ///< a part, a class or a program
    const TestRegistry::Program* m_program = nullptr;
};

} // namespace kernelarium::test
