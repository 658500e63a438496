// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::lesson {

/// What the program checks before a step counts as done.
struct Condition {
    enum class Kind {
        verdict,      ///< the verdict is `word`
        reasonNamed,  ///< `word` is among the verdict's reasons and remarks
        reasonAbsent, ///< `word` is not
        counter,      ///< a counter, or counter / perCounter, against `bound`
        figure,       ///< `counter` is a key of figureNames(), against `bound`
        modelledTime, ///< milliseconds on `device` at `size`
        measuredTime,
        sourceContains, ///< `word`, outside comments
        sourceLacks,
        answer, ///< the number the reader gives to the question `label`, within `tolerance` of `bound`
    };
    enum class Comparison { atMost, atLeast, below, above, equal };

    Kind kind = Kind::verdict;
    Comparison comparison = Comparison::equal;
    double bound = 0;     ///< times: milliseconds
    double tolerance = 0; ///< of an answer, relative: 0.02 is 2 %
    std::string word;
    std::string counter;    ///< a key of perf::metrics(), of a figure one of figureNames()
    std::string perCounter; ///< empty: the counter itself
    std::string device;     ///< "H200": part of the device's name
    std::string size;       ///< "small", "full"
    std::string key;        ///< of an answer
    std::string label;      ///< the reader's words for what is asked; may be empty except for an answer
    int line = 0;           ///< of the lesson's file
};

/// The kernel a step works on and where it begins.
struct StepKernel {
    int level = 0; ///< of the task's card; 0: plain arguments
    int task = 0;
    std::vector<std::string> arguments; ///< of forward, as core/verify/inputs/ArgumentText.h reads them; without a task
    std::string reference;              ///< source whose result counts as right; without a task
    std::string starterName;            ///< file name
    std::string starter;                ///< source
    std::string starterVerdict = "verified"; ///< what verification finds of the starter
    std::string starterReason;               ///< and one of its reasons; may be empty
    std::string solutionName;
    std::string solution;
};

/// A step of a lesson: what is told, and what the program checks.
struct Step {
    std::string id; ///< from the title: "Read a whole sector" is read-a-whole-sector
    std::string title;
    std::string text; ///< Markdown
    bool hasKernel = false;
    StepKernel kernel;
    std::vector<std::string> hints; ///< Markdown, to be shown one after the other
    std::vector<Condition> conditions;
    int line = 0; ///< of its heading
};

/// A lesson, read.
struct Lesson {
    std::string id; ///< the folder's name; of a teacher's, "COLLECTION:FOLDER"
    std::string title;
    std::string version; ///< of its texts: another one where anything in lesson.md or its kernels is
    int minutes = 0;
    std::string difficulty; ///< "beginner", "intermediate" or "advanced"
    std::vector<std::string> learn;
    std::string introduction; ///< Markdown before the first step
    std::vector<Step> steps;
    std::string source; ///< where it was read from: "built in" or a path
};

/// Gives the text of a file beside lesson.md, or nothing.
using FileReader = std::function<std::optional<std::string>(const std::string& name)>;

} // namespace kernelarium::lesson
