// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tags and a note of one study.

#include "library/annotations.h"

#include <QDialog>

class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace scalebench {

class AnnotationDialog : public QDialog
{
    Q_OBJECT
public:
    /// `known`: tags that other studies have, to complete what is typed.
    AnnotationDialog(const QString& study, const Annotation& annotation, const QStringList& known,
                     QWidget* parent = nullptr);

    Annotation annotation() const;

private:
    void check();

    QLineEdit* m_tags;
    QPlainTextEdit* m_note;
    QLabel* m_problem;
    QDialogButtonBox* m_buttons;
};

} // namespace scalebench
