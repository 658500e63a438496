// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Card.h"

#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::task {

/// Gives a card one more size from a text like "N=512" or "B=1,N=128": values of some of its symbols, the others as in
/// the size "full". The size is called like the text with the symbols in the card's order, which is the result. A size
/// of that name that is there already stays.
/// Error "bad_input": no such symbol (says which there are), one that is given twice, a value that is not from 1 to
/// 2^31 - 1, or a shape that the task's operators cannot have.
Result<std::string> addShape(Card& card, std::string_view text);

/// A card and those of its sizes that are asked for.
struct CardSizes {
    Card card;                      ///< with the shapes among its sizes
    std::vector<std::string> names; ///< those named first; each once
};
/// `named`: sizes of the card; `shapes`: as for addShape(). Errors: "bad_usage" (a size is given twice), "bad_input"
/// (no such size; addShape()).
Result<CardSizes> cardSizes(Card card, const std::vector<std::string>& named, const std::vector<std::string>& shapes);

} // namespace kernelarium::task
