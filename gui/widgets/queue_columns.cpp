// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/queue_columns.h"

#include "base/duration_text.h"
#include "models/run_queue_model.h"

#include <QEvent>
#include <QFontMetrics>
#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace scalebench {

namespace {

/// Of a column's head, which is bold while a cell below it is chosen.
int headWidth(const QTableView* view, int column)
{
    QFont bold(view->font());
    bold.setBold(true);
    const QString head = view->model()->headerData(column, Qt::Horizontal).toString();
    return std::max(QFontMetrics(bold).horizontalAdvance(head) + 20,
                    view->horizontalHeader()->sectionSizeHint(column));
}

QString longestText(const QTableView* view, int column)
{
    QString longest;
    for (int row = 0; row < view->model()->rowCount(); ++row) {
        const QString text = view->model()->index(row, column).data().toString();
        if (text.size() > longest.size())
            longest = text;
    }
    return longest;
}

} // namespace

QueueColumns::QueueColumns(QTableView* view) : QObject(view), m_view(view)
{
    view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view->horizontalHeader()->setStretchLastSection(false);
    view->horizontalHeader()->setSectionResizeMode(RunQueueModel::Progress, QHeaderView::Stretch);
    view->viewport()->installEventFilter(this);
}

void QueueColumns::size()
{
    const QFontMetrics metrics(m_view->font());
    const auto width = [&](int column, const QString& widest, int extra) {
        m_view->setColumnWidth(
            column, std::max(metrics.horizontalAdvance(widest) + extra, headWidth(m_view, column)));
    };
    constexpr int kPadding = 20;
    width(RunQueueModel::Run, longestText(m_view, RunQueueModel::Run), kPadding + 8);
    width(RunQueueModel::State, runStateTitle(RunState::NotConverged), kPadding + 24);
    width(RunQueueModel::Epoch, RunQueueModel::tr("%1 of %2").arg(QStringLiteral("88.8")).arg(888),
          kPadding);
    width(RunQueueModel::Quality, QStringLiteral("88.8 %"), kPadding);
    width(RunQueueModel::Throughput, QStringLiteral("88,888"), kPadding);
    width(RunQueueModel::Time, durationText(59 * 60 + 59), kPadding);
    width(RunQueueModel::Eta, durationRangeText(72), kPadding);
    width(RunQueueModel::Note, longestText(m_view, RunQueueModel::Note), kPadding);
    m_nameWidth = m_view->columnWidth(RunQueueModel::Run);
    m_noteWidth = m_view->columnWidth(RunQueueModel::Note);
    fit();
}

/// Before the progress is too narrow to be read, the note gives way, whose tooltip says it whole,
/// then the name.
void QueueColumns::fit()
{
    constexpr int kLeastProgress = 100, kLeastName = 140;
    m_view->setColumnWidth(RunQueueModel::Run, m_nameWidth);
    const bool noted = !m_view->isColumnHidden(RunQueueModel::Note);
    if (noted)
        m_view->setColumnWidth(RunQueueModel::Note, m_noteWidth);
    const auto lacking = [&] {
        int lack = kLeastProgress - m_view->viewport()->width();
        for (int column = 0; column < m_view->model()->columnCount(); ++column)
            lack += column == RunQueueModel::Progress ? 0 : m_view->columnWidth(column);
        return lack; // hidden columns have none
    };
    if (noted && lacking() > 0)
        m_view->setColumnWidth(RunQueueModel::Note, headWidth(m_view, RunQueueModel::Note));
    if (const int lack = lacking(); lack > 0)
        m_view->setColumnWidth(RunQueueModel::Run,
                               std::min(m_nameWidth, std::max(kLeastName, m_nameWidth - lack)));
}

bool QueueColumns::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && isSized())
        fit();
    return QObject::eventFilter(watched, event);
}

} // namespace scalebench
