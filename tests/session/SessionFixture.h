// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/SessionStore.h"

#include <QTemporaryDir>
#include <QtTest>

namespace kernelarium::session {

/// Fails the running test with the error's text; for use inside test functions only.
#define VERIFY_OK(expression)                                                                                          \
    do {                                                                                                               \
        const auto& verified = (expression);                                                                           \
        QVERIFY2(verified.ok(), verified.ok() ? "" : verified.error().text().c_str());                                 \
    } while (false)

/// A file of its own, opened for the test.
struct SessionFixture {
    QTemporaryDir folder;
    std::filesystem::path path = folder.filePath("sessions.sqlite").toStdString();
    SessionStore store = SessionStore::open(path).value();
    std::int64_t session = store.createSession("first").value().id;

    [[nodiscard]] Attempt attempt(std::string source, std::string kernel = "L1/T19/relu@abc") const {
        Attempt attempt;
        attempt.session = session;
        attempt.kernelKey = std::move(kernel);
        attempt.kernelTitle = "relu";
        attempt.level = 1;
        attempt.task = 19;
        attempt.source = std::move(source);
        attempt.optionsJson = R"({"arch":"sm_90"})";
        return attempt;
    }
};

inline Timing timing(Timing::Origin origin, double milliseconds, std::string device = "H200",
                     std::string size = "full") {
    Timing made;
    made.origin = origin;
    made.milliseconds = milliseconds;
    made.device = std::move(device);
    made.size = std::move(size);
    return made;
}

} // namespace kernelarium::session
