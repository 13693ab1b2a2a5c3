// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A list to choose one of, which may be narrower than what is chosen: that ends in "…" then and is
// whole in the tooltip. Qt's own cuts it in the middle of a letter.

#include <QComboBox>

namespace scalebench {

class ChoiceBox : public QComboBox
{
    Q_OBJECT
public:
    explicit ChoiceBox(QWidget* parent = nullptr);

    /// Its list is as wide as what there is to choose, not as the box.
    void showPopup() override;

protected:
    void initStyleOption(QStyleOptionComboBox* option) const override;
    bool event(QEvent* event) override;
};

} // namespace scalebench
