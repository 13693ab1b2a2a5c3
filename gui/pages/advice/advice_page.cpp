// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/advice/advice_page.h"

#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "import/published_studies.h"
#include "pages/advice/number_card.h"
#include "pages/study_choice.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "widgets/inline_bar.h"
#include "widgets/widgets.h"
#include "work/background.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace scalebench {

namespace {
constexpr int kCards = 3;
constexpr double kMostMinutes = 100'000;
constexpr int kUsualShare = 5; ///< per cent
constexpr int kMostShare = 50;
constexpr int kAdviceChartHeight = 285;
} // namespace

AdvicePage::AdvicePage(Session* session, QWidget* parent)
    : Page(parent),
      m_session(session),
      m_choice(new StudyChoice),
      m_series(new ChoiceBox),
      m_deadline(new QDoubleSpinBox),
      m_resolve(new QSpinBox),
      m_bar(new InlineBar),
      m_stack(new QStackedWidget),
      m_sentence(makeLabel(QString(), "title")),
      m_copiesSentence(makeLabel(QString())),
      m_numbers(new QWidget),
      m_copies(new ChartPanel(tr("Copies side by side or one job"))),
      m_prediction(new ChartPanel(tr("Time to train, measured and predicted"))),
      m_why(makeLabel(QString())),
      m_doubts(makeLabel(QString())),
      m_next(makeCard()),
      m_nextText(makeLabel(QString())),
      m_plan(new QPushButton(tr("&Add to the plan")))
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);
    setupEmpty();
    QVBoxLayout* const column = addScrolledColumn(m_stack);
    setupHead(column);
    setupSentence(column);
    setupCharts(column);
    setupTexts(column);
    connectSession();
}

void AdvicePage::connectSession()
{
    followStudies(this, m_session);
    connect(m_session, &Session::computerChanged, this, [this] {
        if (!m_study.runs.isEmpty())
            rebuild(); // how many workers it has is known now
    });
}

void AdvicePage::setupEmpty()
{
    auto* plan = new QPushButton(tr("&Plan a study"));
    auto* example = new QPushButton(tr("See an e&xample"));
    addEmptyState(m_stack, tr("Nothing to advise on yet"),
                  {tr("How many workers to use follows from measured times."),
                   tr("Train a workload on two numbers of workers or more, a few "
                      "times each.")},
                  {plan, example});
    connect(plan, &QPushButton::clicked, m_session,
            [this] { m_session->showPage(page_id::kPlan); });
    connect(example, &QPushButton::clicked, this,
            [this] { showPublished(QStringLiteral("dgx1")); });
}

void AdvicePage::setupHead(QVBoxLayout* column)
{
    auto* row = new QHBoxLayout;
    const auto add = [&row](const QString& text, QWidget* control, int stretch) {
        auto* label = new QLabel(text);
        label->setBuddy(control);
        row->addWidget(label);
        row->addWidget(control, stretch);
    };
    add(tr("St&udy"), m_choice, 2);
    m_series->setObjectName(QStringLiteral("adviceSeries"));
    m_series->setAccessibleName(tr("What is trained"));
    m_series->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_series->setMinimumWidth(20 * m_series->fontMetrics().averageCharWidth());
    add(tr("&Trained"), m_series, 1);
    column->addLayout(row);
    row = new QHBoxLayout;
    m_deadline->setObjectName(QStringLiteral("adviceDeadline"));
    m_deadline->setAccessibleName(tr("A training must be done within"));
    m_deadline->setRange(0, kMostMinutes);
    m_deadline->setDecimals(1);
    m_deadline->setSpecialValueText(tr("no limit"));
    m_deadline->setSuffix(tr(" min"));
    m_deadline->setKeyboardTracking(false);
    add(tr("To be &done in"), m_deadline, 0);
    row->addSpacing(12);
    m_resolve->setObjectName(QStringLiteral("adviceResolve"));
    m_resolve->setAccessibleName(tr("A difference to be told from chance"));
    m_resolve->setRange(1, kMostShare);
    m_resolve->setValue(kUsualShare);
    m_resolve->setSuffix(tr(" %"));
    m_resolve->setKeyboardTracking(false);
    add(tr("Differences that &matter, from"), m_resolve, 0);
    row->addStretch(1);
    column->addLayout(row);
    column->addWidget(m_bar);
    connect(m_choice, &StudyChoice::studyChosen, this, &AdvicePage::load);
    connect(m_choice, &StudyChoice::publishedChosen, this, &AdvicePage::showPublished);
    connect(m_series, &QComboBox::activated, this, &AdvicePage::rebuild);
    connect(m_series, &QComboBox::currentTextChanged, m_series, &QWidget::setToolTip);
    connect(m_deadline, &QDoubleSpinBox::valueChanged, this, &AdvicePage::rebuild);
    connect(m_resolve, &QSpinBox::valueChanged, this, &AdvicePage::rebuild);
}

