// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_archive/Rows.h"

#include "tests/archive/DuckDbWriter.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace kernelarium::ui {

QByteArray madeRows(int count, int first) {
    QByteArray rows;
    for (int i = first; i < first + count; ++i) {
        const int code = i % 10 == 9 ? i - 1 : i;
        QJsonObject row;
        row[QStringLiteral("Op_Name")] = QStringLiteral("1_Add_things");
        row[QStringLiteral("Level_ID")] = 1 + i % 3;
        row[QStringLiteral("Task_ID")] = 1 + i % 7;
        row[QStringLiteral("Kernel_Name")] = QStringLiteral("made_%1").arg(i);
        row[QStringLiteral("CUDA_Runtime")] = 0.5 + i % 11;
        row[QStringLiteral("CUDA_Speedup_Native")] = 0.25 * (i % 13);
        row[QStringLiteral("Correct")] = i % 13 != 0;
        row[QStringLiteral("CUDA_Code")] =
            QStringLiteral("__global__ void made(float* x) { x[threadIdx.x] += %1; }%2\n")
                .arg(code)
                .arg(i == code ? QString() : QStringLiteral(" // again"));
        rows += QJsonDocument(row).toJson(QJsonDocument::Compact) + '\n';
    }
    return rows;
}

QString writeParquet(const QString& lines, const QString& parquet) {
    const QString sql =
        QStringLiteral("COPY (SELECT * FROM read_json('%1', format = 'newline_delimited')) TO '%2' (FORMAT parquet)");
    return QString::fromStdString(duckDbRun(sql.arg(lines, parquet).toStdString()));
}

} // namespace kernelarium::ui
