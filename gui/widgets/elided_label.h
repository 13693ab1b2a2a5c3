// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A line of text that ends in "…" where it does not fit; the whole of it is in the tool tip.

#include <QLabel>

namespace scalebench {

class ElidedLabel : public QLabel
{
    Q_OBJECT
public:
    explicit ElidedLabel(const char* role, QWidget* parent = nullptr);
    void setFullText(const QString& text);
    const QString& fullText() const { return m_full; }
    void setElideMode(Qt::TextElideMode mode) { m_mode = mode; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void elide();
    int besideText() const;
    QString m_full;
    Qt::TextElideMode m_mode = Qt::ElideRight;
};

} // namespace scalebench
