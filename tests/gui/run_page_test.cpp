// SPDX-License-Identifier: GPL-3.0-or-later
// What the Run page says of studies on other machines.
#include "gui/gui_fixture.h"

#include "charts/metric_panel.h"
#include "library/library.h"
#include "models/roles.h"
#include "models/run_queue_model.h"
#include "pages/run/run_page.h"
#include "run/run_status.h"
#include "run/study_lock.h"
#include "session/live_study.h"
#include "session/session.h"
#include "study/run_config.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"
#include "widgets/inline_bar.h"
#include "widgets/progress_delegate.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableView>
#include <QToolButton>

using namespace scalebench;
using namespace scalebench::test;

class RunPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void init()
    {
        m_session = std::make_unique<Session>();
        m_live = m_session->live();
        m_queue = m_session->queue();
        m_page = std::make_unique<RunPage>(m_session.get());
    }

    void cleanup()
    {
        m_page.reset();
        m_session.reset();
    }

    /// Of a bar without progress less is in the colour of the border than is not.
    void emptyBarLooksEmpty_data()
    {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << int(ThemeChoice::Light);
        QTest::newRow("dark") << int(ThemeChoice::Dark);
        QTest::newRow("contrast") << int(ThemeChoice::Contrast);
    }
    void emptyBarLooksEmpty()
    {
        QFETCH(const int, theme);
        ThemeManager::instance().apply(static_cast<ThemeChoice>(theme));
        QStandardItemModel model(1, 1);
        model.setData(model.index(0, 0), 0.0, kProgressRole);
        QImage image(200, 24, QImage::Format_RGB32);
        const QColor border = ThemeManager::instance().theme().border;
        image.fill(Qt::magenta);
        QPainter painter(&image);
        QStyleOptionViewItem option;
        option.rect = image.rect();
        option.fontMetrics = QFontMetrics(option.font);
        ProgressDelegate().paint(&painter, option, model.index(0, 0));
        painter.end();
        QVERIFY(image.pixelColor(70, 12) != border); // its middle
        ThemeManager::instance().apply(ThemeChoice::Light);
    }

    /// From right to left the bar grows from the right, and its number stands beside it.
    void progressIsMirrored()
    {
        QStandardItemModel model(1, 1);
        model.setData(model.index(0, 0), 0.5, kProgressRole);
        model.setData(model.index(0, 0), QStringLiteral("50"), Qt::DisplayRole);
        const auto accent = [&](Qt::LayoutDirection direction) {
            QImage image(200, 24, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            QStyleOptionViewItem option;
            option.rect = image.rect();
            option.direction = direction;
            option.font = QApplication::font();
            option.fontMetrics = QFontMetrics(option.font);
            ProgressDelegate().paint(&painter, option, model.index(0, 0));
            painter.end();
            QList<int> columns;
            const QRgb color = ThemeManager::instance().theme().accent.rgb();
            for (int x = 0; x < image.width(); ++x)
                for (int y = 0; y < image.height(); ++y)
                    if (image.pixel(x, y) == color && !columns.contains(x))
                        columns << x;
            return columns;
        };
        const QList<int> left = accent(Qt::LeftToRight), right = accent(Qt::RightToLeft);
        QVERIFY(!left.isEmpty());
        QCOMPARE(right.size(), left.size());
        QCOMPARE(right.first(), 199 - left.last());
        QCOMPARE(right.last(), 199 - left.first());
        QVERIFY(right.first() > 100); // half, on the right
    }

    void lostConnectionIsSaidWithWhatToDo()
    {
        ConnectionState state;
        state.remote = true;
        state.tries = 3;
        state.sinceMs = QDateTime(QDate::currentDate(), QTime(14, 2)).toMSecsSinceEpoch();
        state.text = QStringLiteral("ssh: connect to host login port 22: Connection timed out");
        Q_EMIT m_live->connectionChanged(state);
        const InlineBar* bar = m_page->connectionBar();
        QVERIFY(!bar->isHidden());
        QVERIFY(bar->text().contains(QLatin1String("14:02")));
        QVERIFY(bar->text().contains(QLatin1String("The run continues")));
        QVERIFY(bar->text().contains(QLatin1String("try 3")));
        QStringList buttons;
        for (const auto* button : bar->findChildren<QToolButton*>()) {
            if (!button->isHidden())
                buttons << button->text();
        }
        QVERIFY(buttons.contains(QStringLiteral("Now")));
        QVERIFY(buttons.contains(QStringLiteral("Leave it")));
        QVERIFY(buttons.contains(QStringLiteral("Details")));
        state.connected = true;
        state.text.clear();
        Q_EMIT m_live->connectionChanged(state);
        QVERIFY(bar->text().contains(QLatin1String("Connected again")));
        // A full disk here is no lost connection.
        state.text = QStringLiteral("/studies has only 3 MB left");
        Q_EMIT m_live->connectionChanged(state);
        QCOMPARE(bar->text(), state.text);
        state.text.clear();
        Q_EMIT m_live->connectionChanged(state);
        QVERIFY(bar->isHidden());
        // Here there is no connection to speak of.
        Q_EMIT m_live->connectionChanged(ConnectionState());
        QVERIFY(bar->isHidden());
    }

    void waitingRunSaysWhy()
    {
        Study study = inventedStudy({1, 2});
        study.runs[1].state = RunState::Starting;
        study.runs[1].waiting = QStringLiteral("Slurm: Priority, start about 15:20");
        m_queue->setStudy(&study);
        const QModelIndex cell = m_queue->index(1, RunQueueModel::Progress);
        QCOMPARE(cell.data().toString(), study.runs[1].waiting);
        QVERIFY(!cell.data(kProgressRole).isValid());
        study.runs[1].state = RunState::Running;
        QVERIFY(cell.data(kProgressRole).isValid());
        m_queue->setStudy(nullptr);
    }

    /// An empty chart says what is awaited now, not what was when the study was shown.
    void emptyChartsFollowTheState()
    {
        TemporaryLibrary library;
        const Study study = library.create({1}, QStringLiteral("slow"));
        StudyLock lock; // as a supervisor holds it
        QVERIFY(lock.acquire(study.dir, 2000));
        m_live->attach(study.dir);
        const auto said = [this] { return m_page->accuracy()->chart().emptyText; };
        QTRY_VERIFY_WITH_TIMEOUT(said().startsWith(QStringLiteral("Nothing is recorded yet")),
                                 kHangMs);
        RunStatus running;
        running.state = RunState::Running;
        QVERIFY(writeRunStatus(study.runs.first().runDir, running));
        QTRY_VERIFY_WITH_TIMEOUT(said().startsWith(QStringLiteral("The first points appear soon")),
                                 kHangMs);
    }

    void endedRunTellsWhatWasLeftOnItsNodes()
    {
        const QString dir = endedStudy();
        QVERIFY(!dir.isEmpty());
        QSignalSpy finished(m_live, &LiveStudy::finished);
        m_live->attach(dir);
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), kHangMs);
        bool said = false;
        for (const auto* label : m_page->findChildren<QLabel*>())
            said |= label->text().contains(QLatin1String("node2: did not answer")) &&
                    label->text().contains(QLatin1String("Nothing left on node1"));
        QVERIFY(said);
        // It was cancelled: it can go on.
        QVERIFY(!m_page->findChild<QPushButton*>(QStringLiteral("resumeStudy"))->isHidden());
        QVERIFY(m_page->findChild<QPushButton*>(QStringLiteral("pauseQueue"))->isHidden());
        m_live->leave();
        QVERIFY(!m_live->hasStudy());
        QCOMPARE(m_queue->rowCount(), 0);
    }

    /// In a narrow window the name of a run gives way, not what has been done of it.
    void progressCanBeRead()
    {
        StudySpec spec;
        spec.workers = {1};
        spec.settings = {{QStringLiteral("schedule.base_lr"), {0.1, 0.2}},
                         {QStringLiteral("optimizer.momentum"), {0.8, 0.9}},
                         {QStringLiteral("options.overlap"), {false, true}}};
        const QString dir =
            endedStudy(QStringLiteral("names"), QStringLiteral("cancelled"), {}, spec);
        QVERIFY(!dir.isEmpty());
        QSignalSpy finished(m_live, &LiveStudy::finished);
        m_live->attach(dir);
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty() && m_page->isSettled(), kHangMs);
        QCOMPARE(m_queue->rowCount(), 8);
        QTableView* table = nullptr;
        for (auto* view : m_page->findChildren<QTableView*>())
            if (view->model()->columnCount() == m_queue->columnCount() &&
                view->model()->rowCount() == m_queue->rowCount())
                table = view;
        QVERIFY(table != nullptr);
        const auto besides = [&](int width) {
            table->viewport()->resize(width, 100);
            QResizeEvent resized(table->viewport()->size(), {});
            QCoreApplication::sendEvent(table->viewport(), &resized);
            int sum = 0;
            for (int column = 0; column < m_queue->columnCount(); ++column)
                sum += column == RunQueueModel::Progress ? 0 : table->columnWidth(column);
            return sum;
        };
        const int whole = besides(4000);
        QVERIFY(table->columnWidth(RunQueueModel::Run) > 240); // it has 100 to give
        QCOMPARE(besides(whole + 100), whole);
        QCOMPARE(besides(whole), whole - 100); // 100 pixels are the progress'
        QVERIFY(table->columnWidth(RunQueueModel::Run) >= 140);
        QCOMPARE(besides(4000), whole);
        m_live->leave();
    }

    void disturbedRunCanBeRunAgain()
    {
        QFile golden(QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/not_reached.txt"));
        QVERIFY(golden.open(QIODevice::ReadOnly));
        const QString dir =
            endedStudy(QStringLiteral("busy"), QStringLiteral("not_converged"), golden.readAll());
        QVERIFY(!dir.isEmpty());
        QSignalSpy finished(m_live, &LiveStudy::finished);
        m_live->attach(dir);
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), kHangMs);
        QVERIFY(!m_page->findChild<QPushButton*>(QStringLiteral("runDisturbedAgain"))->isHidden());
        QVERIFY(m_page->findChild<QPushButton*>(QStringLiteral("resumeStudy"))->isHidden());
        // What came while the study was read has its room.
        QTRY_VERIFY_WITH_TIMEOUT(m_page->isSettled(), kHangMs);
        QTableView* table = nullptr;
        for (auto* view : m_page->findChildren<QTableView*>())
            if (view->model()->columnCount() == m_queue->columnCount())
                table = view;
        QVERIFY(table && !table->isColumnHidden(RunQueueModel::Note));
        table->viewport()->resize(4000, 100);
        QResizeEvent resized(table->viewport()->size(), {});
        QCoreApplication::sendEvent(table->viewport(), &resized);
        const QString note = m_queue->index(0, RunQueueModel::Note).data().toString();
        QVERIFY(note.contains(QLatin1String("disturbed")));
        QVERIFY(table->columnWidth(RunQueueModel::Note) >
                table->fontMetrics().horizontalAdvance(note));
        m_live->leave();
    }

