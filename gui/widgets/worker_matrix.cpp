// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/worker_matrix.h"

#include "widgets/flow_layout.h"

#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QSignalBlocker>
#include <QToolTip>

namespace scalebench {

namespace {
constexpr int kMostWorkers = 4096; ///< as a study's check has it
constexpr int kOtherSides = 22;    ///< of the field, around its text
} // namespace

WorkerMatrix::WorkerMatrix(QWidget* parent)
    : QWidget(parent), m_row(new FlowLayout(this)), m_other(new QLineEdit)
{
    for (const int count : {1, 2, 4, 8, 16})
        addButton(count);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    m_other->setObjectName(QStringLiteral("otherWorkers"));
    m_other->setPlaceholderText(tr("other: 3, 6"));
    m_other->setAccessibleName(tr("Other worker counts, with commas between them"));
    m_other->setToolTip(tr("Any other numbers of workers, for example 3, 6; Enter adds them"));
    m_other->setMaximumWidth(kOtherSides +
                             m_other->fontMetrics().horizontalAdvance(m_other->placeholderText()));
    static const QRegularExpression numbers(QStringLiteral("[0-9 ,;.]{0,60}"));
    m_other->setValidator(new QRegularExpressionValidator(numbers, m_other));
    connect(m_other, &QLineEdit::editingFinished, this, &WorkerMatrix::takeTyped);
}

void WorkerMatrix::takeTyped()
{
    static const QRegularExpression between(QStringLiteral("[ ,;]+"));
    QList<int> counts = workers();
    QStringList left; // what is no number of workers stays to be corrected
    const QStringList typed = m_other->text().split(between, Qt::SkipEmptyParts);
    for (const QString& text : typed) {
        const int count = text.toInt();
        if (count < 1 || count > kMostWorkers)
            left << text;
        else if (!counts.contains(count))
            counts << count;
    }
    m_other->setText(left.join(QStringLiteral(", ")));
    if (!left.isEmpty())
        QToolTip::showText(m_other->mapToGlobal(QPoint(0, m_other->height())),
                           tr("%1: not a whole number of workers from 1 to %2")
                               .arg(left.join(QStringLiteral(", ")))
                               .arg(kMostWorkers),
                           m_other);
    if (counts.size() == workers().size())
        return;
    setWorkers(counts);
    Q_EMIT changed();
}

QPushButton* WorkerMatrix::addButton(int count)
{
    auto* button = new QPushButton(QString::number(count));
    button->setCheckable(true);
    button->setProperty("toggle", true);
    button->setAccessibleName(tr("%n worker(s)", nullptr, count));
    connect(button, &QPushButton::toggled, this, &WorkerMatrix::changed);
    m_buttons.insert(count, button);
    // In order of the counts, for the eye and for Tab; the field stays last.
    QWidgetList inOrder(m_buttons.begin(), m_buttons.end());
    inOrder << m_other;
    QWidget* before = nullptr;
    for (QWidget* widget : std::as_const(inOrder)) {
        m_row->removeWidget(widget);
        m_row->addWidget(widget);
        if (before)
            setTabOrder(before, widget);
        before = widget;
    }
    m_row->invalidate();
    updateGeometry();
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
