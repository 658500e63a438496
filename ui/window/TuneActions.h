// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

class Actions;
class Pages;
class TunePage;

/// The actions that begin, pause and end a sweep of the kernel on the bench.
class TuneActions : public QObject {
    Q_OBJECT
public:
    TuneActions(TunePage& page, Pages& pages, Actions& actions, QObject* parent);

private:
    TunePage& m_page;
    Pages& m_pages;
};

} // namespace kernelarium::ui
