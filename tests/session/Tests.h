// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kernelarium::session {

int testSessionStore(int argc, char** argv);
int testSessionFile(int argc, char** argv);
int testSessionCrash(int argc, char** argv);
int testHtmlReport(int argc, char** argv);
int testSavedSearches(int argc, char** argv);

/// Writes attempts until it is killed, printing each acknowledged number. The other half of TestSessionCrash.
int writeForever(const char* path);

} // namespace kernelarium::session
