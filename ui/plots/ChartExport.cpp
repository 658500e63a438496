// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/ChartExport.h"

#include "core/text/Csv.h"
#include "ui/plots/CustomPlot.h"
#include "ui/words/Words.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QFileDialog>
#include <QMenu>
#include <QPointer>
#include <QSaveFile>
#include <QSvgGenerator>

namespace kernelarium::ui {

namespace {

bool hasEnding(const QString& path, const char* ending) {
    return path.endsWith(QLatin1String(ending), Qt::CaseInsensitive);
}

void drawPlot(QCustomPlot& plot, QPaintDevice& device, QSize size) {
    QCPPainter painter;
    painter.begin(&device);
    plot.toPainter(&painter, size.width(), size.height());
    painter.end();
}

QAction* addTaking(QMenu& menu, const QString& text, const QString& toolTip, std::function<void()> take) {
    QAction* action = menu.addAction(text);
    action->setToolTip(toolTip);
    QObject::connect(action, &QAction::triggered, action, std::move(take));
    return action;
}

} // namespace

QString csvOf(const QString& table) {
    QStringList lines = table.split(QLatin1Char('\n'));
    for (QString& line : lines) {
        QStringList cells = line.split(QLatin1Char('\t'));
        for (QString& cell : cells)
            cell = QString::fromStdString(text::csvCell(cell.toStdString()));
        line = cells.join(QLatin1Char(','));
    }
    return lines.join(QLatin1Char('\n'));
}

Result<void> saveChart(const ChartContent& content, const QString& path) {
    const bool asText = hasEnding(path, ".svg") || hasEnding(path, ".csv");
    if (!asText && !hasEnding(path, ".png"))
        return Error{"bad_input", "The name of a chart's file ends in .svg, .png or .csv.", "Choose another name."};
    QSaveFile file(path);
    bool written = file.open(QIODevice::WriteOnly);
    if (written && asText) {
        const QByteArray text = (hasEnding(path, ".svg") ? content.svg() : csvOf(content.table())).toUtf8();
        written = file.write(text) == text.size();
    } else if (written) {
        written = content.picture().save(&file, "PNG");
    }
    if (written && file.commit()) return {};
    return Error{"cannot_write", "The chart could not be written to " + path.toStdString() + ".",
                 "Choose another folder.", file.errorString().toStdString()};
}

void copyPicture(const ChartContent& content) {
    QApplication::clipboard()->setImage(content.picture());
}
void copyNumbers(const ChartContent& content) {
    QApplication::clipboard()->setText(content.table());
}

void chooseChartFile(QWidget& parent, const ChartContent& content, std::function<void(const QString&)> failed) {
    auto* dialog = new QFileDialog(&parent, Words::tr("Save chart"), {},
                                   Words::tr("Vector picture (*.svg);;Picture (*.png);;Numbers (*.csv)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("svg"));
    dialog->selectFile(content.name + QStringLiteral(".svg"));
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        for (const QString& ending : {QStringLiteral("svg"), QStringLiteral("png"), QStringLiteral("csv")})
            if (filter.contains(ending)) dialog->setDefaultSuffix(ending);
    });
    QObject::connect(dialog, &QFileDialog::fileSelected, &parent, [content, failed](const QString& path) {
        if (const auto saved = saveChart(content, path); !saved) failed(QString::fromStdString(saved.error().text()));
    });
    dialog->open();
}

QString svgOfPlot(QCustomPlot& plot, QSize size, const QString& title) {
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setResolution(96);
    generator.setTitle(title);
    drawPlot(plot, generator, size);
    return QString::fromUtf8(buffer.data());
}

QImage pictureOfPlot(QCustomPlot& plot) {
    constexpr double scale = 2;
    QImage image(plot.size() * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::transparent);
    drawPlot(plot, image, plot.size());
    return image;
}

ChartContent contentOf(QCustomPlot& plot, std::function<QString()> table, const QString& name) {
    const QPointer<QCustomPlot> kept(&plot);
    return {[kept, name] { return kept ? svgOfPlot(*kept, kept->size(), name) : QString(); },
            [kept] { return kept ? pictureOfPlot(*kept) : QImage(); }, std::move(table), name};
}

void addExportActions(QMenu& menu, QCustomPlot& plot, std::function<QString()> table, const QString& name,
                      std::function<void(const QString&)> failed) {
    const ChartContent content = contentOf(plot, std::move(table), name);
    addTaking(menu, Words::tr("Copy picture"), Words::tr("Copies the plot as it is shown"),
              [content] { copyPicture(content); });
    addTaking(menu, Words::tr("Copy numbers"),
              Words::tr("Copies the plotted records as a table, cells separated by tabs"),
              [content] { copyNumbers(content); });
    const QPointer<QCustomPlot> parent(&plot);
    addTaking(menu, Words::tr("Save chart…"), Words::tr("Saves the plot as SVG or PNG, or its numbers as CSV"),
              [content, parent, failed] {
                  if (parent) chooseChartFile(*parent, content, failed);
              });
}

} // namespace kernelarium::ui
