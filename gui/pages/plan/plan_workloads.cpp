// SPDX-License-Identifier: GPL-3.0-or-later
// The Plan page's workloads and what their runs differ in.
#include "dialogs/data_dialog.h"
#include "pages/plan/dimension_dialog.h"
#include "pages/plan/plan_edits.h"
#include "pages/plan/plan_form.h"
#include "pages/plan/plan_page.h"
#include "study/workload_catalog.h"
#include "widgets/shape_matrix.h"
#include "widgets/widgets.h"
#include "widgets/worker_matrix.h"
#include "widgets/workload_card.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace scalebench {

/// Where recipes of the user's own are, and what is wrong in them.
static QLabel* recipeNote()
{
    QStringList problems;
    for (const Failure& problem : WorkloadCatalog::instance().problems())
        problems << PlanPage::tr("Recipe left out: %1").arg(problem.message);
    const bool fine = problems.isEmpty();
    QString text = fine ? PlanPage::tr("Recipes of your own are read from %1.")
                              .arg(WorkloadCatalog::userFolder())
                        : problems.join(QLatin1Char('\n'));
    // A path is one long word; it may be broken behind each folder.
    auto* note = makeLabel(text.replace(QLatin1Char('/'), QStringLiteral("/\u200b")),
                           fine ? "small" : "warning");
    note->setObjectName(QStringLiteral("recipeNote"));
    note->setWordWrap(true);
    return note;
}

void PlanPage::setupLeft(QVBoxLayout* column)
{
    column->setContentsMargins(0, 0, 4, 0);
    column->setSpacing(8);
    column->addWidget(makeLabel(tr("1  Workload"), "section"));
    auto* all = new QPushButton(tr("A&ll workloads, 1 and 2 workers"));
    all->setObjectName(QStringLiteral("allWorkloads"));
    all->setToolTip(tr("Plans every workload at the scale desk, once with each worker count"));
    connect(all, &QPushButton::clicked, this, &PlanPage::planAllWorkloads);
    column->addWidget(all);
    for (const Workload& workload : WorkloadCatalog::instance().workloads()) {
        auto* card = new WorkloadCard(workload);
        m_cards << card;
        column->addWidget(card);
        connect(card, &WorkloadCard::chosen, this, &PlanPage::cardChosen);
        connect(card, &WorkloadCard::ticked, this, &PlanPage::cardTicked);
    }
    column->addWidget(recipeNote());
    column->addStretch(1);
}

void PlanPage::cardChosen(const QString& workload, const QString& scale)
{
    const int known = entryOf(m_spec, workload, scale);
    const int same = entryOf(m_spec, workload);
    if (m_spec.workloads.isEmpty() || (known < 0 && same >= 0)) {
        // The only workload becomes another one, or its scale another.
        const int entry = std::max(0, same);
        const StudySpec before = entrySpec(m_spec, entry);
        StudySpec after = before;
        after.workload = workload;
        after.scale = scale;
        if (before.workload == workload && before.scale == scale)
            return;
        apply(withEntryEdit(m_spec, entry, before, after), entry);
    } else if (known >= 0) {
        m_entry = known; // nothing is planned otherwise, its settings are shown
    } else {
        const StudySpec more = withWorkload(m_spec, workload, scale);
        apply(more, entryCount(more) - 1);
    }
    showSpec();
}

void PlanPage::cardTicked(const QString& workload, const QString& scale, bool on)
{
    const int entry = entryOf(m_spec, workload);
    if (on && entry < 0) {
        const StudySpec more = withWorkload(m_spec, workload, scale);
        apply(more, entryCount(more) - 1);
    } else if (!on && entry >= 0) {
        StudySpec less = m_spec;
        for (int found = entry; found >= 0 && less.workloads.size() > 1;
             found = entryOf(less, workload))
            less = withoutEntry(less, found);
        if (less != m_spec)
            apply(less, 0);
    }
    showSpec(); // the last tick stays
}

void PlanPage::planAllWorkloads()
{
    StudySpec all = allWorkloadsStudy(tr("All workloads, 1 and 2 workers"), m_machine.cores);
    apply(all, 0);
    showSpec();
}

void PlanPage::editSetting(const QString& path, bool wholeStudy)
{
    auto* dialog = new DimensionDialog(m_spec, m_entry, path, wholeStudy, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        apply(withSetting(m_spec, m_entry, dialog->isForWholeStudy(), dialog->path(),
                          dialog->values()));
        showSpec();
    });
    dialog->open();
}

void PlanPage::showData()
{
    const StudySpec entry = entrySpec(m_spec, m_entry);
    auto* dialog = new DataDialog(entry.workload, entry.scale, entry.data, m_machine, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &DataDialog::chosen, m_form, &PlanForm::setData);
    dialog->open();
}

void PlanPage::closeSetting(const QString& path, bool wholeStudy)
{
    apply(withoutSetting(m_spec, m_entry, wholeStudy, path));
    showSpec();
}

QString PlanPage::defaultName() const
{
    QStringList titles, scales, counts;
    for (const StudySpec& one : m_spec.split()) {
        const Workload* workload = WorkloadCatalog::instance().find(one.workload);
        const QString title = workload ? workload->title : one.workload;
        if (!titles.contains(title))
            titles << title;
        if (!scales.contains(one.scale))
            scales << one.scale;
    }
    const QString what = QStringLiteral("%1, %2").arg(
        titles.size() > 2 ? tr("%n workload(s)", nullptr, static_cast<int>(titles.size()))
                          : titles.join(tr(" and ")),
        scales.join(QLatin1Char('/')));
    if (m_remote) {
        const QList<Shape> shapes = m_shapes->shapes();
        for (const Shape& shape : shapes)
            counts << shape.text();
        return tr("%1, %2 on %3").arg(what, counts.join(QStringLiteral(", ")), m_spec.machine);
    }
    const QList<int> workers = m_matrix->workers();
    for (const int count : workers)
        counts << QString::number(count);
    const QString last = counts.isEmpty() ? QString() : counts.takeLast();
    return QStringLiteral("%1, %2").arg(
        what, counts.isEmpty()
                  ? tr("%n worker(s)", nullptr, last.toInt())
                  : tr("%1 and %2 workers").arg(counts.join(QStringLiteral(", ")), last));
}

} // namespace scalebench
