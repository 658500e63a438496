// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
class Validator;
} // namespace CLI

namespace kernelarium::cli {

/// Has every option of the program that takes a number refuse what CLI11 would read as another one: -1 and what has
/// more than 64 bits where a number is whole and not negative, 010 (eight), and nan and inf, which no range keeps out.
/// Called once all commands are there.
void checkNumbers(CLI::App& app);

/// Above 0; and 0 and above. In words, where CLI11's own name the greatest number that there is.
[[nodiscard]] CLI::Validator positiveNumber();
[[nodiscard]] CLI::Validator numberFromZero();

} // namespace kernelarium::cli
