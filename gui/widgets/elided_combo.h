// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A list that may be narrower than what is chosen in it, which then ends in "…" and is whole in the
// tooltip. Qt's own cuts it in the middle of a letter.

#include <QComboBox>

namespace scalebench {

class ElidedCombo : public QComboBox
{
    Q_OBJECT
public:
    explicit ElidedCombo(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString elided() const;
};

} // namespace scalebench
