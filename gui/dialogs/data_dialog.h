// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A workload's data looked at, checked whole, or made: what `scalebench data` does. The engine
// reads it, in a process of its own, which ends with the dialog.

#include "base/result.h"
#include "study/machine_info.h"

#include <QDialog>
#include <QJsonObject>

#include <memory>

class QElapsedTimer;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QProcess;
class QProgressBar;
class QPushButton;

namespace scalebench {

class DataTable;
class KeyValueModel;
class LatestJob;

class DataDialog : public QDialog
{
    Q_OBJECT
public:
    /// `path`: what the plan says; "generated" and "synthetic" are no path.
    DataDialog(const QString& workload, const QString& scale, const QString& path,
               const MachineInfo& machine, QWidget* parent = nullptr);
    ~DataDialog() override;

    QString path() const;
    bool isBusy() const;

Q_SIGNALS:
    /// The plan shall train on it.
    void chosen(const QString& path);

private:
    void setupControls();
    void browse();
    void ask(const QString& action);
    void run(const QString& action, const Result<QJsonObject>& config);
    void onFinished(bool whole);
    void showFacts(const QJsonObject& facts);
    void say(const QString& text, const char* role);
    void stop();
    void refresh();

    QString m_workload, m_scale;
    MachineInfo m_machine;
    QLineEdit* m_path;
    QPushButton *m_look, *m_check, *m_make, *m_stop, *m_use;
    QProgressBar* m_busy;
    QLabel* m_message;
    DataTable* m_table;
    KeyValueModel* m_facts;
    QPlainTextEdit* m_problems;
    LatestJob* m_plan;
    std::unique_ptr<QProcess> m_engine;
    QString m_action; ///< of the engine
    QString m_seen;   ///< the path of which the facts are
};

} // namespace scalebench
