// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Chooses a setting and the values that runs of a plan have of it. Wrong values are said while they
// are typed, in the launcher's words.

#include "study/study_spec.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace scalebench {

class DimensionDialog : public QDialog
{
    Q_OBJECT
public:
    /// `path` empty: to be chosen, of those that have no chip yet.
    DimensionDialog(const StudySpec& spec, int entry, const QString& path, bool wholeStudy,
                    QWidget* parent = nullptr);

    QString path() const;
    QList<QJsonValue> values() const;
    bool isForWholeStudy() const;

private:
    void setupList(const QStringList& paths);
    void setupValues();
    void filter(const QString& words);
    void showPath();
    void showChoices(const QStringList& choices);
    void check();
    /// What is wrong with the values; empty: nothing.
    QString problem() const;
    QString recipesValue() const;

    StudySpec m_spec;
    StudySpec m_view; ///< as the workload sees it
    QString m_fixed;  ///< the path where it is given
    QLineEdit* m_search;
    QListWidget* m_list;
    QLabel* m_title;
    QLabel* m_hint;
    QWidget* m_choiceRow;
    QList<QCheckBox*> m_choices;
    QLineEdit* m_values;
    QLabel* m_problem;
    QCheckBox* m_onlyHere;
    QPushButton* m_accept;
};

} // namespace scalebench
