// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

struct HeldTheme {
    kernelarium::ui::Theme theme;
};

/// A test class that is made with a theme, in this one.
template <class Test, kernelarium::ui::Theme::Choice choice> class InTheme : HeldTheme, public Test {
public:
    InTheme()
        : Test(theme) {
        theme.setChoice(choice);
    }
};
