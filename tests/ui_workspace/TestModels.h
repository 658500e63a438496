// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

class TestModels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void kernelTableIsAModel();
    void kernelTableSortsAndFilters();
    void codeSearchFindsLines();
    void verdictTreeIsAModel();
    void diagnosticsAreAModel();
    void resourcesAreAModel();
    void colourContrast_data();
    void colourContrast();
};

} // namespace kernelarium::ui
