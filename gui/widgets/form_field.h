// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A control with its label above and, when something is wrong with it, the message below.

#include <QWidget>

class QLabel;

namespace scalebench {

class FormField : public QWidget
{
    Q_OBJECT
public:
    FormField(const QString& label, QWidget* control, const QString& hint = {},
              QWidget* parent = nullptr);

    void setMessage(const QString& text, bool error);
    QString message() const;
    void setHint(const QString& hint);
    /// Without its shortcut's mark.
    QString label() const;
    QWidget* control() const { return m_control; }

private:
    QWidget* m_control;
    QLabel* m_label;
    QLabel* m_message;
    QString m_hint;
};

} // namespace scalebench
