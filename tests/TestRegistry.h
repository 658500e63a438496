// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <vector>

namespace kernelarium::test {

/// What a test program can run; each file adds its own, so that no list names them all. See TestRun for how it is run.
class TestRegistry {
public:
    struct Test {
        const QMetaObject* type;
        std::function<std::unique_ptr<QObject>()> make;
        const char* part;  ///< runs only where the first argument is this; null: runs without one
        const char* scale; ///< of the screen, where not 1
    };
    /// The other half of a test that needs a second process: runs instead of tests where the first argument is its
    /// name.
    struct Program {
        const char* name;
        int (*run)(int argc, char** argv); ///< with the rest of the arguments, argv[0] being the program still
        const char* scale;
    };

    static std::vector<Test>& tests() {
        static std::vector<Test> list;
        return list;
    }
    static std::vector<Program>& programs() {
        static std::vector<Program> list;
        return list;
    }
};

template <class T> struct Registered {
    explicit Registered(const char* part = nullptr, const char* scale = nullptr) {
        TestRegistry::tests().push_back({&T::staticMetaObject, [] { return std::make_unique<T>(); }, part, scale});
    }
};

struct RegisteredProgram {
    RegisteredProgram(const char* name, int (*run)(int, char**), const char* scale = nullptr) {
        TestRegistry::programs().push_back({name, run, scale});
    }
};

} // namespace kernelarium::test

#define KERNELARIUM_TEST_JOIN(a, b) a##b
#define KERNELARIUM_TEST_NAME(number) KERNELARIUM_TEST_JOIN(registered_, number)

/// Adds a Qt Test class to those that the program runs: KERNELARIUM_TEST(TestThings);
#define KERNELARIUM_TEST(...) static const kernelarium::test::Registered<__VA_ARGS__> KERNELARIUM_TEST_NAME(__COUNTER__)

/// Adds a class that runs only where the first argument is `part`, optionally on a screen of that scale.
#define KERNELARIUM_TEST_PART(Class, ...)                                                                              \
    static const kernelarium::test::Registered<Class> KERNELARIUM_TEST_NAME(__COUNTER__)(__VA_ARGS__)

/// Adds a function that runs instead of the tests where the first argument is its name.
#define KERNELARIUM_TEST_PROGRAM(...)                                                                                  \
    static const kernelarium::test::RegisteredProgram KERNELARIUM_TEST_NAME(__COUNTER__)(__VA_ARGS__)
