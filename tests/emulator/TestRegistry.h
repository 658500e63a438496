// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <vector>

namespace kernelarium::test {

/// Test classes that main() runs. A test file adds its class with one static object:
///     const Registered<TestThings> registered;
class TestRegistry {
public:
    using Make = std::function<std::unique_ptr<QObject>()>;
    static std::vector<Make>& tests() {
        static std::vector<Make> list;
        return list;
    }
};

template <class T> struct Registered {
    Registered() {
        TestRegistry::tests().emplace_back([] { return std::make_unique<T>(); });
    }
};

} // namespace kernelarium::test
