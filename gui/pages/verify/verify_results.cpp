// SPDX-License-Identifier: GPL-3.0-or-later
// What the Verify page makes of a study and its reference.
#include "charts/chart_export.h"
#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "figures/verify_chart.h"
#include "import/published_studies.h"
#include "import/reference_check.h"
#include "models/verify_model.h"
#include "pages/study_choice.h"
#include "pages/verify/verify_page.h"
#include "report/verify_report.h"
#include "session/session.h"
#include "session/study_library.h"
#include "settings/app_settings.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"
#include "work/background.h"

#include <QBuffer>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace scalebench {

void VerifyPage::showStudy(const QString& studyDir)
{
    want(0, studyDir);
}

void VerifyPage::setReferenceStudy(const QString& studyDir)
{
    m_referencePinned = true;
    want(1, studyDir);
}

void VerifyPage::showLoaded(const Study& study)
{
    take(0, study);
}

void VerifyPage::setReference(const Study& reference)
{
    m_referencePinned = true;
    take(1, reference);
}

void VerifyPage::want(int side, const QString& studyDir)
{
    m_pinned = true;
    m_sides[side].wanted = studyDir;
    catchUp();
}

void VerifyPage::activate()
{
    m_session->library()->refresh();
}

void VerifyPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    catchUp();
}

/// Nothing is read or worked out for a page that nobody looks at.
void VerifyPage::catchUp()
{
    if (!isVisible())
        return;
    for (int side = 0; side < 2; ++side) {
        const QString wanted = std::exchange(m_sides[side].wanted, {});
        const QString figure = std::exchange(m_sides[side].figure, {});
        if (!wanted.isEmpty())
            load(side, wanted);
        else if (!figure.isEmpty())
            loadPublished(side, figure);
    }
    if (m_stale)
        rebuild();
}

void VerifyPage::load(int side, const QString& studyDir)
{
    const int request = ++m_sides[side].request;
    ++m_loading;
    inBackground(
        this, [studyDir] { return loadStudy(studyDir); },
        [this, side, request](const Result<Study>& study) {
            --m_loading;
            if (request != m_sides[side].request)
                return;
            if (study)
                take(side, study.value());
            else
                m_bar->showFailure(study.failure());
        });
}

void VerifyPage::loadPublished(int side, const QString& figure)
{
    m_sides[side].wanted.clear();
    const int request = ++m_sides[side].request;
    ++m_loading;
    inBackground(
        this, [figure] { return imports::publishedStudy(figure); },
        [this, side, request](const Study& study) {
            --m_loading;
            if (request == m_sides[side].request)
                take(side, study);
        });
}

void VerifyPage::take(int side, const Study& study)
{
    Side& taken = m_sides[side];
    ++taken.request;
    taken.wanted.clear();
    taken.figure.clear();
    taken.study = study;
    taken.choice->showStudy(study);
    m_pinned |= side == 0;
    if (side == 0)
        m_chart->chartWidget()->setSubject(StudyChoice::keyOf(study));
    if (side == 0) {
        m_points.clear();
        readRemarks();
        guessReference();
    }
    rebuild();
    Q_EMIT shownStudyChanged();
}

/// The newest other study of the same workloads, if nobody chose one.
void VerifyPage::guessReference()
{
    if (m_referencePinned || study().dir.isEmpty())
        return;
    const QList<StudySummary>& studies = m_sides[0].choice->studies();
    const auto shown =
        std::find_if(studies.begin(), studies.end(),
                     [this](const StudySummary& summary) { return summary.dir == study().dir; });
    if (shown == studies.end())
        return;
    for (const StudySummary& other : studies)
        if (other.dir != shown->dir && other.workload == shown->workload &&
            other.finishedRuns > 0) {
            m_sides[1].wanted = other.dir;
            return catchUp();
        }
}

/// The library's reference points are files.
void VerifyPage::readRemarks()
{
    const QString& chosen = m_session->library()->place().dir;
    const QString dir = chosen.isEmpty() ? Library::defaultDir() : chosen;
    const int request = m_sides[0].request;
    ++m_loading;
    inBackground(
        this, [runs = study().runs, dir] { return imports::remarksOfStoredPoints(runs, dir); },
        [this, request](const QStringList& points) {
            --m_loading;
            if (request != m_sides[0].request || points.isEmpty())
                return;
            m_points = points;
            rebuild();
        });
}

void VerifyPage::rebuild()
{
    if (study().id.isEmpty())
        return;
    m_stack->setCurrentIndex(1);
    m_stale = !isVisible();
    if (m_stale)
        return;
    m_bar->clear();
    const Study& reference = m_sides[1].study;
    if (!imports::publishedFigureOf(reference).isEmpty())
        m_bar->showMessage(InlineBar::Level::Info, imports::publishedNotice());
    m_verification = verifyRuns(study().runs, reference.runs, m_margin->value() / 100.0);
    m_verification.remarks = m_points;
    m_remarks->setText(m_points.join(QLatin1Char('\n')));
    m_remarks->setVisible(!m_points.isEmpty());
    m_summary->setText(m_verification.summary());
    m_method->setText(m_verification.method());
    m_chart->setChart([this] { return verifyChart(study(), m_verification); });
    m_model->setItems(m_verification.items);
    m_table->setVisible(!m_verification.items.isEmpty());
    const QList<int> idle = m_model->idleColumns();
    for (int column = 0; column < VerifyModel::ColumnCount; ++column)
        m_table->view()->setColumnHidden(column, idle.contains(column));
    m_table->spreadColumns();
    constexpr int kMostRows = 8;
    m_table->fitHeight(kMostRows);
    m_export->setEnabled(!m_verification.items.isEmpty());
}

void VerifyPage::chooseFolder()
{
    const QString dir = QFileDialog::getExistingDirectory(
        this, tr("Folder for verification.html and verification.pdf"),
        AppSettings::instance().lastFolder());
    if (!dir.isEmpty())
        writeReport(dir);
}

void VerifyPage::writeReport(const QString& dir)
{
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    chartImage(m_chart->chart(), ExportOptions()).save(&buffer, "PNG");
    m_export->setEnabled(false);
    ++m_loading;
    inBackground(
        this,
        [verification = m_verification, study = study(), reference = m_sides[1].study, dir, png] {
            return report::writeVerification(verification, study, reference, dir, png);
        },
        [this](const Result<report::ReportWritten>& written) {
            --m_loading;
            m_export->setEnabled(true);
            if (!written)
                return m_bar->showFailure(written.failure());
            const report::ReportWritten& done = written.value();
            m_bar->showMessage(
                done.without.isEmpty() ? InlineBar::Level::Info : InlineBar::Level::Warning,
                tr("Written to %1: %2").arg(done.folder, done.files.join(QStringLiteral(", "))),
                done.without);
        });
}

void VerifyPage::takeOver(Page& before)
{
    const auto& other = static_cast<const VerifyPage&>(before);
    m_margin->setValue(other.m_margin->value());
    m_referencePinned = true; // until both are taken over
    for (int side = 0; side < 2; ++side) {
        const Study& shown = other.m_sides[side].study;
        const QString figure = imports::publishedFigureOf(shown);
        if (!figure.isEmpty()) // whose names are in the new language
            m_sides[side].figure = figure;
        else if (!shown.id.isEmpty())
            take(side, shown);
        m_sides[side].wanted = other.m_sides[side].wanted;
        if (m_sides[side].figure.isEmpty())
            m_sides[side].figure = other.m_sides[side].figure;
    }
    m_pinned = other.m_pinned;
    m_referencePinned = other.m_referencePinned;
}

} // namespace scalebench
