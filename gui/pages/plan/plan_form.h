// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The settings of a study, as one of its workloads has them, as controls. Only what a person
// changes here is written back: a value that no control can show stays as it was read.

#include "study/study_spec.h"

#include <QMap>
#include <QSet>
#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QSpinBox;
class QToolButton;

namespace scalebench {

class FormField;
struct Workload;

class PlanForm : public QWidget
{
    Q_OBJECT
public:
    explicit PlanForm(QWidget* parent = nullptr);

    void load(const StudySpec& spec);
    /// Writes what was changed since it was loaded or stored last.
    void store(StudySpec& spec);
    /// What was typed that is no value at all; the study keeps the last good one.
    QList<Problem> problems() const;
    /// Shows the preset's values as placeholders.
    void setPreset(const QString& workload, const QString& scale);
    /// Offers what makes a difference for these workloads on the device.
    void setOffers(const QList<const Workload*>& workloads, const QString& device);
    /// Of several workloads: whose settings these are; empty: of the study.
    void setOwner(const QString& title);
    /// Paths that have values of their own below; their fields wait.
    void setVarying(const QSet<QString>& paths);
    void setNameHint(const QString& name);
    /// The data lies on this computer, where it can be looked at.
    void setDataHere(bool here);
    void setData(const QString& pathOrKind);
    QMap<QString, FormField*> fields() const { return m_fields; }
    bool oversubscribe() const;
    /// How wide it may become without scrolling.
    void setRoom(int width);

Q_SIGNALS:
    void edited();
    /// The data shall be looked at, checked or made.
    void dataWanted();

private:
    struct Switch {
        bool RunOptions::*member;
        QString path;
        QString text;
        QCheckBox* box;
    };
    /// What the controls say, where they say something.
    struct Shown {
        StudySpec spec;
        QString target, seed, learningRate;
    };

    void setupControls();
    void setupSwitches();
    void placeFields(QGridLayout* grid);
    void placeMore(QGridLayout* grid);
    void placeSwitches();
    QWidget* targetRow();
    QWidget* dataRow();
    QWidget* repeatsRow();
    void connectControls();
    FormField* add(const QString& name, const QString& label, QWidget* control,
                   const QString& hint = {});
    void browseData();
    Shown read() const;
    void storeTexts(StudySpec& spec, const Shown& now);
    void offerWords();

    QMap<QString, FormField*> m_fields;
    QMap<QString, QString> m_hints; ///< of fields, beside "varies"
    QString m_workload;             ///< whose metric the target is of
    QStringList m_usefulSwitches;   ///< of those that only some workloads have
    Shown m_shown;
    QLabel* m_owner;
    QLineEdit* m_name;
    QComboBox* m_device;
    QComboBox* m_precision;
    QComboBox* m_model;
    QComboBox* m_batchPolicy;
    QSpinBox* m_batch;
    QSpinBox* m_epochs;
    QLineEdit* m_target;
    QCheckBox* m_noTarget;
    QSpinBox* m_repeats;
    QLineEdit* m_seed;
    QSpinBox* m_threads;
    QLineEdit* m_data;
    QToolButton* m_checkData = nullptr;
    QLineEdit* m_learningRate;
    QCheckBox* m_oversubscribe;
    QComboBox* m_order;
    QSpinBox* m_retries;
    QCheckBox* m_exclusive;
    QSpinBox* m_maxMinutes;
    QCheckBox* m_stopAfterTarget;
    QComboBox* m_allreduce;
    QSpinBox* m_bucket;
    QSpinBox* m_gradAccum;
    std::vector<Switch> m_switches;
    QGridLayout* m_switchGrid = nullptr;
    int m_room = 0;
    QWidget* m_advanced;
};

} // namespace scalebench
