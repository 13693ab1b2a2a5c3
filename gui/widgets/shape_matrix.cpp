// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/shape_matrix.h"

#include "widgets/widgets.h"

#include <QGridLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <set>

namespace scalebench {

namespace {

constexpr int kUnknownNodes = 8; ///< offered where the number is not known
constexpr int kUnknownPerNode = 8;
constexpr int kMaxSteps = 9; ///< rows and columns of a cluster of any size: 1, 2, 4 … 256

/// 1, 2, 4 … and the largest itself.
std::set<int> steps(int largest)
{
    std::set<int> values;
    for (int value = 1; value <= largest && values.size() < kMaxSteps; value *= 2)
        values.insert(value);
    if (largest <= 1 << kMaxSteps)
        values.insert(std::max(1, largest));
    return values;
}

} // namespace

ShapeMatrix::ShapeMatrix(QWidget* parent) : QWidget(parent), m_count(new QSpinBox)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(7);
    setupHelper();
    rebuild();
}

void ShapeMatrix::setupHelper()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(7);
    auto* all = new QPushButton(tr("All &ways to spread"));
    all->setObjectName(QStringLiteral("allPermutations"));
    all->setToolTip(tr("Scale-up against scale-out: the same number of workers on few and on many "
                       "nodes"));
    all->setAccessibleName(tr("Choose all ways to spread these workers over the nodes"));
    m_count->setRange(1, 1 << 16);
    m_count->setValue(4);
    m_count->setSuffix(tr(" workers"));
    m_count->setAccessibleName(tr("Workers to spread"));
    auto* none = new QPushButton(tr("Clear"));
    none->setAccessibleName(tr("Choose no shape"));
    row->addWidget(all);
    row->addWidget(m_count);
    row->addWidget(none);
    row->addStretch(1);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connect(all, &QPushButton::clicked, this, [this] { choosePermutations(m_count->value()); });
    connect(none, &QPushButton::clicked, this, [this] {
        setShapes({});
        Q_EMIT changed();
    });
}

int ShapeMatrix::maxNodes() const
{
    return m_machine.hosts.isEmpty() ? kUnknownNodes : static_cast<int>(m_machine.hosts.size());
}

int ShapeMatrix::maxPerNode() const
{
    int most = 0;
    for (const HostSlots& host : m_machine.hosts)
        most = std::max(most, host.count);
    return most > 0 ? most : kUnknownPerNode;
}

QString ShapeMatrix::reasonAgainst(const Shape& shape) const
{
    if (m_machine.hosts.isEmpty())
        return {};
    if (shape.nodes > m_machine.hosts.size())
        return tr("The machine has %n host(s).", nullptr, static_cast<int>(m_machine.hosts.size()));
    // The first hosts of the list are the ones used.
    for (int i = 0; i < shape.nodes && !m_oversubscribe; ++i) {
        const HostSlots& host = m_machine.hosts[i];
        if (host.count < shape.workersPerNode)
            return tr("%1 has %n slot(s).", nullptr, host.count).arg(host.name);
    }
    return {};
}

void ShapeMatrix::setMachine(const MachineInfo& machine, bool oversubscribe)
{
    const bool same = machine.hosts == m_machine.hosts && machine.slurm == m_machine.slurm;
    m_machine = machine;
    if (same && oversubscribe == m_oversubscribe)
        return;
    m_oversubscribe = oversubscribe;
    if (same)
        refresh();
    else
        rebuild();
}

void ShapeMatrix::rebuild()
{
    std::set<int> nodes = steps(maxNodes()), perNode = steps(maxPerNode());
    for (const Shape& shape : std::as_const(m_chosen)) {
        nodes.insert(shape.nodes);
        perNode.insert(shape.workersPerNode);
    }
    delete m_table;
    m_buttons.clear();
    m_table = new QWidget;
    m_grid = new QGridLayout(m_table);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(5);
    int column = 1;
    m_grid->addWidget(makeLabel(tr("workers per node:"), "small"), 0, 0);
    for (const int workers : perNode) {
        auto* head = makeLabel(QString::number(workers), "small");
        head->setAlignment(Qt::AlignCenter);
        m_grid->addWidget(head, 0, column++);
    }
    m_grid->setColumnStretch(column, 1);
    int row = 1;
    for (const int count : nodes) {
        m_grid->addWidget(makeLabel(tr("%n node(s)", nullptr, count), "small"), row, 0);
        column = 1;
        for (const int workers : perNode) {
            const Shape shape{count, workers};
            auto* button = new QPushButton(QString::number(shape.workers()));
            button->setCheckable(true);
            button->setProperty("toggle", true);
            button->setAccessibleName(
                tr("%1 × %2, %n worker(s)", nullptr, shape.workers()).arg(count).arg(workers));
            m_buttons.insert({count, workers}, button);
            m_grid->addWidget(button, row, column++);
            connect(button, &QPushButton::toggled, this, [this, shape](bool on) {
                m_chosen.removeAll(shape);
                if (on)
                    m_chosen << shape;
                Q_EMIT changed();
            });
        }
        ++row;
    }
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, m_table);
    refresh();
}

void ShapeMatrix::refresh()
{
    for (auto it = m_buttons.begin(); it != m_buttons.end(); ++it) {
        const Shape shape{it.key().first, it.key().second};
        QPushButton* button = it.value();
        const QSignalBlocker blocker(button);
        button->setChecked(m_chosen.contains(shape));
        const QString reason = reasonAgainst(shape);
        // What is ticked stays clickable, so that it can be taken away.
        button->setEnabled(reason.isEmpty() || button->isChecked());
        button->setToolTip(reason.isEmpty() ? button->accessibleName() : reason);
        button->setAccessibleDescription(reason);
    }
}

void ShapeMatrix::setShapes(const QList<Shape>& shapes)
{
    m_chosen = shapes;
    const bool missing = std::any_of(shapes.begin(), shapes.end(), [this](const Shape& shape) {
        return !m_buttons.contains({shape.nodes, shape.workersPerNode});
    });
    if (missing)
        rebuild();
    else
        refresh();
}

QList<Shape> ShapeMatrix::shapes() const
{
    QList<Shape> sorted = m_chosen;
    std::sort(sorted.begin(), sorted.end(), [](const Shape& a, const Shape& b) {
        return std::pair(a.workers(), a.nodes) < std::pair(b.workers(), b.nodes);
    });
    return sorted;
}

void ShapeMatrix::choosePermutations(int workers)
{
    const bool known = !m_machine.hosts.isEmpty();
    QList<Shape> fitting = shapesOf(workers, known ? maxNodes() : workers,
                                    known && !m_oversubscribe ? maxPerNode() : 0);
    fitting.removeIf([this](const Shape& shape) { return !reasonAgainst(shape).isEmpty(); });
    setShapes(fitting);
    Q_EMIT changed();
}

QPushButton* ShapeMatrix::button(const Shape& shape) const
{
    return m_buttons.value({shape.nodes, shape.workersPerNode});
}

} // namespace scalebench
