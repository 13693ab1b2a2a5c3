// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The columns of a table of RunQueueModel: as wide as the widest text each will ever hold, so that
// nothing moves or is cut while a run goes on; what is left is the progress'.

#include <QObject>

class QTableView;

namespace scalebench {

class QueueColumns : public QObject
{
    Q_OBJECT
public:
    /// Of a view that has its model, and lives as long as this.
    explicit QueueColumns(QTableView* view);
    /// For the runs that are there now.
    void size();
    bool isSized() const { return m_nameWidth > 0; }

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();

    QTableView* m_view;
    int m_nameWidth = 0, m_noteWidth = 0; ///< where there is room; 0: not measured
};

} // namespace scalebench
