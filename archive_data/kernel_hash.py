# SPDX-License-Identifier: GPL-3.0-or-later
"""What ties a kernel's measured figures to its text; MakeStarterRows.cmake takes the same hash."""
import hashlib
import re


def code_hash(path):
    """SHA-256 (hex) of the file without its `//` comments and the blanks before them: what compiles, so that words
    about a kernel and marks for a sweep may change after it was measured."""
    return hashlib.sha256(re.sub(rb"[ \t]*//[^\n]*", b"", path.read_bytes())).hexdigest()
