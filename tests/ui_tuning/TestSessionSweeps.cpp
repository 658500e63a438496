// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/PointText.h"
#include "tests/TestRegistry.h"
#include "tests/ui_tuning/TuningRoom.h"
#include "ui/desks/SessionSweeps.h"

#include "gpu/protocol/Sweep.h"

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

namespace kernelarium::ui {

class TestSessionSweeps : public QObject {
    Q_OBJECT

    static std::string nameOf(const std::vector<session::ReportSweep>& sweeps, std::size_t at) {
        return at < sweeps.size() ? sweeps[at].label : std::string("none");
    }

    /// A store with three points of a marked ReLU, looked at from `when` on.
    static std::string keep(const std::filesystem::path& path, const std::string& label, std::int64_t when) {
        protocol::SweepRequest request;
        request.label = label;
        request.task = "1/19";
        auto tunable = protocol::tunableOf(markedRelu().toStdString(), {});
        if (!tunable) return tunable.error().text();
        request.tunable = std::move(*tunable);
        auto store = protocol::openSweepStore(path, request);
        if (!store) return store.error().text();
        for (std::uint64_t number = 0; number < 3; ++number) {
            tuning::Judged judged;
            judged.candidate.key = request.tunable.space.key(request.tunable.space.point(number));
            judged.outcome.kind = tuning::Outcome::Kind::valued;
            judged.outcome.value = 1e-3 * double(number + 1);
            judged.when = when + std::int64_t(number);
            if (auto kept = store->keep(judged); !kept) return kept.error().text();
        }
        return {};
    }

private Q_SLOTS:
    void thoseOfTheSessionAreToldInTheirOrder() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        QCOMPARE(keep(path / "b.sweep", "first.cu", 1000), std::string());
        QCOMPARE(keep(path / "a.sweep", "second.cu", 2000), std::string());
        QCOMPARE(keep(path / "c.sweep", "later.cu", 9000), std::string());
        QCOMPARE(keep(path / "d.sweep", "earlier.cu", 10), std::string());
        QCOMPARE(keep(path / "e.txt", "other.cu", 1500), std::string());
        const auto sweeps = sweepsBetween(path, 500, 5000, {});
        QCOMPARE(sweeps.size(), std::size_t(2));
        QCOMPARE(nameOf(sweeps, 0), std::string("first.cu"));
        QCOMPARE(nameOf(sweeps, 1), std::string("second.cu"));
        QCOMPARE(sweeps[0].points.size(), std::size_t(3));
        QCOMPARE(QString::fromStdString(sweeps[0].how), QStringLiteral("modelled on NVIDIA H200 SXM 141GB, size full"));
        const std::string html = session::sweepHtml(sweeps[0]);
        QVERIFY2(html.find("3 points by exhaustive: 3 with a time") != std::string::npos, html.c_str());
    }

    void aDamagedStoreIsSaidAndNoneIsNothing() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        QVERIFY(sweepsBetween(path / "nowhere", 0, 5000, {}).empty());
        QVERIFY(sweepsBetween(path, 0, 5000, {}).empty());
        QCOMPARE(keep(path / "whole.sweep", "whole.cu", 1000), std::string());
        std::ofstream(path / "damaged.sweep") << "{\"no\": \"header\"}\n";
        std::ofstream(path / "empty.sweep").close();
        const auto sweeps = sweepsBetween(path, 0, 5000, {});
        QCOMPARE(sweeps.size(), std::size_t(2));
        QCOMPARE(nameOf(sweeps, 0), std::string("whole.cu"));
        QCOMPARE(nameOf(sweeps, 1), std::string("damaged.sweep"));
        QVERIFY(!sweeps[1].problem.empty());
    }
};

KERNELARIUM_TEST(TestSessionSweeps);

} // namespace kernelarium::ui

#include "TestSessionSweeps.moc"
