// SPDX-License-Identifier: GPL-3.0-or-later
// Every page with real studies on it: nothing is cut off, nothing lies over anything else, no page
// scrolls sideways, no chart lost a label, all that Tab reaches has a name.
// {light, dark, high contrast} x {100 %, 150 %} x {1024x768, 2560x1440} x {left to right, right to
// left} x every language. A scale is a process of its own (gui_tour, gui_tour_150: QT_SCALE_FACTOR
// is read once); sizes are those of the screen as programs see it, less what a desktop's bars take
// of the small one. The check looks at every pair of these but right to left in a second language,
// which no language here is. --full: the whole matrix, and sizes between them.
// SCALEBENCH_TOUR_PICTURES=DIR keeps every picture, to be looked at.
#include "gui/geometry.h"
#include "gui/gui_fixture.h"
#include "gui/settle.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include "app/main_window.h"
#include "pages/compare/compare_page.h"
#include "pages/plan/plan_page.h"
#include "pages/registry.h"
#include "pages/results/results_page.h"
#include "pages/scaling/scaling_page.h"
#include "run/run_status.h"
#include "run/study_files.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "settings/language.h"
#include "widgets/data_table.h"

#include <QDockWidget>
#include <QMap>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTableView>

using namespace scalebench;
using namespace scalebench::test;

namespace {

QByteArray stream(const QString& name)
{
    QFile file(QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/%1.txt").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// As a supervisor leaves a run.
bool endRun(const RunRecord& run, RunState state, const QString& streamName,
            const Failure& why = {})
{
    RunStatus status;
    status.state = state;
    status.error = why;
    status.createdMs = run.createdMs;
    status.startedMs = run.createdMs + 1000;
    status.finishedMs = run.createdMs + 90'000;
    QFile file(run.runDir + QStringLiteral("/result_0.txt"));
    const QByteArray bytes = stream(streamName);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() &&
           writeRunStatus(run.runDir, status);
}

} // namespace

class TourTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        initGuiTest();
        useFakeEngine("ok", 4, 20);
        StudySpec spec;
        spec.name = QStringLiteral("Batch of the table against the rule of thumb, second attempt");
        spec.oversubscribe = true;
        spec.workers = {1, 2, 4};
        spec.repeats = 2;
        m_first = m_library.create(spec, QStringLiteral("first"));
        for (int i = 0; i < m_first.runs.size(); ++i)
            QVERIFY(endRun(m_first.runs[i], RunState::Completed,
                           m_first.runs[i].config.workers == 1
                               ? QStringLiteral("reached_1_worker")
                               : QStringLiteral("reached_2_workers")));
        // Two metrics, a run that failed with a long reason, one that missed its target.
        StudySpec ncf;
        ncf.name = QStringLiteral("Recommendation");
        ncf.workload = QStringLiteral("ncf");
        ncf.oversubscribe = true;
        ncf.workers = {1, 2};
        ncf.repeats = 2;
        ncf.target = 0.7; // as the stream's runs reach it
        m_second = m_library.create(ncf, QStringLiteral("second"));
        for (int i = 0; i < m_second.runs.size(); ++i)
            QVERIFY(endRun(m_second.runs[i],
                           i == 1   ? RunState::Failed
                           : i == 2 ? RunState::NotConverged
                                    : RunState::Completed,
                           QStringLiteral("two_metrics"),
                           i == 1 ? Failure{QStringLiteral("data_missing"),
                                            QStringLiteral("The data set was not found in "
                                                           "/srv/data/movielens/ml-20m on node17. "
                                                           "Choose its folder in Plan.")}
                                  : Failure{}));
    }

    void scaleIsAsAsked()
    {
        bool isNumber = false;
        const double asked = qEnvironmentVariable("QT_SCALE_FACTOR").toDouble(&isNumber);
        QCOMPARE(qApp->devicePixelRatio(), isNumber ? asked : 1.0);
    }

    void everyPage_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("mirrored");
        QTest::addColumn<bool>("dark");
        const bool whole = fullCampaign();
        QList<QSize> sizes{QSize(1024, 700), QSize(2560, 1440)};
        if (whole)
            sizes << QSize(1280, 800) << QSize(1920, 1080);
        const QStringList names = languages();
        const bool enlarged = qApp->devicePixelRatio() > 1;
        for (const QString& language : names)
            for (const QSize& size : std::as_const(sizes))
                for (const bool mirrored : {false, true}) {
                    const bool second = language != names.first(), large = size != sizes.first();
                    // Half of the combinations have every pair (a fractional factorial design).
                    if (!whole && ((mirrored && second) ||
                                   (int(second) + int(large) + int(mirrored) + int(enlarged)) % 2))
                        continue;
                    const bool dark = whole || mirrored != large;
                    QTest::addRow("%s %dx%d%s", qPrintable(language), size.width(), size.height(),
                                  mirrored ? " right to left" : "")
                        << language << size << mirrored << dark;
                }
    }

    void everyPage()
    {
        QFETCH(QString, language);
        QFETCH(QSize, size);
        QFETCH(bool, mirrored);
        QFETCH(bool, dark);
        applyLanguage(language);
        QGuiApplication::setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
        ThemeManager::instance().apply(ThemeChoice::Light);
        CommandLine line;
        line.libraryDir = m_library.folder.path();
        line.size = size;
        MainWindow window(line);
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        Faults faults;
        fill(window, m_first, nullptr);
        if (QTest::currentTestFailed())
            return;
        for (const ThemeChoice theme :
             {ThemeChoice::Light, ThemeChoice::Dark, ThemeChoice::Contrast}) {
            if (theme == ThemeChoice::Dark && !dark)
                continue;
            ThemeManager::instance().apply(theme);
            look(window, themeChoiceName(theme), faults);
        }
        fill(window, m_second, &m_first);
        if (QTest::currentTestFailed())
            return;
        showDocks(window, {QStringLiteral("queueDock"), QStringLiteral("machineDock")});
        look(window, QStringLiteral("contrast, two metrics"), faults);
        ThemeManager::instance().apply(ThemeChoice::Light);
        showDocks(window, {QStringLiteral("logDock"), QStringLiteral("propertiesDock")});
        look(window, QStringLiteral("light, two metrics"), faults);
        for (auto it = faults.begin(); it != faults.end(); ++it)
            qWarning("%s (%s)", qPrintable(it.key()), qPrintable(it.value().join(u'|')));
        QCOMPARE(faults.size(), 0);
    }

    void cleanupTestCase()
    {
        applyLanguage(QStringLiteral("en"));
        QGuiApplication::setLayoutDirection(Qt::LeftToRight);
    }

