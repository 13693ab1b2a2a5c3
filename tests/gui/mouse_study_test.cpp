// SPDX-License-Identifier: GPL-3.0-or-later
// Studies planned by clicks in the whole window: two workloads with values of their own, and the
// preset of all workloads. Every click goes to what lies at its place on the window (mouse.h). Only
// names and numbers are typed.
#include "gui/gui_fixture.h"
#include "gui/mouse.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include "app/main_window.h"
#include "charts/chart_panel.h"
#include "models/speedup_model.h"
#include "pages/plan/plan_page.h"
#include "pages/scaling/scaling_page.h"
#include "run/study_files.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "study/workload_catalog.h"
#include "widgets/form_field.h"
#include "widgets/workload_card.h"

#include <QApplication>
#include <QCheckBox>
#include <QDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QStyle>
#include <QStyleOptionButton>
#include <QStyleOptionSpinBox>
#include <QToolButton>

using namespace scalebench;
using namespace scalebench::test;

class MouseStudyTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<TemporaryLibrary> m_library;
    std::unique_ptr<MainWindow> m_window;
    PlanPage* m_page = nullptr;

    /// Where its mark or text is: beside them a box takes no click.
    void tick(QCheckBox* box)
    {
        QVERIFY(box);
        QStyleOptionButton option;
        option.initFrom(box);
        clickAt(box,
                box->style()->subElementRect(QStyle::SE_CheckBoxIndicator, &option, box).center());
    }
    void stepUp(const QString& field, int times)
    {
        QWidget* control = m_page->field(field)->control();
        auto* spin = qobject_cast<QSpinBox*>(control);
        spin = spin ? spin : control->findChild<QSpinBox*>();
        QVERIFY(spin);
        QStyleOptionSpinBox option;
        option.initFrom(spin);
        option.subControls = QStyle::SC_All;
        option.frame = spin->hasFrame();
        const QRect up =
            spin->style()->subControlRect(QStyle::CC_SpinBox, &option, QStyle::SC_SpinBoxUp, spin);
        for (int i = 0; i < times; ++i)
            clickAt(spin, up.center());
    }
    void type(QWidget* field, const QString& text)
    {
        click(field);
        QTest::keySequence(field, QKeySequence::SelectAll);
        QTest::keyClicks(field, text);
    }
    WorkloadCard* card(const QString& id) const
    {
        const auto cards = m_page->findChildren<WorkloadCard*>();
        for (WorkloadCard* found : cards)
            if (found->workloadId() == id)
                return found;
        return nullptr;
    }
    QCheckBox* checkBox(QWidget* in, const QString& text) const
    {
        const auto boxes = in->findChildren<QCheckBox*>();
        for (QCheckBox* box : boxes)
            if (box->text() == text)
                return box;
        return nullptr;
    }
    /// By the list of the dialog; no values: those it offers.
    void add(const QString& path, const QString& values, bool onlyHere)
    {
        click(m_page->findChild<QToolButton*>(QStringLiteral("addDimension")));
        QPointer<QDialog> dialog = m_page->findChild<QDialog*>(QStringLiteral("dimensionDialog"));
        QVERIFY(dialog && QTest::qWaitForWindowExposed(dialog, kHangMs));
        auto* list = dialog->findChild<QListWidget*>(QStringLiteral("settingList"));
        QListWidgetItem* item = nullptr;
        for (int row = 0; row < list->count() && !item; ++row)
            if (list->item(row)->data(Qt::UserRole).toString() == path)
                item = list->item(row);
        QVERIFY2(item, qPrintable(path));
        list->scrollToItem(item);
        QCoreApplication::processEvents();
        clickAt(list->viewport(), list->visualItemRect(item).center());
        if (!values.isEmpty())
            type(dialog->findChildren<QLineEdit*>().last(), values);
        const auto boxes = dialog->findChildren<QCheckBox*>();
        if (onlyHere && !boxes.last()->isChecked())
            tick(boxes.last());
        QPushButton* accept = nullptr;
        const auto buttons = dialog->findChildren<QPushButton*>();
        for (QPushButton* button : buttons)
            accept = button->isDefault() ? button : accept;
        click(accept); // which deletes the dialog and its buttons
        QTRY_VERIFY2_WITH_TIMEOUT(!dialog, qPrintable(path), kHangMs);
    }
    /// Clicks Start and waits for the end of what that starts.
    void startAndWait()
    {
        auto* start = m_window->findChild<QPushButton*>(QStringLiteral("startButton"));
        QTRY_VERIFY_WITH_TIMEOUT(start->isEnabled(), kHangMs);
        QSignalSpy finished(m_window->live(), &LiveStudy::finished);
        click(start);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->page(), QString(page_id::kRun), kHangMs);
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), kHangMs);
    }

