// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How many workers to use: one sentence, three numbers, two charts, why, and what would change it.

#include "analysis/advice.h"
#include "library/library.h"
#include "pages/page.h"
#include "run/study.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QVBoxLayout;

namespace scalebench {

class InlineBar;
class NumberCard;
class Session;
class StudyChoice;

class AdvicePage : public Page
{
    Q_OBJECT
public:
    explicit AdvicePage(Session* session, QWidget* parent = nullptr);

    void setStudies(const QList<StudySummary>& studies);
    /// Once the page is in front: it is read from its folder.
    void showStudy(const QString& studyDir);
    void showLoaded(const Study& study);
    void showPublished(const QString& figure);
    const Study& study() const { return m_study; }
    /// Of what is shown, or will be once the page is in front; empty: it has no folder.
    QString studyDir() const { return m_wanted.isEmpty() ? m_study.dir : m_wanted; }
    const Advice& advice() const { return m_advice; }

    InlineBar* bar() const override { return m_bar; }
    ChartPanel* currentChart() override;
    void activate() override;
    bool isSettled() const override { return !m_loading; }
    void takeOver(Page& before) override;
    ShownStudy shownStudy() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void connectSession();
    void setupEmpty();
    void setupHead(QVBoxLayout* column);
    void setupSentence(QVBoxLayout* column);
    void setupCharts(QVBoxLayout* column);
    void setupTexts(QVBoxLayout* column);
    void catchUp();
    void load(const QString& studyDir);
    void offerSeries();
    void rebuild();
    void showAdvice();
    void planNext();
    QString firstToShow() const;

    Session* m_session;
    Study m_study;
    Advice m_advice;
    QString m_wanted; ///< a study that is to be shown once the page is in front
    StudyChoice* m_choice;
    QComboBox* m_series;
    QDoubleSpinBox* m_deadline;
    QSpinBox* m_resolve;
    InlineBar* m_bar;
    QStackedWidget* m_stack;
    QLabel* m_sentence;
    QLabel* m_copiesSentence;
    QWidget* m_numbers;
    QList<NumberCard*> m_cards;
    ChartPanel* m_copies;
    ChartPanel* m_prediction;
    QLabel* m_why;
    QLabel* m_doubts;
    QWidget* m_next;
    QLabel* m_nextText;
    QPushButton* m_plan;
    int m_request = 0;
    int m_seriesWanted = -1; ///< its place, in the page of another language
    bool m_loading = false;
    bool m_stale = false;  ///< what is shown is to be worked out anew
    bool m_pinned = false; ///< the user (or the example) chose what is shown
};

} // namespace scalebench
