// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A list to choose one of; a choice that does not fit ends in "…", which Qt's own cuts mid-letter.

#include <QComboBox>

namespace scalebench {

class ChoiceBox : public QComboBox
{
    Q_OBJECT
public:
    using QComboBox::QComboBox;

protected:
    void initStyleOption(QStyleOptionComboBox* option) const override;
};

} // namespace scalebench
