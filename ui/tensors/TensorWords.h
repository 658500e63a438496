// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensorview/Query.h"

#include <QString>

namespace kernelarium::ui {

// How tensors, their elements and who wrote these are called.

/// "0.25", "-1.5e-07", "NaN", "∞"; of a type of whole numbers all digits: "1234567"
[[nodiscard]] QString elementText(double value, tensor::DType dtype = tensor::DType::Float32, int digits = 6);
[[nodiscard]] QString indexText(const tensor::Shape& index);       ///< "[3, 5]"
[[nodiscard]] QString subjectText(const tensorview::Entry& entry); ///< "Output 0", "Input 1: weight"
[[nodiscard]] QString shapeText(const tensorview::Entry& entry);   ///< "float32 [64, 128]"
/// "8,192 elements · 2 NaN · -3.1 to 3.2 · mean 0.01 · deviation 1.2"
[[nodiscard]] QString figuresText(const tensorview::Statistics& statistics,
                                  tensor::DType dtype = tensor::DType::Float32);
/// Who it was, without the line: "twice, launch 1, block (0, 0, 0), thread (3, 0, 0)".
[[nodiscard]] QString writerText(const verify::WriterInfo& writer);
/// A sentence or two: value, last writer, how many stores there were.
[[nodiscard]] QString storyText(const tensorview::Story& story, tensor::DType dtype = tensor::DType::Float32);
/// One store a line, the last ones: what was there, what it left, who it was.
[[nodiscard]] QString historyText(const tensorview::Story& story, tensor::DType dtype = tensor::DType::Float32);

} // namespace kernelarium::ui
