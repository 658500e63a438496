// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_plots/Samples.h"

#include <QDir>

using namespace kernelarium::ui;

void keepPicture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("KERNELARIUM_PICTURES");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    QVERIFY(widget.grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png")));
}

std::vector<RooflinePoint> samplePoints() {
    const auto point = [](qint64 id, const char* label, double flops, double bytes, double seconds, Origin origin) {
        RooflinePoint p;
        p.id = id;
        p.label = QString::fromUtf8(label);
        p.flops = flops;
        p.bytes = bytes;
        p.seconds = seconds;
        p.origin = origin;
        p.byteSource = origin == Origin::modelled ? QStringLiteral("emulator sectors") : QStringLiteral("compulsory");
        p.size = QStringLiteral("full");
        return p;
    };
    std::vector<RooflinePoint> points{point(1, "archived kernel", 1.1e9, 4.3e9, 4.1e-3, Origin::archived),
                                      point(2, "archived matmul", 1.37e11, 2.0e8, 9.7e-3, Origin::archived),
                                      point(11, "attempt 1", 1.1e9, 4.3e9, 8.0e-3, Origin::modelled),
                                      point(12, "attempt 2", 1.1e9, 4.3e9, 3.1e-3, Origin::modelled),
                                      point(13, "attempt 3", 1.1e9, 4.3e9, 1.6e-3, Origin::measured),
                                      point(14, "attempt 4", 1.1e9, 4.3e9, 1.9e-3, Origin::measured),
                                      point(20, "transpose", 0, 4.3e9, 2e-3, Origin::measured)};
    points[0].device = QStringLiteral("NVIDIA H100 SXM 80GB");
    points[0].note = QStringLiteral("Published with the archive.");
    return points;
}
