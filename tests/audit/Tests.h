// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kernelarium::audit {

int testVerdictStore(int argc, char** argv);
int testMerge(int argc, char** argv);
int testPlan(int argc, char** argv);
int testSummary(int argc, char** argv);
int testAuditor(int argc, char** argv);

/// Puts verdicts into a store until it is killed, and says each number that the store has acknowledged.
int putForever(const char* path);

} // namespace kernelarium::audit
