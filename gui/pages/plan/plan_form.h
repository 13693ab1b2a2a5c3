// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The settings of a study as controls. Reading and writing a StudySpec, nothing else.

#include "launcher/study_spec.h"

#include <QMap>
#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace scalebench {

class FormField;
struct WorkloadScale;

class PlanForm : public QWidget
{
    Q_OBJECT
public:
    explicit PlanForm(QWidget* parent = nullptr);

    void load(const StudySpec& spec);
    void store(StudySpec& spec) const;
    /// Shows the preset's values as placeholders.
    void setPreset(const QString& workload, const WorkloadScale* scale);
    void setNameHint(const QString& name);
    QMap<QString, FormField*> fields() const { return m_fields; }
    bool oversubscribe() const;

Q_SIGNALS:
    void edited();

private:
    void setupControls();
    void setupAdvanced();
    void placeFields();
    void connectControls();
    FormField* add(const QString& name, const QString& label, QWidget* control,
                   const QString& hint = {});
    void browseData();

    QMap<QString, FormField*> m_fields;
    QString m_workload; ///< whose metric the target is of
    QLineEdit* m_name;
    QComboBox* m_device;
    QComboBox* m_precision;
    QComboBox* m_batchPolicy;
    QSpinBox* m_batch;
    QSpinBox* m_epochs;
    QLineEdit* m_target;
    QCheckBox* m_noTarget;
    QSpinBox* m_repeats;
    QLineEdit* m_seed;
    QSpinBox* m_threads;
    QLineEdit* m_data;
    QLineEdit* m_learningRate;
    QCheckBox* m_oversubscribe;
    QComboBox* m_order;
    QSpinBox* m_retries;
    QCheckBox* m_exclusive;
    QComboBox* m_allreduce;
    QSpinBox* m_bucket;
    QSpinBox* m_gradAccum;
    std::vector<std::pair<bool RunOptions::*, QCheckBox*>> m_switches;
    QWidget* m_advanced;
};

} // namespace scalebench
