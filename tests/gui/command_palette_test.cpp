// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+K: everything the menus offer, found by a few letters, by keyboard alone.
#include "gui/gui_fixture.h"
#include "gui/window_fixture.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include "app/command_palette.h"
#include "app/main_window.h"
#include "dialogs/collectives_dialog.h"
#include "models/command_model.h"
#include "models/fuzzy_match.h"
#include "pages/registry.h"
#include "session/page_ids.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenuBar>

using namespace scalebench;
using namespace scalebench::test;

class CommandPaletteTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        initGuiTest();
        useFakeEngine("ok", 4, 20);
    }

    void lettersInTheirOrder()
    {
        QVERIFY(!fuzzyMatch(QStringLiteral("Results"), QStringLiteral("rx")));
        QVERIFY(!fuzzyMatch(QStringLiteral("Results"), QStringLiteral("er u r")));
        const auto match = fuzzyMatch(QStringLiteral("Export a picture"), QStringLiteral("EP"));
        QVERIFY(match);
        QCOMPARE(match->position, (QList<int>{0, 9})); // beginnings of words, not "xp"
        QCOMPARE(fuzzyMatch(QStringLiteral("Stop now"), QStringLiteral("now"))->position,
                 (QList<int>{5, 6, 7}));
        const auto score = [](const char* title, const char* typed) {
            return fuzzyMatch(QString::fromLatin1(title), QString::fromLatin1(typed))->score;
        };
        QVERIFY(score("Plan", "plan") > score("Save plan", "plan"));
        QVERIFY(score("Run queue", "rq") > score("Restore required", "rq"));
        QVERIFY(fuzzyMatch(QStringLiteral("anything"), QString())->position.isEmpty());
    }

    void bestFirst()
    {
        CommandModel model;
        const QAbstractItemModelTester tester(&model);
        QList<Command> commands;
        for (const char* title : {"Open study folder", "Stop now", "Results", "Restore layout"})
            commands << Command{QString::fromLatin1(title), QStringLiteral("Menu"), {}, {}, [] {}};
        model.setCommands(commands);
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("Open study folder"));
        model.setFilter(QStringLiteral("res"));
        QVERIFY(model.rowCount() >= 2);
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("Results"));
        model.setFilter(QStringLiteral("menu stop"));
        QCOMPARE(model.rowCount(), 1);
        model.setFilter(QStringLiteral("qqq"));
        QCOMPARE(model.rowCount(), 0);
    }

    void offersPagesAndActions()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library, QStringLiteral("home")));
        window.show();
        QStringList titles;
        for (const Command& command : commandsOf(window.menuBar()))
            titles << command.title;
        qsizetype page = 0;
        for (const PageEntry& entry : pageRegistry())
            QCOMPARE(titles.value(page++), QString(entry.title).remove(QLatin1Char('&')));
        for (const char* title : {"New plan", "Write report…", "Dark", "Log", "About Scalebench"})
            QCOMPARE(titles.contains(QString::fromUtf8(title)),
                     !QByteArray(title).startsWith("Write")); // which is off: nothing has run
        QCOMPARE(titles.count(QStringLiteral("Theme")), 0);   // a menu is no command
        // In two menus, but once here, with its keys.
        QCOMPARE(titles.count(QStringLiteral("Settings")), 1);
        for (const Command& command : commandsOf(window.menuBar()))
            if (command.title == QStringLiteral("Settings"))
                QCOMPARE(command.shortcut, QStringLiteral("Ctrl+,"));
    }

    /// What a page's tools do is found from everywhere, and is done there.
    void offersToolsOfPages()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library, QStringLiteral("home")));
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
        auto* palette = window.findChild<CommandPalette*>();
        QTest::keyClicks(palette->findChild<QLineEdit*>(), QStringLiteral("collective"));
        QCOMPARE(palette->findChild<QListView*>()->currentIndex().data().toString(),
                 QStringLiteral("Collective bandwidth…"));
        QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Return);
        QCOMPARE(window.page(), page_id::kScaling);
        auto* dialog = window.findChild<CollectivesDialog*>();
        QVERIFY(dialog);
        dialog->close();
    }

    void byKeyboardAlone()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library, QStringLiteral("home")));
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        auto* palette = window.findChild<CommandPalette*>();
        QVERIFY(!palette->isVisible());
        QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
        QVERIFY(palette->isVisible());
        auto* edit = palette->findChild<QLineEdit*>();
        auto* list = palette->findChild<QListView*>();
        QVERIFY(edit->hasFocus());
        keepPicture(window, "all");
        QTest::keyClicks(edit, QStringLiteral("scal"));
        QCOMPARE(list->currentIndex().data().toString(), QStringLiteral("Scaling"));
        QVERIFY(!list->currentIndex().data(CommandModel::ShortcutRole).toString().isEmpty());
        keepPicture(window, "scal");
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(!palette->isVisible());
        QCOMPARE(window.page(), page_id::kScaling);
        // Esc puts it away and changes nothing.
        QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
        QVERIFY(edit->text().isEmpty());
        QTest::keyClick(edit, Qt::Key_Down);
        QCOMPARE(list->currentIndex().row(), 1);
        QTest::keyClick(edit, Qt::Key_Up);
        QTest::keyClick(edit, Qt::Key_Up);
        QCOMPARE(list->currentIndex().row(), list->model()->rowCount() - 1); // goes round
        QTest::keyClicks(edit, QStringLiteral("zzzz"));
        QVERIFY(!list->isVisible());
        QTest::keyClick(edit, Qt::Key_Return); // nothing to do
        QVERIFY(palette->isVisible());
        QTest::keyClick(edit, Qt::Key_Escape);
        QVERIFY(!palette->isVisible());
        QCOMPARE(window.page(), page_id::kScaling);
    }

    void fitsIntoASmallWindow()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library, QStringLiteral("home")));
        window.resize(700, 520);
        window.show();
        auto* palette = window.findChild<CommandPalette*>();
        palette->open(commandsOf(window.menuBar()));
        QVERIFY(window.rect().contains(palette->geometry()));
        ThemeManager::instance().apply(ThemeChoice::Dark);
        palette->findChild<QLineEdit*>()->setText(QStringLiteral("export"));
        keepPicture(window, "dark");
        ThemeManager::instance().apply(ThemeChoice::Light);
    }

private:
    /// For those who want to look: into the folder named by the environment.
    static void keepPicture(QWidget& window, const char* name)
    {
        const QString dir = qEnvironmentVariable("SCALEBENCH_TEST_PICTURES");
        QTest::qWait(1);
        if (!dir.isEmpty())
            QVERIFY(window.grab().save(
                QStringLiteral("%1/palette_%2.png").arg(dir, QString::fromLatin1(name))));
    }
};

SB_WATCHED_TEST_MAIN(CommandPaletteTest)
#include "command_palette_test.moc"
