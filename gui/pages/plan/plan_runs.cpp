// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/plan/plan_runs.h"

#include "settings/theme_manager.h"
#include "widgets/widgets.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QListView>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QResizeEvent>
#include <QStringListModel>
#include <QTextBlock>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace scalebench {

namespace {
constexpr int kMinLines = 2;
constexpr int kMaxLines = 7;
constexpr int kListLines = 5;
} // namespace

PlanRuns::PlanRuns(QWidget* parent)
    : QWidget(parent),
      m_model(new QStringListModel(this)),
      m_list(new QListView),
      m_preview(new QPlainTextEdit)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_list->setObjectName(QStringLiteral("runList"));
    m_list->setAccessibleName(tr("Runs of the plan"));
    m_list->setModel(m_model);
    m_list->setUniformItemSizes(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTabKeyNavigation(false);
    m_list->hide();
    m_preview->setObjectName(QStringLiteral("commandPreview"));
    m_preview->setReadOnly(true);
    m_preview->setProperty("mono", true);
    m_preview->setProperty("well", true);
    m_preview->setAccessibleName(tr("Commands that will run"));
    m_preview->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_preview->setTabChangesFocus(true);
    m_preview->setPlaceholderText(tr("The exact commands appear here once the plan is complete."));
    auto* copy = new QToolButton;
    copy->setProperty("outlined", true);
    copy->setIconSize({16, 16});
    copy->setToolTip(tr("Copy the commands"));
    copy->setAccessibleName(copy->toolTip());
    setThemeIcon(copy, QStringLiteral("copy"));
    row->addWidget(m_list, 2);
    row->addWidget(m_preview, 3);
    row->addWidget(copy, 0, Qt::AlignTop);
    connect(copy, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_preview->toPlainText()); });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &PlanRuns::showChosen);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, [this] {
        m_preview->clear();
        showChosen();
    });
    fit();
}

void PlanRuns::clear()
{
    setRuns({}, {}, {}, {});
}

void PlanRuns::setRuns(const QList<RunConfig>& runs, const QList<LeftOutCell>& leftOut,
                       const CommandOf& commandOf, const QString& whole)
{
    const int before = m_list->currentIndex().row();
    m_runs = runs;
    m_leftOut = leftOut;
    m_commandOf = commandOf;
    m_whole = whole;
    QStringList ids;
    for (const RunConfig& run : runs)
        ids << run.runId;
    for (const LeftOutCell& cell : leftOut)
        ids << tr("left out: %1").arg(cell.cell);
    if (ids != m_model->stringList()) {
        m_model->setStringList(ids);
        const int row = std::clamp(before, 0, std::max(0, static_cast<int>(ids.size()) - 1));
        m_list->setCurrentIndex(m_model->index(row));
        QTimer::singleShot(0, m_list, [this] { // once it is as high as it will be
            m_list->scrollTo(m_list->currentIndex());
        });
    }
    m_list->setVisible(ids.size() > 1);
    showChosen();
}

void PlanRuns::showChosen()
{
    QStringList lines;
    if (!m_whole.isEmpty())
        lines << m_whole;
    const qsizetype row = std::max(0, m_list->currentIndex().row());
    if (row < m_runs.size())
        lines << m_commandOf(m_runs[row]);
    else if (row < m_runs.size() + m_leftOut.size())
        lines << m_leftOut[row - m_runs.size()].reason;
    lines.removeDuplicates(); // of a plan of one run
    showCommands(lines);
}

void PlanRuns::showCommands(const QStringList& lines)
{
    const QString text = lines.join(QLatin1Char('\n'));
    if (m_preview->toPlainText() == text) {
        fit();
        return;
    }
    m_preview->setPlainText(text);
    // Where each of the wrapped commands begins, for the eye.
    QList<QTextEdit::ExtraSelection> marks;
    for (QTextBlock block = m_preview->document()->begin(); block.isValid(); block = block.next()) {
        static const QRegularExpression program(
            QStringLiteral("\\S*mpirun (--?np|-n) \\d+|^scalebench \\S+"));
        const auto match = program.match(block.text());
        if (!match.hasMatch())
            continue;
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.cursor.setPosition(block.position() + static_cast<int>(match.capturedStart()));
        mark.cursor.setPosition(block.position() + static_cast<int>(match.capturedEnd()),
                                QTextCursor::KeepAnchor);
        mark.format.setForeground(ThemeManager::instance().theme().accent);
        marks << mark;
    }
    m_preview->setExtraSelections(marks);
    fit();
}

void PlanRuns::fit()
{
    // As high as its wrapped lines, within limits; more of them scroll.
    const int least = m_list->isHidden() ? kMinLines : kListLines;
    const int lines =
        std::clamp(static_cast<int>(m_preview->document()->size().height()), least, kMaxLines);
    const int height = lines * m_preview->fontMetrics().lineSpacing() + 22;
    m_preview->setFixedHeight(height);
    m_list->setFixedHeight(height);
}

void PlanRuns::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    QTimer::singleShot(0, this, &PlanRuns::fit); // once the lines are wrapped anew
}

} // namespace scalebench
