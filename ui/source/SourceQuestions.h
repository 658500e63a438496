// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace kernelarium::ui {

class Assignment;
class Bench;
class CodeEditor;
class Place;
class PromptBar;

/// What the text's commands ask in the bar under it. Editor and bar outlive the answers.
void askForLine(CodeEditor& editor, PromptBar& prompt);    ///< and goes there
void askForNewName(CodeEditor& editor, PromptBar& prompt); ///< of the name at the cursor, for all of its places
/// Of the kernel on the bench, and fast math, which is the target's.
void askForOptions(Bench& bench, Assignment& assignment, Place& place, PromptBar& prompt);
/// The same as one line: "--fast-math --max-registers=64"; empty where nothing is asked of the compiler.
[[nodiscard]] QString optionsLine(const Bench& bench, const Place& place);

} // namespace kernelarium::ui
