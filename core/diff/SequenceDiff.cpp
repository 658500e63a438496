// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/SequenceDiff.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_set>

namespace kernelarium::diff {

namespace {

/// Edits after which a search gives up on the shortest script and takes the farthest path found.
constexpr int mostEdits = 512;

struct Box {
    int left, right; ///< of a
    int top, bottom; ///< of b
};

class Comparison {
public:
    Comparison(const std::vector<int>& a, const std::vector<int>& b, std::vector<char>& removed,
               std::vector<char>& added, const std::stop_token& stop)
        : m_a(a)
        , m_b(b)
        , m_removed(removed)
        , m_added(added)
        , m_stop(stop) {}

    /// Marks what differs inside the box. The second part is done in the loop, so that depth stays logarithmic on
    /// the ordinary path and does not grow with cut-off searches.
    void compare(Box box) {
        while (true) {
            trim(box);
            if (box.left == box.right || box.top == box.bottom || m_stop.stop_requested()) break;
            Point split{};
            if (!middle(box, split)) break;
            compare({box.left, split.x, box.top, split.y});
            box.left = split.x;
            box.top = split.y;
        }
        std::fill(m_removed.begin() + box.left, m_removed.begin() + box.right, char(1));
        std::fill(m_added.begin() + box.top, m_added.begin() + box.bottom, char(1));
    }

private:
    struct Point {
        int x, y;
    };

    void trim(Box& box) const {
        while (box.left < box.right && box.top < box.bottom && at(m_a, box.left) == at(m_b, box.top))
            ++box.left, ++box.top;
        while (box.left < box.right && box.top < box.bottom && at(m_a, box.right - 1) == at(m_b, box.bottom - 1))
            --box.right, --box.bottom;
    }

    static int at(const std::vector<int>& list, int index) { return list[std::size_t(index)]; }

    /// A point on a shortest path where searches from both corners meet; false when nothing is common.
    bool middle(const Box& box, Point& split) {
        const int n = box.right - box.left, m = box.bottom - box.top, delta = n - m;
        const int limit = std::min((n + m + 1) / 2, mostEdits);
        const int offset = limit + 1;
        m_forward.assign(std::size_t(2 * limit + 3), -1);
        m_backward.assign(std::size_t(2 * limit + 3), -1);
        m_forward[std::size_t(offset + 1)] = 0;
        m_backward[std::size_t(offset + 1)] = 0;
        for (int d = 0; d <= limit; ++d) {
            for (int k = -d; k <= d; k += 2) {
                const int x = reach(m_forward, offset, d, k, n, m,
                                    [&](int i, int j) { return at(m_a, box.left + i) == at(m_b, box.top + j); });
                const int other = delta - k; // the diagonal as seen from the far corner
                if (x < 0 || delta % 2 == 0 || std::abs(other) > d - 1) continue;
                const int back = m_backward[std::size_t(offset + other)];
                if (back >= 0 && x + back >= n) return take(box, x, x - k, split);
            }
            for (int k = -d; k <= d; k += 2) {
                const int x = reach(m_backward, offset, d, k, n, m, [&](int i, int j) {
                    return at(m_a, box.right - 1 - i) == at(m_b, box.bottom - 1 - j);
                });
                const int other = delta - k;
                if (x < 0 || delta % 2 != 0 || std::abs(other) > d) continue;
                const int ahead = m_forward[std::size_t(offset + other)];
                if (ahead >= 0 && x + ahead >= n) return take(box, n - x, m - (x - k), split);
            }
        }
        return farthest(box, offset, limit, split);
    }

    /// One step of a furthest-reaching path on diagonal k; -1 where it leaves the box.
    template <class Equal> static int reach(std::vector<int>& v, int offset, int d, int k, int n, int m, Equal equal) {
        const int below = v[std::size_t(offset + k + 1)];
        const int beside = v[std::size_t(offset + k - 1)];
        int x = k == -d || (k != d && beside < below) ? below : (beside < 0 ? -1 : beside + 1);
        const int y = x - k;
        if (x < 0 || x > n || y < 0 || y > m) return v[std::size_t(offset + k)] = -1;
        int j = y;
        while (x < n && j < m && equal(x, j))
            ++x, ++j;
        return v[std::size_t(offset + k)] = x;
    }

    bool take(const Box& box, int x, int y, Point& split) const {
        split = {box.left + x, box.top + y};
        // A corner would split nothing off: the box holds nothing common worth finding.
        return !(x == 0 && y == 0) && !(split.x == box.right && split.y == box.bottom);
    }

    bool farthest(const Box& box, int offset, int limit, Point& split) const {
        int best = 0, bestX = 0, bestY = 0;
        for (int k = -limit; k <= limit; ++k) {
            const int x = m_forward[std::size_t(offset + k)];
            if (x >= 0 && 2 * x - k > best) best = 2 * x - k, bestX = x, bestY = x - k;
        }
        return take(box, bestX, bestY, split);
    }

    const std::vector<int>& m_a;
    const std::vector<int>& m_b;
    std::vector<char>& m_removed;
    std::vector<char>& m_added;
    const std::stop_token& m_stop;
    std::vector<int> m_forward;
    std::vector<int> m_backward;
};

/// The things of `list` that occur in `other`, and where: the rest is changed for certain and only costs time.
std::vector<int> occurring(const std::vector<int>& list, const std::vector<int>& other, std::vector<char>& changed,
                           std::vector<int>& places) {
    const std::unordered_set<int> known(other.begin(), other.end());
    std::vector<int> kept;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (known.count(list[i]) == 0) {
            changed[i] = 1;
            continue;
        }
        kept.push_back(list[i]);
        places.push_back(int(i));
    }
    return kept;
}

} // namespace

std::vector<Change> sequenceDiff(const std::vector<int>& a, const std::vector<int>& b, const std::stop_token& stop) {
    std::vector<char> removed(a.size(), 0), added(b.size(), 0);
    std::vector<int> placesA, placesB;
    const std::vector<int> keptA = occurring(a, b, removed, placesA);
    const std::vector<int> keptB = occurring(b, a, added, placesB);
    std::vector<char> removedKept(keptA.size(), 0), addedKept(keptB.size(), 0);
    Comparison(keptA, keptB, removedKept, addedKept, stop).compare({0, int(keptA.size()), 0, int(keptB.size())});
    for (std::size_t i = 0; i < keptA.size(); ++i)
        if (removedKept[i] != 0) removed[std::size_t(placesA[i])] = 1;
    for (std::size_t i = 0; i < keptB.size(); ++i)
        if (addedKept[i] != 0) added[std::size_t(placesB[i])] = 1;

    std::vector<Change> changes;
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        Change change{int(i), 0, int(j), 0};
        while (i < a.size() && removed[i] != 0)
            ++i;
        while (j < b.size() && added[j] != 0)
            ++j;
        change.oldCount = int(i) - change.oldFirst;
        change.newCount = int(j) - change.newFirst;
        if (change.oldCount + change.newCount > 0) changes.push_back(change);
        if (i < a.size()) ++i;
        if (j < b.size()) ++j;
    }
    return changes;
}

} // namespace kernelarium::diff
