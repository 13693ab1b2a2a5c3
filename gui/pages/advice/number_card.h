// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One of an advice's three numbers: the number, what it is, and what else must be known of it.

#include "analysis/advice.h"

#include <QFrame>

class QLabel;

namespace scalebench {

class NumberCard : public QFrame
{
    Q_OBJECT
public:
    explicit NumberCard(QWidget* parent = nullptr);
    void setNumber(const AdviceNumber& number);

private:
    QLabel* m_value;
    QLabel* m_label;
    QLabel* m_note;
};

} // namespace scalebench
