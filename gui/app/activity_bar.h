// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The left bar: one button per page. Where it is too low for the names, the icons alone.

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
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void setNamed(bool named);
    QVBoxLayout* m_column;
    bool m_named = true;
    int m_namedHeight = 0; ///< that all the names need
};

} // namespace scalebench
