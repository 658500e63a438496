// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRun.h"

#include <QTest>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string_view>

namespace kernelarium::test {

namespace {

using Arguments = std::vector<char*>;

bool takesAValue(std::string_view option) {
    for (const std::string_view known :
         {"-o", "-eventdelay", "-keydelay", "-mousedelay", "-maxwarnings", "-perfcounter", "-median", "-iterations",
          "-minimumvalue", "-minimumtotal", "-repeat"})
        if (option == known) return true;
    return false;
}

/// The arguments that name test functions: "function" or "function:row".
Arguments functionsIn(int argc, char** argv) {
    Arguments functions;
    for (int i = 1; i < argc; ++i) {
        if (argv[i][0] != '-')
            functions.push_back(argv[i]);
        else if (takesAValue(argv[i]))
            ++i;
    }
    return functions;
}

bool hasFunction(const QMetaObject& type, std::string_view function) {
    const std::string signature = std::string(function.substr(0, function.find(':'))) + "()";
    return type.indexOfMethod(signature.c_str()) >= QObject::staticMetaObject.methodCount();
}

bool isAnyOf(const Arguments& list, const char* argument) {
    return std::find(list.begin(), list.end(), argument) != list.end();
}

bool isClass(const QMetaObject& type, std::string_view name) {
    const std::string_view full = type.className();
    return full == name || (full.ends_with(name) && full.substr(0, full.size() - name.size()).ends_with("::"));
}

} // namespace

TestRun::TestRun(int& argc, char**& argv) {
    std::signal(SIGPIPE, SIG_IGN); // as in the programs
    qputenv("KERNELARIUM_HUB_RETRY_MS", "1");
    qputenv("KERNELARIUM_COMPILED", "none"); // every test compiles what it is about
    for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"})
        qunsetenv(name);
    // Qt ends a function after 300 s, which a busy machine reaches. Whoever waits for a test has a limit of his own.
    if (!qEnvironmentVariableIsSet("QTEST_FUNCTION_TIMEOUT")) qputenv("QTEST_FUNCTION_TIMEOUT", "3000000");

    const std::string first = argc > 1 ? argv[1] : "";
    const char* scale = nullptr;
    for (const auto& program : TestRegistry::programs())
        if (first == program.name) {
            m_chosen = first;
            m_program = &program;
            scale = program.scale;
        }
    for (const auto& test : TestRegistry::tests())
        if (!first.empty() && ((test.part && first == test.part) || isClass(*test.type, first))) {
            m_chosen = first;
            scale = test.scale;
        }
    if (m_chosen.empty()) return;
    if (scale) qputenv("QT_SCALE_FACTOR", scale);
    argv[1] = argv[0];
    ++argv;
    --argc;
}

bool TestRun::isChosen(const TestRegistry::Test& test) const {
    if (m_chosen.empty()) return !test.part;
    return (test.part && m_chosen == test.part) || isClass(*test.type, m_chosen);
}

int TestRun::run(int argc, char** argv, void (*begun)()) const {
    if (m_program) return m_program->run(argc, argv);
    std::vector<TestRegistry::Test> tests;
    std::copy_if(TestRegistry::tests().begin(), TestRegistry::tests().end(), std::back_inserter(tests),
                 [this](const auto& test) { return isChosen(test); });
    std::stable_sort(tests.begin(), tests.end(), [](const auto& a, const auto& b) {
        return std::string_view(a.type->className()) < b.type->className();
    });

    const Arguments functions = functionsIn(argc, argv);
    for (const char* function : functions)
        if (std::none_of(tests.begin(), tests.end(), [&](const auto& t) { return hasFunction(*t.type, function); })) {
            std::fprintf(stderr, "No test function, class or part has the name %s. The classes are:\n", function);
            for (const auto& test : TestRegistry::tests())
                std::fprintf(stderr, "    %s%s%s\n", test.type->className(), test.part ? ", part " : "",
                             test.part ? test.part : "");
            return 1;
        }

    int failures = tests.empty() ? 1 : 0; // a program without tests proves nothing
    for (const auto& test : tests) {
        Arguments arguments;
        bool named = false;
        for (int i = 0; i < argc; ++i) {
            const bool isFunction = isAnyOf(functions, argv[i]);
            if (isFunction && !hasFunction(*test.type, argv[i])) continue;
            named = named || isFunction;
            arguments.push_back(argv[i]);
        }
        if (!functions.empty() && !named) continue;
        const int count = int(arguments.size());
        arguments.push_back(nullptr);
        const std::unique_ptr<QObject> object = test.make();
        QTest::qInit(object.get(), count, arguments.data()); // qExec() by its three steps
        if (begun) begun();
        failures += QTest::qRun();
        QTest::qCleanup();
    }
    return failures == 0 ? 0 : 1;
}

} // namespace kernelarium::test
