// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <vector>

namespace kernelarium::test {

/// Test classes that main() runs; each file adds its own with one static Registered object.
inline std::vector<std::function<std::unique_ptr<QObject>()>>& perfTests() {
    static std::vector<std::function<std::unique_ptr<QObject>()>> list;
    return list;
}

template <class T> struct Registered {
    Registered() {
        perfTests().emplace_back([] { return std::make_unique<T>(); });
    }
};

} // namespace kernelarium::test
