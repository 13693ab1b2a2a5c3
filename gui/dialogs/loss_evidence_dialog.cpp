// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/loss_evidence_dialog.h"

#include "figures/run_labels.h"
#include "widgets/data_table.h"
#include "widgets/widgets.h"

#include <QDialogButtonBox>
#include <QLocale>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <cmath>

namespace scalebench {

/// How the band comes about; `band` is its id.
static QString meaningOf(const QString& band)
{
    if (band == QLatin1String("compute"))
        return LossEvidenceDialog::tr(
            "Computing a step takes more of the time than it did at the baseline.");
    if (band == QLatin1String("communication"))
        return LossEvidenceDialog::tr("Exchange between workers that no computing hides.");
    if (band == QLatin1String("straggler"))
        return LossEvidenceDialog::tr(
            "In every exchange the others wait for the worker that comes last.");
    if (band == QLatin1String("input"))
        return LossEvidenceDialog::tr("Workers wait for data.");
    if (band == QLatin1String("evaluation"))
        return LossEvidenceDialog::tr("Evaluations do not shrink as training does.");
    if (band == QLatin1String("epochs"))
        return LossEvidenceDialog::tr(
            "It takes other numbers of epochs to the target: the batch, or chance.");
    if (band == QLatin1String("rest"))
        return LossEvidenceDialog::tr("Start, checkpoints, and what no record names.");
    return LossEvidenceDialog::tr("The time that an ideal speedup would have taken.");
}

LossEvidenceDialog::LossEvidenceDialog(const ChartData& chart, int series, qsizetype point,
                                       const LossEvidence& evidence, QWidget* parent)
    : QDialog(parent), m_figures(new QStandardItemModel(this))
{
    const ChartSeries& band = chart.series[series];
    setWindowTitle(tr("What this is read from"));
    resize(560, 430);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(8);
    const QString where = chart.formatX(band.x[point]).replace(QLatin1Char('\n'), QLatin1Char(' '));
    auto* share = makeLabel(
        tr("%1: %2 of the time on %3").arg(band.name, chart.formatY(band.y[point]), where),
        "section");
    share->setObjectName(QStringLiteral("bandShare"));
    share->setWordWrap(true);
    column->addWidget(share);
    auto* meaning = makeLabel(meaningOf(band.id), "muted");
    meaning->setWordWrap(true);
    column->addWidget(meaning);
    auto* table = new DataTable(QString(), tr("Figures of the runs and of the baseline"), false);
    const int row = fill(evidence, band.id);
    table->setModel(m_figures);
    table->spreadColumns();
    if (row >= 0)
        table->selectSourceRow(row);
    column->addWidget(table, 1);
    auto* beyond = makeLabel(tr("A band is what its part takes beyond its share of an ideal "
                                "speedup; all of them and the ideal make up the whole time."),
                             "small");
    beyond->setWordWrap(true);
    column->addWidget(beyond);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    const QStringList dirs = evidence.baseline.runDirs + evidence.here.runDirs;
    auto* open = buttons->addButton(tr("&Open these runs"), QDialogButtonBox::ActionRole);
    open->setEnabled(!dirs.isEmpty()); // published ones have none
    connect(open, &QPushButton::clicked, this, [this, dirs] {
        accept();
        Q_EMIT openRuns(dirs);
    });
}

int LossEvidenceDialog::fill(const LossEvidence& evidence, const QString& band)
{
    const RowTimes &base = evidence.baseline, &here = evidence.here;
    m_figures->setHorizontalHeaderLabels({tr("Mean of the runs"),
                                          tr("%1 (baseline)").arg(workersText(base.workers)),
                                          workersText(here.workers)});
    const struct {
        const char* band;
        QString name;
        double RowTimes::*value;
        int digits;
    } figures[] = {
        {"useful", tr("time to train, s"), &RowTimes::timeS, 2},
        {"epochs", tr("epochs"), &RowTimes::epochs, 1},
        {"", tr("step, ms"), &RowTimes::stepMs, 2},
        {"compute", tr("computing, ms of a step"), &RowTimes::computeMs, 2},
        {"communication", tr("exposed exchange, ms of a step"), &RowTimes::exchangeMs, 2},
        {"straggler", tr("waiting for the slowest, ms of a step"), &RowTimes::waitMs, 2},
        {"input", tr("waiting for data, ms of a step"), &RowTimes::inputMs, 2},
        {"evaluation", tr("evaluations, s in all"), &RowTimes::evaluationS, 2},
        {"", tr("samples/s"), &RowTimes::samplesPerSecond, 1}};
    const auto text = [](double value, int digits) {
        return std::isfinite(value) ? QLocale().toString(value, 'f', digits) : QString();
    };
    int of = -1;
    const auto add = [this](const QStringList& cells) {
        QList<QStandardItem*> items;
        for (const QString& cell : cells) {
            items << new QStandardItem(cell);
            items.last()->setEditable(false);
            if (items.size() > 1)
                items.last()->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        }
        m_figures->appendRow(items);
    };
    add({tr("runs"), QString::number(base.runs), QString::number(here.runs)});
    for (const auto& figure : figures) {
        if (band == QLatin1String(figure.band))
            of = m_figures->rowCount();
        add({figure.name, text(base.*figure.value, figure.digits),
             text(here.*figure.value, figure.digits)});
    }
    return of;
}

} // namespace scalebench
