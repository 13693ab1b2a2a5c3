// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The exact commands of a plan: of all of it, and of the run that is chosen in a list.

#include "study/run_config.h"
#include "study/study_cells.h"

#include <QWidget>

#include <functional>

class QListView;
class QPlainTextEdit;
class QStringListModel;

namespace scalebench {

class PlanRuns : public QWidget
{
    Q_OBJECT
public:
    /// A line each: what runs this cell alone, and what that starts.
    using CommandOf = std::function<QStringList(const RunConfig&)>;

    explicit PlanRuns(QWidget* parent = nullptr);
    /// Behind the runs stand the cells that are left out; one that is chosen says why.
    /// `whole`: the command that runs all of the plan; empty: there is none.
    void setRuns(const QList<RunConfig>& runs, const QList<LeftOutCell>& leftOut,
                 const CommandOf& commandOf, const QString& whole);
    void clear();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showChosen();
    void showCommands(const QStringList& lines);
    void fit();

    QList<RunConfig> m_runs;
    QList<LeftOutCell> m_leftOut;
    CommandOf m_commandOf;
    QString m_whole;
    QStringListModel* m_model;
    QListView* m_list;
    QPlainTextEdit* m_preview;
};

} // namespace scalebench
