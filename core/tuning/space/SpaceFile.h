// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/tuning/space/FileSpace.h"
#include "core/tuning/space/TunableText.h"

#include <string>
#include <string_view>

namespace kernelarium::tuning {

/// A space as a JSON file, for a text that is not to be marked. Our form:
///
///     {
///       "parameters": {
///         "TILE": [8, 16, 32],
///         "BLOCK": "128..1024 step 128",
///         "registers": [0, 64]
///       },
///       "restrictions": ["TILE * TILE <= BLOCK"],
///       "start": {"TILE": 16}
///     }
///
/// Values are a list, or a text as in a mark; `restrictions`, `start` and `rules` ("c++", or "python" for restrictions
/// by Python's arithmetic) may be left out. Kernel Tuner's T1 files are read as well (KernelTunerForm.h).
///
/// Limits: 4 MiB, 64 KiB of a restriction, and those of a marked text (SpaceText.h).
///
/// Error "bad_input": it is no JSON, nests too deeply, has a key twice or one that is not known, a name that is no name
/// of C++, values that are no list. The message names the place.
Result<FileSpace> readSpaceFile(std::string_view json);

/// The space in our form.
[[nodiscard]] std::string spaceFile(const TunableText& tunable);

} // namespace kernelarium::tuning
