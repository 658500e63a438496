// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QObject>

class TestSassListing : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void schedulingIsReadFromTheEncoding_data();
    void schedulingIsReadFromTheEncoding();
    void instructionsKeepTheirLines();
    void anotherFormLosesNothing();
    void theViewLinksBothWays();
    void refusalsAreShownInPlace();

private:
    kernelarium::ui::Theme m_theme;
};
