// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Somebody's sentence about scaling, checked while it is typed.

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;

namespace scalebench {

class ClaimDialog : public QDialog
{
    Q_OBJECT
public:
    explicit ClaimDialog(QWidget* parent = nullptr);

private:
    void check();
    void tell();

    QLineEdit* m_sentence;
    QLabel* m_figures;
    QLabel* m_missing;
    QLabel* m_fair;
    QPushButton* m_copy;
};

} // namespace scalebench
