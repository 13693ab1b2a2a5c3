// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/home/study_row.h"

#include "study/workload_catalog.h"
#include "widgets/elided_label.h"
#include "widgets/widgets.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLocale>

namespace scalebench {

StudyRow::StudyRow(const StudySummary& study, QWidget* parent)
    : QPushButton(parent),
      m_name(new ElidedLabel("")),
      m_detail(makeLabel(QString(), "small")),
      m_state(new ElidedLabel(""))
{
    setProperty("choice", true);
    setMinimumHeight(52);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 6, 14, 6);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(0);
    texts->addWidget(m_name);
    texts->addWidget(m_detail);
    row->addLayout(texts, 1);
    m_state->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Maximum);
    row->addWidget(m_state);
    // Clicks belong to the row as a whole.
    const auto parts = findChildren<QWidget*>();
    for (QWidget* part : parts)
        part->setAttribute(Qt::WA_TransparentForMouseEvents);
    setStudy(study);
}

void StudyRow::setStudy(const StudySummary& study)
{
    m_dir = study.dir;
    m_active = study.active;
    const QString name = study.name.isEmpty() ? study.id : study.name;
    setAccessibleName(name);
    m_name->setFullText(name);
    const Workload* workload = WorkloadCatalog::instance().find(study.workload);
    QStringList detail{workload ? workload->title : study.workload, study.scale};
    if (study.createdMs > 0) // else no run of it can be read
        detail << QLocale().toString(QDateTime::fromMSecsSinceEpoch(study.createdMs),
                                     tr("d MMM yyyy, HH:mm"));
    m_detail->setText(detail.join(QStringLiteral(" · ")));
    const int bad = study.states.value(RunState::Failed) +
                    study.states.value(RunState::Unreadable) + study.disturbedRuns;
    m_state->setFullText(stateText(study));
    setStyleProperty(m_state, "chip",
                     study.supervised ? QStringLiteral("accent")
                     : bad > 0        ? QStringLiteral("warn")
                                      : QStringLiteral("neutral"));
    setToolTip(name + QLatin1Char('\n') + m_state->fullText()); // where they are cut
}

} // namespace scalebench
