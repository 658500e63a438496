// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"

#include <QByteArray>
#include <QHash>
#include <QMap>
#include <QString>
#include <vector>

namespace kernelarium::ui {

/// Whose text a change is taken from.
struct HunkSource {
    QString key; ///< of the kernel (Kernel::key); empty: nobody's
    QString title;
    qint64 attempt = 0; ///< whose text it was; 0: the kernel's as archived or saved

    bool operator==(const HunkSource&) const = default;
};

/// Changes that were taken from other kernels into a text and are not part of an attempt yet. Which of them a text
/// still has is told by their lines: what was undone, or written over as a whole, is forgotten; what was adapted in
/// part is still there.
class TakenHunks {
public:
    /// A change from `source` has made `after` of `before`, the text of this kernel.
    void take(const QString& kernel, const HunkSource& source, const QString& before, const QString& after);
    /// Whose changes a text of this kernel has, each once.
    [[nodiscard]] std::vector<session::OtherParent> in(const QString& kernel, const QString& text) const;
    /// They are told of by an attempt now.
    void kept(const QString& kernel, const std::vector<session::OtherParent>& parents);
    void rename(const QString& from, const QString& to); ///< the kernel's key

    [[nodiscard]] QByteArray toJson() const;
    /// What is not as expected is left out.
    [[nodiscard]] static TakenHunks fromJson(const QByteArray& json);

private:
    using Lines = QMap<QString, int>; ///< how often the text had them before, white space around them aside
    struct Hunk {
        HunkSource source;
        Lines added;   ///< those that there are more of since
        Lines removed; ///< those that there are fewer of
    };
    [[nodiscard]] static Lines linesOf(const QString& text);
    [[nodiscard]] static bool isIn(const Hunk& hunk, const Lines& lines);

    QHash<QString, std::vector<Hunk>> m_hunks;
};

} // namespace kernelarium::ui
