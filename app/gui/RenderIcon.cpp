// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>
#include <cstdio>
#include <cstdlib>

/// A program of the build: the window's icon as a PNG of some pixels, for those who draw no SVG.
int main(int argc, char** argv) {
    const int pixels = argc == 4 ? std::atoi(argv[2]) : 0;
    if (pixels < 1 || pixels > 4096) {
        std::fprintf(stderr, "usage: kernelarium_render_icon ICON.svg PIXELS OUT.png\n");
        return 2;
    }
    QSvgRenderer renderer(QString::fromLocal8Bit(argv[1]));
    QImage image(pixels, pixels, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    if (renderer.isValid()) renderer.render(&painter);
    painter.end();
    if (renderer.isValid() && image.save(QString::fromLocal8Bit(argv[3]), "PNG")) return 0;
    std::fprintf(stderr, "error: %s was not drawn to %s\n", argv[1], argv[3]);
    return 1;
}