void AdvicePage::setupSentence(QVBoxLayout* column)
{
    m_sentence->setObjectName(QStringLiteral("adviceSentence"));
    m_sentence->setAccessibleName(tr("Advice"));
    m_copiesSentence->setObjectName(QStringLiteral("adviceCopies"));
    for (QLabel* label : {m_sentence, m_copiesSentence}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(label);
    }
    auto* row = new QHBoxLayout(m_numbers);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(9);
    for (int i = 0; i < kCards; ++i) {
        m_cards << new NumberCard;
        row->addWidget(m_cards.last(), 1);
    }
    column->addWidget(m_numbers);
}

void AdvicePage::setupCharts(QVBoxLayout* column)
{
    auto* grid = new QGridLayout;
    grid->setSpacing(9);
    grid->addWidget(m_prediction, 0, 0);
    grid->addWidget(m_copies, 0, 1);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    grid->setRowMinimumHeight(0, kAdviceChartHeight);
    column->addLayout(grid, 1);
}

void AdvicePage::setupTexts(QVBoxLayout* column)
{
    auto* next = new QHBoxLayout(m_next);
    next->setContentsMargins(14, 9, 14, 9);
    m_nextText->setObjectName(QStringLiteral("adviceNext"));
    m_nextText->setWordWrap(true);
    m_plan->setObjectName(QStringLiteral("adviceToPlan"));
    m_plan->setProperty("primary", true);
    next->addWidget(m_nextText, 1);
    next->addWidget(m_plan);
    connect(m_plan, &QPushButton::clicked, this, &AdvicePage::planNext);
    column->addWidget(m_next);
    auto* texts = new QGridLayout;
    texts->setHorizontalSpacing(24);
    const struct {
        QLabel* text;
        QString title;
    } parts[] = {{m_why, tr("Why")}, {m_doubts, tr("What would change it")}};
    for (int i = 0; i < 2; ++i) {
        QLabel* text = parts[i].text;
        text->setAccessibleName(parts[i].title);
        text->setWordWrap(true);
        text->setAlignment(Qt::AlignTop | Qt::AlignLeading);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        texts->addWidget(makeLabel(parts[i].title, "section"), 0, i);
        texts->addWidget(text, 1, i);
        texts->setColumnStretch(i, 1);
    }
    m_why->setObjectName(QStringLiteral("adviceWhy"));
    m_doubts->setObjectName(QStringLiteral("adviceDoubts"));
    column->addLayout(texts);
}

ChartPanel* AdvicePage::currentChart()
{
    return m_copies->isAncestorOf(focusWidget()) ? m_copies : m_prediction;
}

/// Published results have no folder.
ShownStudy AdvicePage::shownStudy() const
{
    return {m_study.dir, m_study.runs.isEmpty() ? std::nullopt : std::optional(m_study)};
}

} // namespace scalebench
