// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kernelarium::ui {

class CodeEditor;
class PromptBar;

/// What the text's commands ask in the bar under it. Editor and bar outlive the answers.
void askForLine(CodeEditor& editor, PromptBar& prompt);    ///< and goes there
void askForNewName(CodeEditor& editor, PromptBar& prompt); ///< of the name at the cursor, for all of its places

} // namespace kernelarium::ui
