// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/plan/plan_problems.h"

#include "widgets/widgets.h"

#include <QResizeEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace scalebench {

static constexpr int kMostHeight = 84;

PlanProblems::PlanProblems(QWidget* parent)
    : QScrollArea(parent),
      m_errors(makeLabel(QString(), "error")),
      m_warnings(makeLabel(QString(), "warning"))
{
    setObjectName(QStringLiteral("problems"));
    setAccessibleName(tr("Problems of the plan"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* body = new QWidget;
    body->setObjectName(QStringLiteral("scrollBody"));
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    for (QLabel* label : {m_errors, m_warnings}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(label);
    }
    column->addStretch(1);
    setWidget(body);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void PlanProblems::setProblems(const QList<Problem>& problems)
{
    QStringList errors, warnings;
    for (const Problem& problem : problems) {
        QStringList& list = problem.level == Problem::Level::Error ? errors : warnings;
        if (!list.contains(problem.message))
            list << problem.message;
    }
    m_errors->setText(errors.join(QLatin1Char('\n')));
    m_warnings->setText(warnings.join(QLatin1Char('\n')));
    m_errors->setVisible(!errors.isEmpty());
    m_warnings->setVisible(!warnings.isEmpty());
    setVisible(!errors.isEmpty() || !warnings.isEmpty());
    fit();
}

QString PlanProblems::text() const
{
    return m_errors->text() + QLatin1Char('\n') + m_warnings->text();
}

void PlanProblems::fit()
{
    int height = 0;
    const int width = std::max(100, viewport()->width());
    for (const QLabel* label : {m_errors, m_warnings})
        if (!label->text().isEmpty())
            height += label->heightForWidth(width) + 2;
    setFixedHeight(std::clamp(height, 1, kMostHeight));
    // Only what scrolls needs a place among what the keyboard reaches.
    setFocusPolicy(height > kMostHeight ? Qt::StrongFocus : Qt::NoFocus);
}

void PlanProblems::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        fit();
}

} // namespace scalebench
