// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/plan_page_fixture.h"

#include "app/thread_time.h"
#include "pages/plan/plan_page.h"
#include "pages/plan/plan_problems.h"
#include "run/own_studies.h"
#include "settings/app_settings.h"
#include "study/workload_catalog.h"
#include "support/launcher_fixture.h"
#include "widgets/form_field.h"
#include "widgets/inline_bar.h"
#include "widgets/shape_matrix.h"
#include "widgets/worker_matrix.h"
#include "widgets/workload_card.h"

#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>
#include <QUndoStack>
#include <QWheelEvent>

using namespace scalebench;
using namespace scalebench::test;

class PlanPageTest : public QObject, private PlanPageFixture
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }
    void init() { openPage(); }

    void readyFromTheFirstMoment()
    {
        QVERIFY(m_start->isEnabled());
        QCOMPARE(m_page->spec().workers, (QList<int>{1, 2}));
        QSignalSpy spy(m_page.get(), &PlanPage::startRequested);
        m_start->click();
        settle();
        QCOMPARE(spy.size(), 1);
        const auto spec = spy[0][0].value<StudySpec>();
        QCOMPARE(spec.name, QStringLiteral("Image classification, desk, 1 and 2 workers"));
        const auto* preview = m_page->findChild<QPlainTextEdit*>(QStringLiteral("commandPreview"));
        QVERIFY(preview->toPlainText().contains(QLatin1String("mpirun")));
        const QStringList lines = preview->toPlainText().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 3); // the whole study, then the chosen run by itself
        QCOMPARE(lines.first(), QStringLiteral("scalebench run resnet --workers 1,2"));
        QVERIFY2(lines[1].startsWith(QLatin1String("scalebench run resnet --workers 1 ")),
                 qPrintable(lines[1]));
    }

    void anyNumberOfWorkersCanBeTyped()
    {
        auto* other = m_page->findChild<QLineEdit*>(QStringLiteral("otherWorkers"));
        QTest::keyClicks(other, QStringLiteral("3, 6;9999"));
        QTest::keyClick(other, Qt::Key_Return);
        QCOMPARE(m_page->spec().workers, (QList<int>{1, 2, 3, 6}));
        QCOMPARE(other->text(), QStringLiteral("9999")); // more than there may be
        m_page->undo();
        QCOMPARE(m_page->spec().workers, (QList<int>{1, 2}));
        other->clear();
        QTest::keyClicks(other, QStringLiteral("2.5")); // and not 25
        QTest::keyClick(other, Qt::Key_Return);
        QCOMPARE(m_page->spec().workers, (QList<int>{1, 2}));
        QCOMPARE(other->text(), QStringLiteral("2.5"));
    }

    void editedPlanOutlivesTheWindow()
    {
        AppSettings::instance().setUnsavedPlan({}, {});
        m_page->restoreUnsaved();
        QVERIFY(!m_page->isModified());
        const StudySpec all = m_page->spec();
        m_page->planAllWorkloads();
        QVERIFY(m_page->isModified());
        QTRY_VERIFY_WITH_TIMEOUT(!AppSettings::instance().unsavedPlan().isEmpty(),
                                 kHangMs); // without being closed
        const StudySpec edited = m_page->spec();
        openPage();
        QVERIFY(!(m_page->spec() == edited));
        m_page->restoreUnsaved();
        QCOMPARE(m_page->spec().toJson(), edited.toJson());
        QVERIFY(m_page->isModified());
        QVERIFY(!m_page->bar()->isHidden());
        m_page->undo();
        QCOMPARE(m_page->spec().toJson(), all.toJson());
        m_page->keepUnsaved();
        QVERIFY(AppSettings::instance().unsavedPlan().isEmpty());
    }

    void newPlanCanBeUndone()
    {
        m_page->planAllWorkloads();
        const StudySpec edited = m_page->spec();
        m_page->newPlan();
        QVERIFY(!(m_page->spec() == edited));
        QVERIFY(!m_page->isModified());
        m_page->undo();
        QCOMPARE(m_page->spec().toJson(), edited.toJson());
    }

    void otherWorkIsShown()
    {
        MachineInfo busy;
        busy.processors = 4;
        busy.busyProcessors = 2.5;
        m_page->setOtherWork(busy);
        settle();
        QCOMPARE(m_page->problems().size(), 1);
        QCOMPARE(m_page->problems().first().code, QStringLiteral("machine_busy"));
        QVERIFY(m_start->isEnabled()); // a person may know better
        busy.busyProcessors = 0.1;
        m_page->setOtherWork(busy);
        settle();
        QVERIFY(m_page->problems().isEmpty());
    }

    void eachMistakeIsBesideItsField_data()
    {
        QTest::addColumn<QString>("field");
        QTest::newRow("no workers") << QStringLiteral("workers");
        QTest::newRow("batch not divisible") << QStringLiteral("global_batch");
        QTest::newRow("data missing") << QStringLiteral("data");
        QTest::newRow("cuda without driver") << QStringLiteral("device");
    }

    void eachMistakeIsBesideItsField()
    {
        QFETCH(QString, field);
        StudySpec spec;
        if (field == QLatin1String("workers"))
            spec.workers.clear();
        else if (field == QLatin1String("global_batch"))
            spec.globalBatch = 33;
        else if (field == QLatin1String("data"))
            spec.data = QStringLiteral("/no/such/folder");
        else
            spec.device = QStringLiteral("cuda");
        MachineInfo machine = machineWith(4);
        machine.cudaReason = QStringLiteral("the NVIDIA driver is not loaded");
        m_page->setMachine(machine);
        show(spec);
        QVERIFY(!m_start->isEnabled());
        QVERIFY2(!m_page->field(field)->message().isEmpty(), qPrintable(field));
        QSignalSpy spy(m_page.get(), &PlanPage::startRequested);
        start();
        QVERIFY(spy.isEmpty());
        show(StudySpec());
        QVERIFY(m_start->isEnabled());
        QVERIFY(m_page->field(field)->message().isEmpty());
    }

    void tooManyWorkersAreNotOffered()
    {
        auto* matrix = m_page->findChild<WorkerMatrix*>();
        QVERIFY(matrix->button(4)->isEnabled());
        QVERIFY(!matrix->button(8)->isEnabled());
        QVERIFY(matrix->button(8)->toolTip().contains(QLatin1String("4 cores")));
        StudySpec spec;
        spec.oversubscribe = true;
        m_page->setSpec(spec);
        QVERIFY(matrix->button(8)->isEnabled());
    }

    void missingProgramsNameTheFix()
    {
        const auto told = [this](const char* part) {
            const auto bars = m_page->findChildren<InlineBar*>();
            return std::any_of(bars.begin(), bars.end(), [part](const InlineBar* bar) {
                return bar->text().contains(QLatin1StringView(part));
            });
        };
        MachineInfo machine = machineWith(4);
        machine.enginePath.clear();
        m_page->setMachine(machine);
        QVERIFY(told("packaging/quickstart"));
        machine = machineWith(4);
        machine.mpirunVersion = QStringLiteral("HYDRA 4.0");
        m_page->setMachine(machine);
        QVERIFY(told("it says \"HYDRA 4.0\". Install Open MPI"));
    }

    void recommendationsCanBePlanned()
    {
        StudySpec spec;
        spec.workload = QStringLiteral("ncf");
        spec.target = 0.7;
        spec.data = QStringLiteral("generated");
        show(spec);
        QVERIFY(m_start->isEnabled());
        QVERIFY(std::abs(*m_page->spec().target - 0.7) < 1e-12);
        spec.target.reset();
        spec.data.clear();
        m_page->setSpec(spec);
        QStringList hints;
        const auto edits = m_page->findChildren<QLineEdit*>();
        for (const QLineEdit* edit : edits)
            hints << edit->placeholderText();
        QVERIFY2(hints.contains(QStringLiteral("preset: 79 %")), qPrintable(hints.join(u'|')));
        QVERIFY(hints.filter(QStringLiteral("u.data")).size() == 1);
    }

    void plansSurviveSaveAndOpen()
    {
        QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("study.json"));
        StudySpec spec;
        spec.name = QStringLiteral("Mine");
        spec.workers = {1, 4};
        spec.repeats = 3;
        spec.seed = 9;
        spec.target = 0.5;
        spec.precisions = {QStringLiteral("fp32"), QStringLiteral("bf16")};
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(QJsonDocument(spec.toJson()).toJson());
        out.close();
        QVERIFY(m_page->openFile(file));
        QCOMPARE(m_page->spec().workers, spec.workers);
        QCOMPARE(m_page->spec().precisions, spec.precisions);
        QCOMPARE(m_page->spec().repeats, 3);
        QCOMPARE(m_page->spec().seed, 9U);
        QVERIFY(std::abs(*m_page->spec().target - 0.5) < 1e-12);
        spin(QStringLiteral("repeats"))->setValue(4);
        m_page->save();
        QVERIFY(m_page->isModified()); // until it is in the file
        spin(QStringLiteral("repeats"))->setValue(5);
        m_page->save(); // after the first one
        QTRY_VERIFY_WITH_TIMEOUT(!m_page->isModified(), kHangMs);
        const auto kept = [&] {
            QFile read(file);
            return read.open(QIODevice::ReadOnly)
                       ? QJsonDocument::fromJson(read.readAll())[u"repeats"].toInt()
                       : -1;
        };
        QCOMPARE(kept(), 5);
        spin(QStringLiteral("repeats"))->setValue(6);
        m_page->openLater(file); // as the window's menu does
        QTRY_COMPARE_WITH_TIMEOUT(m_page->spec().repeats, 5, kHangMs);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write("{\"format\":\"scalebench.study\",\"version\":1,\"workload\":\"resnet\","
                  "\"wrokers\":[1]}");
        out.close();
        QVERIFY(!m_page->openFile(file));
        QVERIFY(m_page->bar()->text().contains(QLatin1String("wrokers")));
    }

    /// Else Open would not list it.
    void savedPlanGetsItsEnding()
    {
        const QTemporaryDir dir;
        AppSettings::instance().setLastFolder(dir.path());
        spin(QStringLiteral("repeats"))->setValue(7);
        m_page->save(); // it is in no file yet
        auto* dialog = m_page->findChild<QFileDialog*>();
        QVERIFY(dialog);
        dialog->findChild<QLineEdit*>()->setText(QStringLiteral("plan1"));
        static_cast<QDialog*>(dialog)->accept();
        QTRY_VERIFY_WITH_TIMEOUT(!m_page->isModified(), kHangMs);
        QVERIFY(QFileInfo::exists(dir.filePath(QStringLiteral("plan1.json"))));
        QVERIFY(!QFileInfo::exists(dir.filePath(QStringLiteral("plan1"))));
    }

    /// A study's own study.json says what its runs are of, also while they run.
    void thePlanOfAStartedStudyStays()
    {
        TemporaryLibrary library;
        const Study study = library.create({1}, QStringLiteral("begun"));
        const QString file = study.dir + QStringLiteral("/study.json");
        QFile read(file);
        QVERIFY(read.open(QIODevice::ReadOnly));
        const QByteArray before = read.readAll();
        QVERIFY(m_page->openFile(file));
        spin(QStringLiteral("repeats"))->setValue(7);
        m_page->save();
        QTRY_VERIFY2_WITH_TIMEOUT(
            m_page->bar()->text().contains(QLatin1String("of a study that was started")),
            qPrintable(m_page->bar()->text()), kHangMs);
        QVERIFY(m_page->isModified());
        QVERIFY(read.seek(0));
        QCOMPARE(read.readAll(), before);
        QVERIFY(isOwnStudy(study.dir)); // it can still be run and resumed
    }

    void hostsOfferShapes()
    {
        useHosts(QStringLiteral("node1:4, node2:4, node3:2"));
        auto* matrix = m_page->findChild<ShapeMatrix*>();
        QVERIFY(!matrix->isHidden());
        QVERIFY(m_page->field(QStringLiteral("workers"))->isHidden());
        // What was planned here, on as few hosts as hold it.
        QCOMPARE(m_page->spec().shapes, (QList<Shape>{{1, 1}, {1, 2}}));
        QCOMPARE(m_page->spec().machine, QStringLiteral("lab"));
        // The third host has two slots only.
        QVERIFY(matrix->button({2, 4})->isEnabled());
        QVERIFY(!matrix->button({3, 4})->isEnabled());
        QVERIFY(matrix->button({3, 4})->toolTip().contains(QLatin1String("node3")));
        matrix->choosePermutations(4);
        QCOMPARE(m_page->spec().shapes, (QList<Shape>{{1, 4}, {2, 2}}));
        QTRY_VERIFY_WITH_TIMEOUT(m_start->isEnabled(), kHangMs);
        const auto* preview = m_page->findChild<QPlainTextEdit*>(QStringLiteral("commandPreview"));
        QTRY_VERIFY2_WITH_TIMEOUT(
            preview->toPlainText().contains(QLatin1String("--machine lab --shapes 1x4,2x2")),
            qPrintable(preview->toPlainText()), kHangMs);
        QSignalSpy spy(m_page.get(), &PlanPage::startRequested);
        m_start->click();
        settle();
        const auto spec = spy.value(0).value(0).value<StudySpec>();
        QCOMPARE(spec.name, QStringLiteral("Image classification, desk, 1x4, 2x2 on lab"));
        QCOMPARE(spec.machine, QStringLiteral("lab"));
        matrix->setShapes({});
        Q_EMIT matrix->changed();
        start(); // looks at the plan at once
        QVERIFY(!m_start->isEnabled());
        QVERIFY(!m_page->field(QStringLiteral("shapes"))->message().isEmpty());
        // Back here: worker counts, no shapes.
        m_page->chooseTarget(localMachineName());
        QVERIFY(m_page->spec().shapes.isEmpty());
        QVERIFY(m_page->spec().machine.isEmpty());
        settle();
        QVERIFY(m_start->isEnabled());
    }

    void remotePlansSurviveOpening()
    {
        useHosts(QStringLiteral("node[1-4]:8"));
        StudySpec spec;
        spec.machine = QStringLiteral("lab");
        spec.shapes = {{1, 8}, {2, 4}, {4, 2}};
        spec.order = QStringLiteral("random");
        spec.retries = 2;
        spec.options.overlap = true;
        spec.options.gradAccum = 2;
        m_page->setSpec(spec);
        QCOMPARE(m_page->spec(), spec);
    }

    void whatIsNoValueIsSaidBesideTheField_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("said");
        QTest::newRow("seed") << QStringLiteral("seed") << QStringLiteral("-5")
                              << QStringLiteral("whole number");
        QTest::newRow("long seed") << QStringLiteral("seed") << QString(30, QLatin1Char('9'))
                                   << QStringLiteral("whole number");
        QTest::newRow("target word")
            << QStringLiteral("target") << QStringLiteral("ninety") << QStringLiteral("per cent");
        QTest::newRow("target 200")
            << QStringLiteral("target") << QStringLiteral("200") << QStringLiteral("100 %");
        QTest::newRow("rate") << QStringLiteral("learning_rate") << QStringLiteral("fast")
                              << QStringLiteral("number");
    }

    void whatIsNoValueIsSaidBesideTheField()
    {
        QFETCH(QString, field);
        QFETCH(QString, typed);
        QFETCH(QString, said);
        QWidget* control = m_page->field(field)->control();
        auto* edit = qobject_cast<QLineEdit*>(control);
        if (!edit)
            edit = control->findChild<QLineEdit*>();
        QVERIFY(edit);
        edit->setText(typed);
        start();
        QVERIFY(!m_start->isEnabled());
        QVERIFY2(m_page->field(field)->message().contains(said),
                 qPrintable(m_page->field(field)->message()));
        edit->setText(field == QLatin1String("seed") ? QStringLiteral("1") : QString());
        QTRY_VERIFY_WITH_TIMEOUT(m_start->isEnabled(), kHangMs);
        QCOMPARE(m_page->spec(), StudySpec());
    }

    /// In a window of 1024 x 700 nothing lies beyond the right edge of its column, which only
    /// scrolls up and down.
    void aSmallWindowHoldsEveryColumn()
    {
        m_page->setSpec(severalWorkloads());
        m_page->resize(946, 640);
        m_page->show();
        m_page->findChild<QToolButton*>(QStringLiteral("moreSettings"))->click();
        QCoreApplication::processEvents();
        const auto areas = m_page->findChildren<QScrollArea*>();
        QVERIFY(areas.size() >= 2);
        for (const QScrollArea* area : areas) {
            const int needs = area->widget()->minimumSizeHint().width();
            const int has = area->viewport()->width();
            if (needs <= has)
                continue;
            QStringList widest;
            const auto widgets = area->widget()->findChildren<QWidget*>();
            for (const QWidget* widget : widgets)
                if (widget->isVisible() && widget->minimumSizeHint().width() > has / 2 - 16)
                    widest << QStringLiteral("%1 %2 %3")
                                  .arg(QString::fromLatin1(widget->metaObject()->className()),
                                       widget->accessibleName())
                                  .arg(widget->minimumSizeHint().width());
            QFAIL(qPrintable(QStringLiteral("needs %1, has %2: %3")
                                 .arg(needs)
                                 .arg(has)
                                 .arg(widest.join(QStringLiteral("; ")))));
        }
    }

    void theWheelScrollsThePage()
    {
        m_page->resize(1100, 700);
        m_page->show();
        QSpinBox* epochs = spin(QStringLiteral("epochs"));
        QWheelEvent wheel(QPointF(5, 5), epochs->mapToGlobal(QPointF(5, 5)), {}, {0, 120},
                          Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(epochs, &wheel);
        QCOMPARE(epochs->value(), 0);
        QVERIFY(!wheel.isAccepted());
        // No control of the page changes by it, the target machine least of all.
        useHosts(QStringLiteral("a:2,b:2"));
        const StudySpec before = m_page->spec();
        QList<QWidget*> controls;
        for (QWidget* box : m_page->findChildren<QComboBox*>())
            controls << box;
        for (QWidget* box : m_page->findChildren<QAbstractSpinBox*>())
            controls << box;
        QVERIFY(controls.size() > 10);
        m_start->setFocus();
        for (QWidget* control : std::as_const(controls)) {
            for (const int turn : {-120, 120}) {
                QWheelEvent over(QPointF(5, 5), control->mapToGlobal(QPointF(5, 5)), {}, {0, turn},
                                 Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
                QCoreApplication::sendEvent(control, &over);
                QVERIFY2(!over.isAccepted(), qPrintable(control->accessibleName()));
            }
        }
        QVERIFY(m_page->spec() == before);
    }

    void whatDoesNotApplyIsNotOffered()
    {
        const auto offered = [this](const QString& field, const QString& value) {
            return qobject_cast<QComboBox*>(m_page->field(field)->control())->findData(value) >= 0;
        };
        const auto visible = [this](const QString& text) {
            const auto boxes = m_page->findChildren<QCheckBox*>();
            for (const QCheckBox* box : boxes) {
                if (box->text().contains(text))
                    return !box->isHidden();
            }
            return false;
        };
        QVERIFY(!offered(QStringLiteral("precisions"), QStringLiteral("fp16")));
        QVERIFY(!offered(QStringLiteral("options.allreduce"), QStringLiteral("nccl")));
        QVERIFY(offered(QStringLiteral("options.allreduce"), QStringLiteral("shm")));
        QVERIFY(visible(QStringLiteral("batch norm")));
        QVERIFY(!visible(QStringLiteral("Pack sequences")));
        QVERIFY(!visible(QStringLiteral("CUDA graphs")));
        StudySpec spec;
        spec.device = QStringLiteral("cuda");
        spec.workload = QStringLiteral("transformer");
        m_page->setSpec(spec);
        QVERIFY(offered(QStringLiteral("precisions"), QStringLiteral("fp16")));
        QVERIFY(offered(QStringLiteral("options.allreduce"), QStringLiteral("nccl")));
        QVERIFY(!offered(QStringLiteral("options.allreduce"), QStringLiteral("shm")));
        QVERIFY(!visible(QStringLiteral("batch norm")));
        QVERIFY(visible(QStringLiteral("Pack sequences")));
        QVERIFY(visible(QStringLiteral("CUDA graphs")));
    }

    void unknownMachineIsSaidBesideTheChoice()
    {
        StudySpec spec;
        spec.machine = QStringLiteral("gone");
        show(spec);
        QVERIFY(!m_start->isEnabled());
        QVERIFY(
            m_page->field(QStringLiteral("machine"))->message().contains(QLatin1String("gone")));
        QCOMPARE(m_page->spec().machine, QStringLiteral("gone"));
        m_page->chooseTarget(localMachineName());
        settle();
        QVERIFY(m_start->isEnabled());
    }

    /// What is typed while the plan is being looked at counts; what was asked before does not.
    void theLastEditDecides()
    {
        StudySpec missing;
        missing.data = QStringLiteral("/no/such/folder");
        m_page->setSpec(missing);
        m_page->setSpec(StudySpec());
        settle();
        QVERIFY(m_page->problems().isEmpty());
        QVERIFY(m_start->isEnabled());
        // An edit after Start takes it back: what was to be started was another plan.
        QSignalSpy spy(m_page.get(), &PlanPage::startRequested);
        m_page->start();
        spin(QStringLiteral("repeats"))->setValue(2);
        settle();
        QVERIFY(spy.isEmpty());
        start();
        QCOMPARE(spy.size(), 1);
    }

    /// Thousands of runs, and a folder that has to be looked at: not on the window's thread.
    void checkingDoesNotKeepTheWindow()
    {
        StudySpec many;
        many.repeats = 99;
        many.workers = {1, 2, 4};
        QList<QJsonValue> rates;
        for (int i = 1; i <= 20; ++i)
            rates << i / 100.0;
        many.settings.insert(QStringLiteral("schedule.base_lr"), rates);
        const ThreadTime before = ThreadTime::now();
        m_page->setSpec(many);
        QVERIFY(!m_page->isChecked());
        const ThreadTime asking = ThreadTime::now() - before;
        const StudyPlan plan =
            planStudy(many, machineWith(4), QStringLiteral("s"), QStringLiteral("d"));
        const ThreadTime planning = ThreadTime::now() - before;
        QCOMPARE(plan.runs.size(), 99 * 3 * 20);
        QVERIFY2(
            asking.computedMs() < planning.computedMs() / 4,
            qPrintable(
                QStringLiteral("%1 of %2 ms").arg(asking.computedMs()).arg(planning.computedMs())));
        settle();
        QCOMPARE(m_page->findChild<QListView*>(QStringLiteral("runList"))->model()->rowCount(),
                 99 * 3 * 20);
    }
};

SB_WATCHED_TEST_MAIN(PlanPageTest)
#include "plan_page_test.moc"
#include "support/campaign.h"
