// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/verify/verify_page.h"

#include "charts/chart_panel.h"
#include "import/published_studies.h"
#include "models/verify_model.h"
#include "pages/study_choice.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"
#include "widgets/widgets.h"

#include <QHeaderView>
#include <QLabel>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace scalebench {

namespace {
constexpr int kUsualMargin = 5; ///< per cent
constexpr int kMostMargin = 50;
constexpr int kVerifyChartHeight = 300;
constexpr int kUsualReferences = 0; ///< of imports::publishedStudies()
} // namespace

VerifyPage::VerifyPage(Session* session, QWidget* parent)
    : Page(parent),
      m_session(session),
      m_sides{{new StudyChoice}, {new StudyChoice(StudyChoice::Published::All)}},
      m_margin(new QSpinBox),
      m_export(new QPushButton(tr("Rep&ort…"))),
      m_bar(new InlineBar),
      m_stack(new QStackedWidget),
      m_summary(makeLabel(QString(), "title")),
      m_remarks(makeLabel(QString())),
      m_method(makeLabel(QString(), "muted")),
      m_chart(new ChartPanel(tr("Speed over the reference's"))),
      m_model(new VerifyModel(this)),
      m_table(new DataTable(QString(), tr("Verified items"), false))
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);
    setupEmpty();
    QVBoxLayout* const column = addScrolledColumn(m_stack);
    setupHead(column);
    setupBody(column);
    connectSession();
}

void VerifyPage::connectSession()
{
    const StudyLibrary* library = m_session->library();
    const LiveStudy* live = m_session->live();
    const auto refresh = [this, library] {
        for (Side& side : m_sides)
            side.choice->setStudies(library->studies());
        const QList<StudySummary>& studies = m_sides[0].choice->studies();
        if (m_pinned || studies.isEmpty() || !m_sides[0].study.id.isEmpty())
            return;
        m_sides[0].wanted = studies.first().dir;
        catchUp();
    };
    connect(library, &StudyLibrary::changed, this, refresh);
    connect(live, &LiveStudy::finished, this, [this, live] { showLoaded(live->study()); });
    connect(m_session, &Session::studyOpened, this, &VerifyPage::showStudy);
    connect(m_session, &Session::scalingWanted, this, &VerifyPage::showStudy);
    if (library->isRead())
        refresh();
    const auto published = imports::publishedStudies();
    if (!published.isEmpty())
        m_sides[1].figure = published[kUsualReferences].id;
}

void VerifyPage::setupEmpty()
{
    auto* plan = new QPushButton(tr("&Plan a study"));
    auto* example = new QPushButton(tr("See an e&xample"));
    addEmptyState(m_stack, tr("Nothing to verify yet"),
                  {tr("A study is held against published or imported results, or "
                      "another study.")},
                  {plan, example});
    connect(plan, &QPushButton::clicked, m_session,
            [this] { m_session->showPage(page_id::kPlan); });
    connect(example, &QPushButton::clicked, this, [this] {
        // The article's table against the logs of the same kind of machine.
        loadPublished(1, QStringLiteral("mlperf-logs"));
        loadPublished(0, QStringLiteral("dgx1"));
    });
}

void VerifyPage::setupHead(QVBoxLayout* column)
{
    const QString titles[] = {tr("St&udy"), tr("A&gainst")};
    auto* row = new QHBoxLayout;
    for (int i = 0; i < 2; ++i) {
        auto* label = new QLabel(titles[i]);
        label->setBuddy(m_sides[i].choice);
        row->addWidget(label);
        row->addWidget(m_sides[i].choice, 1);
        connect(m_sides[i].choice, &StudyChoice::studyChosen, this, [this, i](const QString& dir) {
            m_referencePinned |= i == 1;
            load(i, dir);
        });
        connect(m_sides[i].choice, &StudyChoice::publishedChosen, this,
                [this, i](const QString& figure) {
                    m_referencePinned |= i == 1;
                    loadPublished(i, figure);
                });
    }
    m_sides[1].choice->setAccessibleName(tr("Against"));
    column->addLayout(row);
    row = new QHBoxLayout;
    auto* label = new QLabel(tr("As fast &means at most"));
    label->setBuddy(m_margin);
    m_margin->setObjectName(QStringLiteral("verifyMargin"));
    m_margin->setAccessibleName(tr("Equivalence margin"));
    m_margin->setRange(1, kMostMargin);
    m_margin->setValue(kUsualMargin);
    m_margin->setSuffix(tr(" % slower"));
    m_margin->setKeyboardTracking(false);
    m_export->setObjectName(QStringLiteral("verifyReport"));
    row->addWidget(label);
    row->addWidget(m_margin);
    row->addStretch(1);
    row->addWidget(m_export);
    column->addLayout(row);
    column->addWidget(m_bar);
    connect(m_margin, &QSpinBox::valueChanged, this, &VerifyPage::rebuild);
    connect(m_export, &QPushButton::clicked, this, &VerifyPage::chooseFolder);
}

void VerifyPage::setupBody(QVBoxLayout* column)
{
    m_summary->setObjectName(QStringLiteral("verifySummary"));
    m_summary->setAccessibleName(tr("Verdict"));
    for (QLabel* text : {m_summary, m_remarks, m_method}) {
        text->setWordWrap(true);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_chart->setMinimumHeight(kVerifyChartHeight);
    m_table->setModel(m_model);
    column->addWidget(m_summary);
    column->addWidget(m_chart, 1);
    column->addWidget(m_table);
    m_remarks->setObjectName(QStringLiteral("verifyRemarks"));
    m_remarks->setAccessibleName(tr("Epochs"));
    m_remarks->hide();
    column->addWidget(m_remarks);
    column->addWidget(m_method);
}

ShownStudy VerifyPage::shownStudy() const
{
    const Study& shown = study();
    return {shown.dir, shown.runs.isEmpty() ? std::nullopt : std::optional(shown)};
}

} // namespace scalebench
