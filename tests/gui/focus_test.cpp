// SPDX-License-Identifier: GPL-3.0-or-later
// By Tab alone through every page, in each theme: all that can be used is reached, the way goes
// round, and where the keyboard is can be seen.
#include "gui/gui_fixture.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include "app/main_window.h"
#include "charts/chart_widget.h"
#include "pages/registry.h"
#include "pages/scaling/scaling_page.h"
#include "run/run_status.h"
#include "run/study_files.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"

#include <QAbstractButton>
#include <QWindow>

using namespace scalebench;
using namespace scalebench::test;

class FocusTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        initGuiTest();
        useFakeEngine("ok", 4, 20);
        m_study = m_library.create({1, 2}, QStringLiteral("s"));
        QFile golden(QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/reached_1_worker.txt"));
        for (const RunRecord& run : std::as_const(m_study.runs)) {
            RunStatus status;
            status.state = RunState::Completed;
            QVERIFY(golden.copy(run.runDir + QStringLiteral("/result_0.txt")));
            QVERIFY(writeRunStatus(run.runDir, status));
        }
    }

    void everyPage_data()
    {
        QTest::addColumn<QString>("page");
        QTest::addColumn<QString>("theme");
        for (const PageEntry& entry : pageRegistry())
            for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Contrast})
                QTest::addRow("%s %s", qPrintable(entry.id), qPrintable(themeChoiceName(theme)))
                    << entry.id << themeChoiceName(theme);
    }

    void everyPage()
    {
        QFETCH(QString, page);
        QFETCH(QString, theme);
        ThemeManager::instance().apply(themeChoiceFromName(theme));
        CommandLine line;
        line.libraryDir = m_library.folder.path();
        line.size = QSize(1280, 900);
        MainWindow window(line);
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.session()->openStudy(m_study.dir);
        QTRY_COMPARE_WITH_TIMEOUT(window.live()->study().id, m_study.id, kHangMs);
        QTRY_COMPARE_WITH_TIMEOUT(window.page<ScalingPage>()->study().id, m_study.id, kHangMs);
        window.showPage(page);
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window, kHangMs));
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kHangMs);
        QStringList unseen;
        QSet<const QWidget*> reached;
        constexpr int kMost = 400;
        const QWidget* first = nullptr;
        int keys = 0;
        for (; keys < kMost; ++keys) {
            QTest::keyClick(window.windowHandle(), Qt::Key_Tab);
            QWidget* now = QApplication::focusWidget();
            QVERIFY(now);
            if (now == first)
                break;
            if (!first)
                first = now;
            if (reached.contains(now))
                continue; // a chart: Tab goes on within
            reached << now;
            if (!isSeen(window, now))
                unseen << nameOf(now);
        }
        QVERIFY2(keys < kMost, "Tab comes round");
        QVERIFY2(unseen.isEmpty(), qPrintable(unseen.join(u'\n')));
        QStringList missed;
        for (const QWidget* widget : window.findChildren<QAbstractButton*>())
            if (widget->isVisible() && widget->isEnabled() &&
                (widget->focusPolicy() & Qt::TabFocus) && !reached.contains(widget) &&
                !widget->focusProxy() && widget->window() == &window && !inGroup(widget))
                missed << nameOf(widget);
        QVERIFY2(missed.isEmpty(), qPrintable(missed.join(u'\n')));
    }

private:
    /// Of buttons that exclude one another, arrow keys go on from the checked one.
    static bool inGroup(const QWidget* widget)
    {
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        return button && (button->group() || button->autoExclusive());
    }

    static QString nameOf(const QWidget* widget)
    {
        return QStringLiteral("%1 “%2” %3, %4 x %5 pixels")
            .arg(QString::fromLatin1(widget->metaObject()->className()), widget->objectName(),
                 widget->accessibleName())
            .arg(widget->width())
            .arg(widget->height());
    }

    /// It looks otherwise than without the focus; a page that is still being laid out a moment
    /// later.
    static bool isSeen(MainWindow& window, QWidget* widget)
    {
        return QTest::qWaitFor([&] { return looksOtherwise(window, widget); }, kHangMs / 10);
    }

    static bool looksOtherwise(MainWindow& window, QWidget* widget)
    {
        const auto picture = [&] {
            QCoreApplication::processEvents();
            if (auto* chart = qobject_cast<ChartWidget*>(widget))
                chart->replotNow();
            const QRect place(widget->mapTo(&window, QPoint(0, 0)), widget->size());
            return window.grab(place.adjusted(-3, -3, 3, 3)).toImage();
        };
        const QImage with = picture();
        widget->clearFocus();
        const QImage without = picture();
        widget->setFocus(Qt::TabFocusReason);
        QCoreApplication::processEvents();
        return with != without;
    }

    TemporaryLibrary m_library;
    Study m_study;
};

QTEST_MAIN(FocusTest)
#include "focus_test.moc"
