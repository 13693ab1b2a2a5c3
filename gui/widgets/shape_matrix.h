// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Nodes × workers per node as toggle buttons, each showing its workers in all; shapes that the
// hosts cannot hold are disabled, with the reason. One helper picks every way to spread a count.

#include "study/machine_info.h"
#include "study/study_spec.h"

#include <QMap>
#include <QWidget>

class QGridLayout;
class QPushButton;
class QSpinBox;

namespace scalebench {

class ShapeMatrix : public QWidget
{
    Q_OBJECT
public:
    explicit ShapeMatrix(QWidget* parent = nullptr);

    /// What the machine's hosts hold; with Slurm nothing is known to be too much.
    void setMachine(const MachineInfo& machine, bool oversubscribe);
    void setShapes(const QList<Shape>& shapes);
    /// Fewest workers first, then fewest nodes: the order of the runs.
    QList<Shape> shapes() const;
    /// All ways to spread `workers`, in place of what was chosen.
    void choosePermutations(int workers);
    QPushButton* button(const Shape& shape) const;

Q_SIGNALS:
    void changed();

private:
    void setupHelper();
    void rebuild();
    void refresh();
    int maxNodes() const;
    int maxPerNode() const;
    /// Why the hosts cannot hold it; empty: they can.
    QString reasonAgainst(const Shape& shape) const;

    MachineInfo m_machine;
    bool m_oversubscribe = false;
    QList<Shape> m_chosen;
    QMap<std::pair<int, int>, QPushButton*> m_buttons;
    QWidget* m_table = nullptr;
    QGridLayout* m_grid = nullptr;
    QSpinBox* m_count;
};

} // namespace scalebench
