// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Check and installation of one target machine: table host × test, what to do about the cell that
// is chosen, and the two actions that can be done from here (trust a key, install the engine).

#include "preflight/host_keys.h"

#include <QWidget>

#include <functional>

class QLabel;
class QProgressBar;
class QPushButton;

namespace scalebench {

class CheckModel;
class DataTable;
class InlineBar;
class MachineChecks;
class Session;

class CheckPanel : public QWidget
{
    Q_OBJECT
public:
    CheckPanel(MachineChecks* checks, Session* session, QWidget* parent = nullptr);

    /// `problem`: why it cannot be checked yet; empty: it can.
    void setMachine(const TargetMachine& machine, const QString& problem);
    CheckModel* model() const { return m_model; }
    DataTable* table() const { return m_table; }
    InlineBar* detail() const { return m_detail; }
    /// Replaces the question about a key (tests).
    void setTrustQuestion(const std::function<bool(const HostKey&)>& ask) { m_askTrust = ask; }
    /// What the strip says about a cell.
    void showCell(const QModelIndex& index);

public Q_SLOTS:
    void check();
    void install();

private:
    void setupHead();
    void connectChecks();
    void refill();
    void refreshHead();
    void hideIdleColumns();
    void showCurrent();
    void showInstall();
    void explainWorkers(const QString& host);
    void fetchKey(const QString& host);
    void trust(const HostKey& key);

    MachineChecks* m_checks;
    Session* m_session;
    CheckModel* m_model;
    TargetMachine m_machine;
    QString m_problem;
    QPushButton* m_check;
    QPushButton* m_install;
    QLabel* m_chip;
    QLabel* m_text;
    QProgressBar* m_progress;
    DataTable* m_table;
    QLabel* m_hint;
    InlineBar* m_detail;
    std::function<bool(const HostKey&)> m_askTrust;
};

} // namespace scalebench
