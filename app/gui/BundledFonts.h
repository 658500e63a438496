// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// On a machine without fontconfig's own files (a container, a server) the portable bundle's fonts are used; elsewhere
/// nothing happens. Before the QApplication is made.
void useBundledFonts();
