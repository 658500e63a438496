// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

class Actions;
class CommandPalette;
class Docks;
class EditorArea;
class FocusOrder;
class Pages;
class Bench;

/// The actions that go somewhere or show something: kernels that were open, panels, listings, the palette.
class ViewActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions& actions;
        CommandPalette& palette;
        Docks& docks;
        EditorArea& editor;
        Pages& pages;
        FocusOrder& focus;
    };
    ViewActions(Bench& bench, const Parts& parts, QObject* parent);

private:
    void addPlaces();
    void addWalks();
    void addPanels();
    void addViews();

    Bench& m_bench;
    Parts m_parts;
};

} // namespace kernelarium::ui
