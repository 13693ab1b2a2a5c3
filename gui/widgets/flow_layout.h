// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Items side by side, in as many lines as the width asks for.

#include <QLayout>
#include <QList>

namespace scalebench {

class FlowLayout : public QLayout
{
public:
    explicit FlowLayout(QWidget* parent = nullptr);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override;
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize minimumSize() const override;
    QSize sizeHint() const override;
    Qt::Orientations expandingDirections() const override { return {}; }
    void setGeometry(const QRect& area) override;

private:
    /// Height that the items take in this area; places them where `place` is set.
    int arrange(const QRect& area, bool place) const;

    QList<QLayoutItem*> m_items; ///< owned
};

} // namespace scalebench
