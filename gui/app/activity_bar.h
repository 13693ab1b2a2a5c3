// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The left bar: one button per page.

#include <QFrame>

class QActionGroup;
class QVBoxLayout;

namespace scalebench {

class ActivityBar : public QFrame
{
    Q_OBJECT
public:
    explicit ActivityBar(QWidget* parent = nullptr);
    /// The button mirrors the (checkable) action; `icon` follows the theme.
    void addPage(QAction* action, const QString& icon);

private:
    QVBoxLayout* m_column;
};

} // namespace scalebench
