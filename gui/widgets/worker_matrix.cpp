// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/worker_matrix.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>

namespace scalebench {

WorkerMatrix::WorkerMatrix(QWidget* parent) : QWidget(parent), m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(5);
    for (const int count : {1, 2, 4, 8, 16})
        addButton(count);
    m_row->addStretch(1);
}

QPushButton* WorkerMatrix::addButton(int count)
{
    auto* button = new QPushButton(QString::number(count));
    button->setCheckable(true);
    button->setProperty("toggle", true);
    button->setAccessibleName(tr("%n worker(s)", nullptr, count));
    connect(button, &QPushButton::toggled, this, &WorkerMatrix::changed);
    m_buttons.insert(count, button);
    // In order of the counts; the stretch stays last.
    m_row->insertWidget(static_cast<int>(std::distance(m_buttons.begin(), m_buttons.find(count))),
                        button);
    return button;
}

void WorkerMatrix::setLimit(int cores, bool oversubscribe, const QString& reason)
{
    m_cores = cores;
    m_oversubscribe = oversubscribe;
    m_reason = reason;
    for (int count = 32; count <= cores && count <= 256; count *= 2) {
        if (!m_buttons.contains(count))
            addButton(count);
    }
    refresh();
}

void WorkerMatrix::setWorkers(const QList<int>& workers)
{
    const QSignalBlocker blocker(this);
    for (const int count : workers) {
        if (count > 0 && !m_buttons.contains(count))
            addButton(count);
    }
    for (auto it = m_buttons.begin(); it != m_buttons.end(); ++it)
        it.value()->setChecked(workers.contains(it.key()));
    refresh();
}

QList<int> WorkerMatrix::workers() const
{
    QList<int> list;
    for (auto it = m_buttons.begin(); it != m_buttons.end(); ++it) {
        if (it.value()->isChecked())
            list << it.key();
    }
    return list;
}

void WorkerMatrix::refresh()
{
    for (auto it = m_buttons.begin(); it != m_buttons.end(); ++it) {
        const bool tooMany = m_cores > 0 && it.key() > m_cores && !m_oversubscribe;
        // A count that is ticked stays clickable, so that it can be taken away.
        it.value()->setEnabled(!tooMany || it.value()->isChecked());
        it.value()->setToolTip(tooMany ? m_reason : it.value()->accessibleName());
        it.value()->setAccessibleDescription(tooMany ? m_reason : QString());
    }
}

} // namespace scalebench