private:
    using Faults = QMap<QString, QStringList>; ///< and how they were seen

    /// One of each place, where there is room for them.
    static void showDocks(MainWindow& window, const QStringList& names)
    {
        QFETCH(QSize, size);
        for (QDockWidget* dock : window.findChildren<QDockWidget*>())
            dock->setVisible(size.width() > 2000 && names.contains(dock->objectName()));
    }

    /// Every page shows this study, Compare the other beside it.
    static void fill(MainWindow& window, const Study& study, const Study* other)
    {
        window.session()->openStudy(study.dir);
        window.session()->scaleStudy(study.dir);
        window.session()->planLike(study.dir);
        window.page<ComparePage>()->addStudy(study.dir);
        if (other)
            window.page<ComparePage>()->addStudy(other->dir);
        const auto until = [](const char* what, const std::function<bool()>& done) {
            QVERIFY2(QTest::qWaitFor(done, kHangMs / 10), what);
        };
        until("the Run page has the study's points", [&] {
            const Study& shown = window.live()->study();
            return shown.id == study.id && !shown.runs.last().evals.isEmpty();
        });
        until("Scaling has the study",
              [&] { return window.page<ScalingPage>()->study().id == study.id; });
        until("Compare has the studies",
              [&] { return window.page<ComparePage>()->groups().size() > (other ? 1 : 0); });
        until("Results has chosen runs",
              [&] { return !window.page<ResultsPage>()->table()->selectedSourceRows().isEmpty(); });
        until("the plan was checked", [&] { return window.page<PlanPage>()->isChecked(); });
    }

    static void look(MainWindow& window, const QString& how, Faults& faults)
    {
        QFETCH(QSize, size);
        for (const QString& id : pageIds()) {
            window.showPage(id);
            if (window.size() != size) // it may be as small as that
                faults[QStringLiteral("the window is %1 pixels wide instead of %2")
                           .arg(window.width())
                           .arg(size.width())]
                    << id;
            const auto check = [&](const QString& part) {
                QVERIFY(QTest::qWaitFor([&] { return window.isSettled(); }, kHangMs / 10));
                settle(window);
                keepPicture(window, id + part, how);
                const QStringList found = Geometry(window).faults();
                for (const QString& fault : found)
                    if (QStringList& where =
                            faults[QStringLiteral("%1%2: %3").arg(id, part, fault)];
                        !where.contains(how))
                        where << how;
            };
            check({});
            if (id == QLatin1String("plan")) { // the longest warnings
                MachineInfo busy;
                busy.processors = 2, busy.busyProcessors = 1.9;
                window.page<PlanPage>()->setOtherWork(busy);
                check(QStringLiteral(", busy computer"));
            }
            Page* page = nullptr;
            for (Page* candidate : window.findChildren<Page*>())
                if (candidate->objectName() == id)
                    page = candidate;
            for (QTabWidget* tabs : page->findChildren<QTabWidget*>()) {
                for (int tab = 0; tabs->isVisible() && tab < tabs->count(); ++tab) {
                    if (!tabs->isTabVisible(tab))
                        continue;
                    tabs->setCurrentIndex(tab);
                    check(QStringLiteral("/%1").arg(tab));
                }
                tabs->setCurrentIndex(0);
            }
        }
    }

    static void keepPicture(MainWindow& window, const QString& page, const QString& how)
    {
        static const QString folder = qEnvironmentVariable("SCALEBENCH_TOUR_PICTURES");
        if (folder.isEmpty())
            return;
        const QPixmap picture = window.grab();
        QString name = QStringLiteral("%1 %2 %3 %4")
                           .arg(page, QString::fromUtf8(QTest::currentDataTag()), how)
                           .arg(picture.devicePixelRatio());
        name.replace(QRegularExpression(QStringLiteral("[^a-z0-9.]+")), QStringLiteral("_"));
        QVERIFY(picture.save(QDir(folder).filePath(name + QStringLiteral(".png"))));
    }

    TemporaryLibrary m_library;
    Study m_first, m_second;
};

QTEST_MAIN(TourTest)
#include "tour_test.moc"
