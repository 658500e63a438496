// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/EditorMark.h"

#include <QObject>
#include <vector>

namespace kernelarium::ui {

class Bench;
class CodeEditor;
class CompileDesk;
class ProfileDesk;
class RunDesk;
class Settings;
class TidyDesk;

/// The marks in the editor's margin: what compiler, verification and clang-tidy say of the text as it is.
class SourceMarks : public QObject {
    Q_OBJECT
public:
    /// What the marks are made of; all outlive them.
    struct Around {
        Bench& bench;
        CompileDesk& compiler;
        RunDesk& runner;
        ProfileDesk& profiles;
        TidyDesk& tidy;
        Settings& settings;
    };
    SourceMarks(const Around& around, CodeEditor& editor, QObject* parent);

    void refresh();

private:
    void addAdvice(std::vector<EditorMark>& marks) const;

    Around m_with;
    CodeEditor& m_editor;
};

} // namespace kernelarium::ui
