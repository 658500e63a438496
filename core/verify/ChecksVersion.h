// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kernelarium::verify {

/// Which checks a verdict rests on. Raise it by one with every change after which an archived kernel may get another
/// verdict, or other reasons, from the same text and card: a check added or dropped, a tolerance, how inputs are drawn,
/// what the emulator reports. Stored verdicts of another number are shown as stale and made again by an audit.
[[nodiscard]] int checksVersion();

} // namespace kernelarium::verify
