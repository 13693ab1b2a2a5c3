// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/home/home_page.h"

#include "pages/home/study_row.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "settings/theme_manager.h"
#include "study/mpi_fault.h"
#include "widgets/widgets.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace scalebench {

namespace {
constexpr int kMaxShownRecent = 8;
constexpr int kMaxWidth = 1080;
} // namespace

HomePage::HomePage(Session* session, QWidget* parent)
    : Page(parent),
      m_session(session),
      m_machine(makeLabel(tr("Looking at this computer…"))),
      m_machineDetail(makeLabel(tr("Open MPI and the training engine: checking…"), "small")),
      m_recent(new QVBoxLayout)
{
    QVBoxLayout* const column = addCentredColumn(this, kMaxWidth);
    column->addWidget(makeLabel(tr("How well does training scale here?"), "title"));
    auto* lead =
        makeLabel(tr("Train a real network on 1, 2, 4 … workers to a quality target, and see "
                     "what each further worker brings."),
                  "subtitle");
    lead->setWordWrap(true);
    column->addWidget(lead);
    column->addSpacing(4);
    setupChoices(column);
    column->addSpacing(6);
    setupMachine(column);
    column->addSpacing(6);
    column->addWidget(makeLabel(tr("Recent studies"), "section"));
    m_recent->setSpacing(6);
    column->addLayout(m_recent);
    column->addStretch(1);
    setNote(makeLabel(tr("Reading the library…"), "muted"));
    const StudyLibrary* library = session->library();
    connect(session, &Session::computerChanged, this,
            [this] { setMachine(m_session->computer()); });
    connect(library, &StudyLibrary::changed, this,
            [this, library] { setStudies(library->studies()); });
    connect(library, &StudyLibrary::unreadable, this, &HomePage::setLoadError);
    if (session->isComputerKnown())
        setMachine(session->computer());
    if (library->isRead())
        setStudies(library->studies());
}

namespace {

/// As large as what is laid out in it, whatever the language and the font.
class ChoiceButton : public QPushButton
{
public:
    ChoiceButton()
    {
        QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return layout()->totalHeightForWidth(width); }
    QSize sizeHint() const override { return layout()->totalSizeHint(); }
    QSize minimumSizeHint() const override { return layout()->totalMinimumSize(); }
};

} // namespace

void HomePage::setupChoices(QVBoxLayout* column)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    column->addLayout(row);
    const auto choice = [&](const QString& icon, const QString& title, const QString& text) {
        auto* button = new ChoiceButton;
        button->setProperty("choice", true);
        button->setAccessibleName(QString(title).remove(QLatin1Char('&')));
        button->setAccessibleDescription(text);
        button->setMinimumHeight(118);
        button->setText(QString());
        auto* inside = new QVBoxLayout(button);
        inside->setContentsMargins(16, 14, 16, 14);
        inside->setSpacing(5);
        auto* picture = new QToolButton;
        picture->setIconSize({32, 32});
        picture->setStyleSheet(QStringLiteral("padding: 0; border: none;"));
        picture->setFixedSize(32, 32);
        picture->setFocusPolicy(Qt::NoFocus);
        setThemeIcon(picture, icon);
        auto* description = makeLabel(text, "small");
        description->setWordWrap(true);
        inside->addWidget(picture);
        auto* heading = makeLabel(title, "section");
        heading->setWordWrap(true);
        inside->addWidget(heading);
        inside->addWidget(description, 1, Qt::AlignTop);
        // Clicks belong to the button as a whole.
        const auto parts = button->findChildren<QWidget*>();
        for (QWidget* part : parts)
            part->setAttribute(Qt::WA_TransparentForMouseEvents);
        row->addWidget(button, 1);
        return button;
    };
    connect(choice(QStringLiteral("run"), tr("Run a benchmark"),
                   tr("Pick a workload and worker counts, press Start, watch it live.")),
            &QPushButton::clicked, m_session, [this] { m_session->showPage(page_id::kPlan); });
    connect(choice(QStringLiteral("scaling"), tr("Compare all workloads"),
                   tr("Each on 1 and 2 workers: time to target and speedup, in under an hour.")),
            &QPushButton::clicked, m_session, &Session::planAllWorkloads);
    connect(choice(QStringLiteral("results"), tr("Open results"),
                   tr("All runs of your library: charts, settings, environment, files.")),
            &QPushButton::clicked, m_session, [this] { m_session->showPage(page_id::kResults); });
    m_lastChoice =
        choice(QStringLiteral("example"), tr("See an example"),
               tr("A recorded study of BERT, told again in half a minute. Nothing is trained."));
    connect(m_lastChoice, &QPushButton::clicked, m_session, &Session::showExample);
}