private:
    static StudySpec oneRun()
    {
        StudySpec spec;
        spec.workers = {1};
        return spec;
    }

    /// A cancelled run over two hosts, as a supervisor leaves it.
    QString endedStudy(const QString& id = QStringLiteral("s"),
                       const QString& state = QStringLiteral("cancelled"),
                       const QByteArray& stream = {}, const StudySpec& spec = oneRun())
    {
        auto library = Library::open(m_folder.path());
        const auto runs = planRuns(spec, machineWith(4), id, m_folder.path());
        if (!library || !runs)
            return {};
        const auto study = library.value()->createStudy(spec, runs.value(), id, {});
        if (!study)
            return {};
        for (const RunRecord& run : study.value().runs) {
            QFile file(run.runDir + QStringLiteral("/status.json"));
            if (!file.open(QIODevice::ReadOnly))
                return {};
            QJsonObject status = QJsonDocument::fromJson(file.readAll()).object();
            file.close();
            status.insert(QStringLiteral("state"), state);
            status.insert(
                QStringLiteral("node_ends"),
                QJsonArray{
                    QJsonObject{{QStringLiteral("host"), QStringLiteral("node1")},
                                {QStringLiteral("clean"), true},
                                {QStringLiteral("text"), QStringLiteral("nothing left")}},
                    QJsonObject{{QStringLiteral("host"), QStringLiteral("node2")},
                                {QStringLiteral("clean"), false},
                                {QStringLiteral("text"), QStringLiteral("did not answer")}}});
            if (!file.open(QIODevice::WriteOnly))
                return {};
            file.write(QJsonDocument(status).toJson());
        }
        QFile result(study.value().runs.first().runDir + QStringLiteral("/result_0.txt"));
        if (!stream.isEmpty() && (!result.open(QIODevice::WriteOnly) || result.write(stream) < 0))
            return {};
        return study.value().dir;
    }

    QTemporaryDir m_folder;
    std::unique_ptr<Session> m_session;
    LiveStudy* m_live = nullptr;
    RunQueueModel* m_queue = nullptr;
    std::unique_ptr<RunPage> m_page;
};

SB_WATCHED_TEST_MAIN(RunPageTest)
#include "run_page_test.moc"
