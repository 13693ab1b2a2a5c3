// SPDX-License-Identifier: GPL-3.0-or-later
// What the Advice page makes of the study it shows.
#include "analysis/advice_study.h"
#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "figures/advice_charts.h"
#include "import/published_studies.h"
#include "pages/advice/advice_page.h"
#include "pages/advice/number_card.h"
#include "pages/study_choice.h"
#include "run/run_series.h"
#include "session/session.h"
#include "session/study_library.h"
#include "widgets/inline_bar.h"
#include "work/background.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QMap>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace scalebench {

static QString asList(const QStringList& sentences)
{
    QStringList lines;
    for (const QString& sentence : sentences)
        lines << QStringLiteral("•  ") + sentence;
    return lines.join(QLatin1Char('\n'));
}

void AdvicePage::setStudies(const QList<StudySummary>& studies)
{
    m_choice->setStudies(studies);
    if (m_study.runs.isEmpty() && m_wanted.isEmpty() && !m_pinned) {
        m_wanted = firstToShow();
        catchUp();
    }
}

/// The newest one that has something to tell.
QString AdvicePage::firstToShow() const
{
    for (const StudySummary& study : m_choice->studies())
        if (study.finishedRuns > 0)
            return study.dir;
    return {};
}

void AdvicePage::showStudy(const QString& studyDir)
{
    m_pinned = true;
    m_wanted = studyDir;
    catchUp();
}

void AdvicePage::activate()
{
    m_session->library()->refresh();
}

void AdvicePage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    catchUp();
}

/// Nothing is read or worked out for a page that nobody looks at.
void AdvicePage::catchUp()
{
    if (!isVisible())
        return;
    if (const QString wanted = std::exchange(m_wanted, {}); !wanted.isEmpty())
        return load(wanted);
    if (!m_stale)
        return;
    offerSeries();
    rebuild();
}

void AdvicePage::load(const QString& studyDir)
{
    const int request = ++m_request;
    m_loading = true;
    inBackground(
        this, [studyDir] { return loadStudy(studyDir); },
        [this, request](const Result<Study>& study) {
            if (request != m_request)
                return;
            m_loading = false;
            if (study)
                showLoaded(study.value());
            else
                m_bar->showFailure(study.failure());
        });
}

void AdvicePage::showPublished(const QString& figure)
{
    showLoaded(imports::publishedStudy(figure));
    m_bar->showMessage(InlineBar::Level::Info, imports::publishedNotice());
}

void AdvicePage::showLoaded(const Study& study)
{
    ++m_request;
    m_loading = false;
    m_pinned = true;
    m_wanted.clear();
    m_study = study;
    m_bar->clear();
    for (ChartPanel* panel : {m_copies, m_prediction})
        panel->chartWidget()->setSubject(StudyChoice::keyOf(study));
    m_choice->showStudy(study);
    m_stack->setCurrentIndex(1);
    m_stale = true;
    catchUp();
    Q_EMIT shownStudyChanged();
}

/// Those with completed runs; the one that was shown stays where this study has it, too.
void AdvicePage::offerSeries()
{
    const QSignalBlocker blocker(m_series);
    const QString before = m_series->currentText();
    m_series->clear();
    const RunSeries series(m_study.runs);
    QMap<QString, QString> workloads; // by group
    for (int i = 0; i < m_study.runs.size(); ++i)
        workloads.insert(series.label(series.seriesOf(i)), m_study.runs[i].config.workload);
    for (const QString& group : adviceGroups(m_study.runs)) {
        const QString workload = workloads.value(group);
        m_series->addItem(group.isEmpty() ? workload // an imported one may tell nothing else
                          : group.contains(workload)
                              ? group
                              : QStringLiteral("%1, %2").arg(workload, group),
                          group);
    }
    const int wanted = std::exchange(m_seriesWanted, -1);
    m_series->setCurrentIndex(wanted >= 0 ? std::min(wanted, m_series->count() - 1)
                                          : std::max(0, m_series->findText(before)));
    m_series->setEnabled(m_series->count() > 1);
    m_series->setToolTip(m_series->currentText());
}

void AdvicePage::rebuild()
{
    if (m_study.id.isEmpty())
        return;
    m_stale = !isVisible();
    if (m_stale)
        return;
    AdviceQuestion question;
    askOfMachine(question, m_study, m_session->computer());
    question.deadlineS = m_deadline->value() * 60;
    question.resolve = m_resolve->value() / 100.0;
    m_advice = advise(m_study.runs, m_series->currentData().toString(), question);
    showAdvice();
}

void AdvicePage::showAdvice()
{
    m_sentence->setText(m_advice.sentence);
    m_copiesSentence->setText(m_advice.copiesSentence);
    m_copiesSentence->setVisible(!m_advice.copiesSentence.isEmpty());
    m_numbers->setVisible(m_advice.numbers.size() == m_cards.size());
    for (qsizetype i = 0; i < m_advice.numbers.size(); ++i)
        m_cards[i]->setNumber(m_advice.numbers[i]);
    const Study series = m_advice.isEmpty() ? m_study : seriesStudy(m_study, m_advice.group);
    m_prediction->setChart([this, series] { return predictionChart(series, m_advice); });
    m_copies->setChart([this, series] { return copiesChart(series, m_advice); });
    m_why->setText(asList(m_advice.why));
    m_doubts->setText(asList(m_advice.doubts));
    m_next->setVisible(m_advice.next.has_value());
    if (m_advice.next)
        m_nextText->setText(tr("Next: %1").arg(m_advice.next->text));
}

void AdvicePage::planNext()
{
    if (const auto plan = experimentPlan(m_study, m_advice))
        m_session->planStudy(*plan);
}

void AdvicePage::takeOver(Page& before)
{
    const auto& other = static_cast<const AdvicePage&>(before);
    m_wanted = other.m_wanted;
    {
        const QSignalBlocker deadline(m_deadline), resolve(m_resolve);
        m_deadline->setValue(other.m_deadline->value());
        m_resolve->setValue(other.m_resolve->value());
    }
    if (m_session->library()->isRead())
        m_choice->setStudies(m_session->library()->studies());
    m_seriesWanted = other.m_series->currentIndex();
    const QString figure = imports::publishedFigureOf(other.m_study);
    if (!figure.isEmpty()) // whose names are in the new language
        showPublished(figure);
    else if (!other.m_study.id.isEmpty())
        showLoaded(other.m_study);
    m_pinned = other.m_pinned;
}

} // namespace scalebench