void HomePage::setupMachine(QVBoxLayout* column)
{
    auto* card = makeCard();
    auto* row = new QHBoxLayout(card);
    row->setContentsMargins(14, 10, 14, 10);
    row->setSpacing(12);
    auto* icon = new QToolButton;
    icon->setIconSize({24, 24});
    icon->setFocusPolicy(Qt::NoFocus);
    setThemeIcon(icon, QStringLiteral("machine"));
    row->addWidget(icon);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(1);
    m_machine->setWordWrap(true);
    m_machineDetail->setWordWrap(true);
    texts->addWidget(m_machine);
    texts->addWidget(m_machineDetail);
    row->addLayout(texts, 1);
    column->addWidget(card);
}

void HomePage::setMachine(const MachineInfo& machine)
{
    const QLocale locale;
    QStringList parts{tr("This computer")};
    parts << tr("%1, %n core(s)", nullptr, machine.cores).arg(machine.cpuModel.simplified());
    if (machine.memoryBytes > 0)
        parts << tr("%1 memory").arg(locale.formattedDataSize(machine.memoryBytes, 1));
    parts << (machine.gpus.isEmpty()
                  ? tr("no GPU: trains on the CPU")
                  : tr("%n GPU(s)", nullptr, static_cast<int>(machine.gpus.size())));
    m_machine->setText(parts.join(QStringLiteral(" · ")));
    QStringList detail;
    const std::optional<MpiFault> fault = mpiFault(machine);
    detail << (fault ? fault->text : tr("Open MPI %1").arg(machine.mpirunVersion));
    detail << (machine.enginePath.isEmpty() ? tr("training engine not found")
               : !machine.engineVersion.isEmpty()
                   ? tr("training engine %1").arg(machine.engineVersion)
               : !machine.engineFault.isEmpty()
                   ? tr("the training engine does not start: %1").arg(machine.engineFault)
               : machine.engineProbe.isEmpty() ? tr("training engine: checking…")
                                               : tr("training engine found"));
    detail << machine.os;
    m_machineDetail->setText(detail.join(QStringLiteral(" · ")));
}

void HomePage::setNote(QWidget* note)
{
    if (m_note) {
        m_note->hide();
        m_note->deleteLater();
    }
    m_note = note;
    if (note)
        m_recent->addWidget(note);
}

void HomePage::setLoadError(const Failure& failure)
{
    setRows({});
    auto* text = makeLabel(failure.message);
    text->setWordWrap(true);
    setNote(text);
}

void HomePage::setStudies(const QList<StudySummary>& studies)
{
    QList<StudySummary> sorted = studies;
    std::sort(sorted.begin(), sorted.end(), [](const StudySummary& a, const StudySummary& b) {
        return a.active != b.active ? a.active : a.createdMs > b.createdMs;
    });
    setRows(sorted.mid(0, kMaxShownRecent));
    if (!sorted.isEmpty()) {
        setNote(nullptr);
        return;
    }
    auto* card = makeCard();
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(14, 16, 14, 16);
    layout->addWidget(makeLabel(tr("Nothing has been run yet. “Run a benchmark” takes about two "
                                   "minutes on two cores."),
                                "muted"));
    setNote(card);
}

void HomePage::setRows(const QList<StudySummary>& studies)
{
    QList<StudyRow*> before = std::exchange(m_rows, {});
    for (const StudySummary& study : studies) {
        const auto known = std::find_if(before.begin(), before.end(), [&](const StudyRow* row) {
            return row->studyDir() == study.dir;
        });
        if (known != before.end()) {
            m_rows << *known;
            before.erase(known);
            m_rows.last()->setStudy(study);
        } else {
            m_rows << addRow(study);
        }
    }
    QWidget* above = m_lastChoice;
    for (int i = 0; i < m_rows.size(); ++i) {
        if (m_recent->indexOf(m_rows[i]) != i) {
            m_recent->removeWidget(m_rows[i]);
            m_recent->insertWidget(i, m_rows[i]);
        }
        setTabOrder(above, m_rows[i]);
        above = m_rows[i];
    }
    for (StudyRow* gone : std::as_const(before)) {
        if (gone->hasFocus() && !m_rows.isEmpty()) {
            m_rows.first()->show();
            m_rows.first()->setFocus(Qt::OtherFocusReason);
        }
        gone->hide();
        gone->deleteLater();
    }
}

StudyRow* HomePage::addRow(const StudySummary& study)
{
    auto* row = new StudyRow(study, m_lastChoice->parentWidget());
    connect(row, &QPushButton::clicked, this, [this, row] {
        row->isActive() ? m_session->watchStudy(row->studyDir())
                        : m_session->openStudy(row->studyDir());
    });
    return row;
}

} // namespace scalebench