private Q_SLOTS:
    void initTestCase()
    {
        initGuiTest();
        if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty())
            QSKIP("mpirun is not installed");
    }
    void init()
    {
        useFakeEngine("ok", 1, 5);
        m_library = std::make_unique<TemporaryLibrary>();
        CommandLine line;
        line.libraryDir = m_library->folder.path();
        line.page = QStringLiteral("plan");
        line.size = QSize(1280, 900);
        m_window = std::make_unique<MainWindow>(line);
        m_window->show();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isLoaded(), kHangMs);
        m_page = m_window->page<PlanPage>();
    }
    void cleanup()
    {
        m_window.reset();
        const bool clean =
            QTest::qWaitFor([this] { return m_library->processesLeft().isEmpty(); }, kHangMs);
        m_library.reset();
        QVERIFY2(clean, "a process was left behind");
    }

    /// The runs are those of the command that says the same.
    void aMatrixOfTwoWorkloads()
    {
        const bool full = fullCampaign(); // 48 runs
        tick(card(QStringLiteral("ncf"))->findChild<QCheckBox*>());
        const QMap<QString, QStringList> tiny{
            {QStringLiteral("resnet"),
             {QStringLiteral("data.train_samples=256"), QStringLiteral("data.eval_samples=100")}},
            {QStringLiteral("ncf"),
             {QStringLiteral("data.users=300"), QStringLiteral("data.items=400"),
              QStringLiteral("data.ratings_per_user=10"), QStringLiteral("global_batch=512")}}};
        for (auto it = tiny.begin(); it != tiny.end(); ++it) {
            click(card(it.key())->findChild<QPushButton*>()); // its title
            stepUp(QStringLiteral("epochs"), 1);
            tick(checkBox(m_page, QStringLiteral("train all epochs")));
            for (const QString& setting : it.value())
                add(setting.section(u'=', 0, 0), setting.section(u'=', 1), true);
        }
        click(m_page->findChild<QToolButton*>(QStringLiteral("moreSettings")));
        stepUp(QStringLiteral("threads_per_worker"), 1);
        tick(
            checkBox(m_page, QStringLiteral("Allow more workers than cores (shown, not counted)")));
        add(QStringLiteral("schedule.base_lr"), QStringLiteral("0.05, 0.1"), false);
        if (full) {
            add(QStringLiteral("options.overlap"), {}, false);
            stepUp(QStringLiteral("repeats"), 2);
        }
        startAndWait();
        const Study study = m_window->live()->study();
        QCOMPARE(study.runs.size(), full ? 48 : 8);
        QStringList planned;
        for (const RunRecord& run : study.runs) {
            planned << run.config.runId;
            QVERIFY2(run.state == RunState::Completed, qPrintable(run.failure.message));
        }
        planned.sort();
        QProcess command;
        command.start(
            QStringLiteral(SB_BIN_DIR "/scalebench"),
            QProcess::splitCommand(
                QStringLiteral("run resnet,ncf --workers 1,2 --threads 1 --oversubscribe "
                               "--set resnet:epochs=1 --set ncf:epochs=1 --target none "
                               "--set resnet:data.train_samples=256 "
                               "--set resnet:data.eval_samples=100 --set ncf:data.users=300 "
                               "--set ncf:data.items=400 --set ncf:data.ratings_per_user=10 "
                               "--set ncf:global_batch=512 --set schedule.base_lr=0.05,0.1 "
                               "--plan --quiet ") +
                (full ? QStringLiteral("--set options.overlap=off,on --repeats 3 ") : QString()) +
                QStringLiteral("--library ") + m_library->folder.path()));
        QVERIFY(command.waitForFinished(kHangMs));
        QStringList told;
        for (const QString& line : QString::fromUtf8(command.readAll()).split(u'\n'))
            if (line.startsWith(QLatin1String("resnet-")) || line.startsWith(QLatin1String("ncf-")))
                told << line;
        told.sort();
        QCOMPARE(planned, told);
    }

    void thePresetOfAllWorkloads()
    {
        const qsizetype workloads = WorkloadCatalog::instance().workloads().size();
        click(m_page->findChild<QPushButton*>(QStringLiteral("allWorkloads")));
        if (QCheckBox* over = checkBox(
                m_page, QStringLiteral("Allow more workers than cores (shown, not counted)"));
            !m_window->findChild<QPushButton*>(QStringLiteral("startButton"))->isEnabled()) {
            click(m_page->findChild<QToolButton*>(QStringLiteral("moreSettings")));
            tick(over);
        }
        const QList<int> counts = m_page->spec().workers; // a single core: one worker only
        startAndWait();
        QCOMPARE(m_window->live()->study().runs.size(), workloads * counts.size());
        m_window->showPage(page_id::kScaling);
        auto* scaling = m_window->page<ScalingPage>();
        QTRY_COMPARE_WITH_TIMEOUT(scaling->study().runs.size(), workloads * counts.size(), kHangMs);
        const auto* rows = scaling->findChild<SpeedupModel*>();
        QTRY_COMPARE_WITH_TIMEOUT(rows->rowCount({}), int(workloads * counts.size()), kHangMs);
        const auto panels = scaling->findChildren<ChartPanel*>();
        qsizetype lines = 0;
        for (const ChartPanel* panel : panels)
            if (panel->chart().id == QLatin1String("time_to_target"))
                lines = panel->chart().series.size();
        QCOMPARE(lines, workloads);
    }
};

QTEST_MAIN(MouseStudyTest)
#include "mouse_study_test.moc"
