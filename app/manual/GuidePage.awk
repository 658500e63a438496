# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes the manual page kernelarium-guide(7) of the help's pages.
#
#   awk -f GuidePage.awk -v version=VERSION -v out=FILE PAGE.md...
#
# Pages are in resources/help's Markdown: headings, paragraphs of a line each, lists, tables, code fenced or indented;
# bold, italic, code and links within a line. A page is a section; a link is its text, since the page it leads to is in the
# same text. Whatever else a page holds is an error, so that nothing is lost in silence.

# Running text as roff: nothing in it is taken for a request.
function plain(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/'/, "\\(aq", text)
    gsub(/`/, "\\(ga", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    return text
}

function put(line) { print line > out }

# A line of text, which a dot at its beginning would make a request.
function say(text) {
    if (substr(text, 1, 1) == ".") text = "\\&" text
    put(text)
}

function fail(what) {
    printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"
    failed = 1
    exit 1
}

function font() { return bold ? "\\fB" : italic ? "\\fI" : "\\fR" }

# Bold, italic, code and links of a line.
function words(text,    done, rest, at, end) {
    done = ""
    bold = italic = 0
    rest = text
    while (match(rest, /`|\*\*|\*|!?\[[^]]*\]\([^)]*\)/)) {
        done = done plain(substr(rest, 1, RSTART - 1))
        at = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        if (at == "`") {
            end = index(rest, "`")
            if (!end) fail("a ` without its other one")
            done = done "\\fB" plain(substr(rest, 1, end - 1)) font()
            rest = substr(rest, end + 1)
        } else if (at == "**") {
            bold = !bold
            done = done font()
        } else if (at == "*") {
            italic = !italic
            done = done font()
        } else if (at ~ /^!/) {
            fail("a picture")
        } else {
            sub(/^\[/, "", at)
            end = at
            sub(/\]\(.*/, "", at)
            sub(/^[^]]*\]\(/, "", end)
            sub(/\)$/, "", end)
            done = done plain(at) (end ~ /^https?:/ ? " <" plain(end) ">" : "")
        }
    }
    if (bold || italic) fail("an asterisk without its other one")
    return done plain(rest)
}

function endBlock() {
    if (block == "code") put(".fi\n.RE")
    block = ""
}

function begin(kind) {
    if (block == kind) return
    endBlock()
    block = kind
    if (kind == "code") put(".PP\n.RS 4\n.nf")
}

# | a | b |: the first row is the head, the second says nothing. A row becomes its first cell with the others under it,
# which fits any width, as a table does not.
function row(line,    cells, count, i, written) {
    sub(/^\| */, "", line)
    sub(/ *\| *$/, "", line)
    if (line ~ /^[-| :]*$/) return
    count = split(line, cells, / *\| */)
    if (block != "table") {
        begin("table")
        for (i = 1; i <= count; ++i) heads[i] = cells[i]
        columns = count
        return
    }
    if (count != columns) fail("a row of " count " cells in a table of " columns)
    put(".TP\n\\fB" words(cells[1]) "\\fR")
    for (i = 2; i <= count; ++i) say(words(heads[i] ": " cells[i]) (i < count ? ";" : "."))
}

BEGIN {
    put(".\\\" Made from resources/help.\n.TH KERNELARIUM\\-GUIDE 7 \"\" \"Kernelarium " plain(version) \
        "\" \"Miscellaneous\"\n.nh\n.ad l")
    put(".SH NAME\nkernelarium\\-guide \\- the help of kernelarium and kernelarium\\-cli")
    put(".SH DESCRIPTION\nThese are the pages that the window shows with F1, one after the other.")
}

FNR == 1 { endBlock(); fenced = 0 }

/^```/ {
    fenced = !fenced
    if (fenced) begin("code")
    else endBlock()
    next
}
fenced { say(plain($0)); next }
/^    / && (block == "" || block == "code") { begin("code"); say(plain(substr($0, 5))); next }
/^$/ { endBlock(); next }
{ if (block == "code") endBlock() }
/^# / { put(".SH " words(substr($0, 3))); next }
/^## / { put(".SS " words(substr($0, 4))); next }
/^#/ { fail("a heading of the third order") }
/^\|/ { row($0); next }
/^- / { begin("list"); put(".IP \\(bu 2"); say(words(substr($0, 3))); next }
/^[0-9]+\. / {
    begin("list")
    match($0, /^[0-9]+\./)
    put(".IP " substr($0, 1, RLENGTH) " 3")
    say(words(substr($0, RLENGTH + 2)))
    next
}
/^[ \t>]/ { fail("neither a paragraph nor code") }
{ begin("paragraph"); put(".PP"); say(words($0)) }

END {
    if (failed) exit 1
    endBlock()
    put(".SH SEE ALSO\nkernelarium(1),\nkernelarium\\-cli(1)")
    close(out)
}
