// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonValue>
#include <QTabBar>

namespace kernelarium::ui {

class Bench;
class SessionDesk;

/// A tab for each kernel that was opened and not closed; choosing one puts it on the bench. Seen where there are two.
///
/// A kernel that is only looked at (of the archive, of a lesson) takes a tab in italics, which the next such one takes
/// over. It keeps the tab once its text is edited, its tab is double-clicked or moved, or keep() is called. The middle
/// button closes a tab; unsaved edits stay in the session, as ever. Tabs are ordered by dragging.
class KernelTabs : public QTabBar {
    Q_OBJECT
public:
    KernelTabs(Bench& bench, SessionDesk& session, QWidget* parent = nullptr);

    /// Another kernel is on the bench.
    void follow();
    /// The kernel on the bench has another key: it was saved as a file.
    void renameKey(const QString& from, const QString& to);
    /// Its edits or its title changed.
    void refresh();

    void choose(int index);
    void chooseNext(bool next); ///< going round
    void closeTab(int index);
    void keep(int index);
    [[nodiscard]] QString keyAt(int index) const { return tabData(index).toString(); }
    [[nodiscard]] bool isPreview(int index) const { return index >= 0 && keyAt(index) == m_preview; }
    /// Of the kernel on the bench; -1: it has none.
    [[nodiscard]] int currentTab() const;

    [[nodiscard]] QJsonValue saveValue() const;
    void restoreValue(const QJsonValue& value);

Q_SIGNALS:
    void closed(const QString& key); ///< or taken over
    void changed();                  ///< what saveValue() says

protected:
    QSize tabSizeHint(int index) const override;
    QSize minimumTabSizeHint(int index) const override;
    void initStyleOption(QStyleOptionTab* option, int index) const override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] int indexOf(const QString& key) const;
    void put(int index, const QString& key, const QString& title);
    void showCurrent();
    void drop(int index);

    Bench& m_bench;
    SessionDesk& m_session;
    QString m_preview; ///< its key; empty: there is none
    QString m_closing; ///< goes when another kernel is there
    int m_middle = -1; ///< the tab that the middle button went down on
    bool m_following = false;
};

} // namespace kernelarium::ui
