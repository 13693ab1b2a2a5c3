// SPDX-License-Identifier: GPL-3.0-or-later
// Every dialog in each language, direction and the lightest and hardest theme, as the tour looks at
// pages: nothing is cut off, nothing lies over anything else, all that Tab reaches has a name;
// Escape closes it.
#include "gui/geometry.h"
#include "gui/gui_fixture.h"

#include "dialogs/annotation_dialog.h"
#include "dialogs/chart_files_dialog.h"
#include "dialogs/claim_dialog.h"
#include "dialogs/collectives_dialog.h"
#include "dialogs/csv_columns_dialog.h"
#include "dialogs/data_dialog.h"
#include "dialogs/export_dialog.h"
#include "dialogs/help_dialog.h"
#include "dialogs/shortcut_dialog.h"
#include "figures/run_charts.h"
#include "library/annotations.h"
#include "settings/language.h"
#include "settings/shortcuts.h"
#include "support/campaign.h"

#include <QAction>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>

#include <functional>

using namespace scalebench;
using namespace scalebench::test;

class DialogsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void everyDialog_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<bool>("mirrored");
        for (const QString& language : languages())
            for (const bool mirrored : {false, true})
                QTest::addRow("%s%s", qPrintable(language), mirrored ? " right to left" : "")
                    << language << mirrored;
    }

    void everyDialog()
    {
        QFETCH(QString, language);
        QFETCH(bool, mirrored);
        applyLanguage(language);
        QGuiApplication::setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
        QStringList faults;
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Contrast}) {
            ThemeManager::instance().apply(theme);
            for (const auto& [name, make] : dialogs()) {
                const std::unique_ptr<QDialog> dialog(make());
                dialog->show();
                QVERIFY(QTest::qWaitForWindowExposed(dialog.get()));
                keepPicture(dialog->grab(), name, themeChoiceName(theme));
                for (const QString& fault : Geometry(*dialog).faults())
                    faults << QStringLiteral("%1: %2").arg(name, fault);
                if (dialog->windowTitle().isEmpty())
                    faults << QStringLiteral("%1 has no title").arg(name);
                QTest::keyClick(dialog.get(), Qt::Key_Escape);
                QVERIFY2(!dialog->isVisible(), qPrintable(name));
            }
        }
        faults.removeDuplicates();
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }

    /// A copy of a picture under another name: its ending chooses the format, none gets the one
    /// that is chosen, and one that is no picture's is refused where it was typed.
    void chartsUnderOtherNames()
    {
        applyLanguage(QStringLiteral("en"));
        const QTemporaryDir dir;
        const auto exportTo = [&dir](const char* name) {
            auto dialog = std::make_unique<ExportDialog>(
                accuracyChart(inventedStudy({1, 2}), RunAxis::Epoch), ExportOptions());
            dialog->show();
            dialog->setFileName(dir.filePath(QLatin1StringView(name)));
            auto* save = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save);
            save->click();
            const bool ended =
                QTest::qWaitFor([&] { return save->isEnabled() || !dialog->isVisible(); }, kHangMs);
            return ended && dialog->isVisible() ? std::move(dialog) : nullptr;
        };
        for (const char* name : {"one", "two.svg", "three.PDF", "four.csv"})
            QVERIFY2(!exportTo(name), name);
        QFile svg(dir.filePath(QStringLiteral("two.svg")));
        QVERIFY(svg.open(QIODevice::ReadOnly) && svg.readAll().contains("<svg"));
        const auto refused = exportTo("five.jpg");
        QVERIFY(refused);
        QStringList said;
        for (const QLabel* label : refused->findChildren<QLabel*>())
            if (label->isVisible())
                said << label->text();
        QVERIFY2(said.join(u' ').contains(QStringLiteral("no known ending")),
                 qPrintable(said.join(u'\n')));
        QCOMPARE(QDir(dir.path()).entryList(QDir::Files, QDir::Name),
                 QStringList({QStringLiteral("four.csv"), QStringLiteral("one.png"),
                              QStringLiteral("three.PDF"), QStringLiteral("two.svg")}));
    }

    /// Whether or not Qt's own translation is installed here.
    void standardButtonsAreTranslated()
    {
        applyLanguage(QStringLiteral("de"));
        const QDialogButtonBox box(QDialogButtonBox::Save | QDialogButtonBox::Cancel |
                                   QDialogButtonBox::Close);
        QCOMPARE(box.button(QDialogButtonBox::Save)->text(), QStringLiteral("Speichern"));
        QCOMPARE(box.button(QDialogButtonBox::Cancel)->text(), QStringLiteral("Abbrechen"));
        QCOMPARE(box.button(QDialogButtonBox::Close)->text(), QStringLiteral("Schließen"));
    }

    void cleanupTestCase()
    {
        applyLanguage(QStringLiteral("en"));
        QGuiApplication::setLayoutDirection(Qt::LeftToRight);
    }

private:
    using Make = std::function<QDialog*()>;

    QList<std::pair<QString, Make>> dialogs()
    {
        return {
            {QStringLiteral("export"),
             [] {
                 return new ExportDialog(accuracyChart(inventedStudy({1, 2}), RunAxis::Epoch), {});
             }},
            {QStringLiteral("columns"),
             [] {
                 const QString file = QStringLiteral("karten.csv");
                 const auto table = imports::parseCsv("karten;dauer\n1;10,5\n2;6\n", file);
                 return new CsvColumnsDialog(file, table.value());
             }},
            {QStringLiteral("help"), [] { return new HelpDialog; }},
            {QStringLiteral("claim"), [] { return new ClaimDialog; }},
            {QStringLiteral("collectives"), [] { return new CollectivesDialog; }},
            {QStringLiteral("chart files"), [] { return new ChartFilesDialog; }},
            {QStringLiteral("annotation"),
             [] {
                 return new AnnotationDialog(
                     QStringLiteral("Batch of the table against the rule of thumb"),
                     {{QStringLiteral("night")}, QStringLiteral("A note.")}, {});
             }},
            {QStringLiteral("data"),
             [] {
                 return new DataDialog(QStringLiteral("resnet"), QStringLiteral("lab"), {},
                                       machineWith(2));
             }},
            {QStringLiteral("shortcuts"), [this] { return new ShortcutDialog(shortcuts()); }}};
    }

    Shortcuts* shortcuts()
    {
        if (m_shortcuts.entries().isEmpty()) {
            for (const char* text : {"&Open…", "Export &chart…"}) {
                auto* action = new QAction(QString::fromUtf8(text), this);
                action->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_O));
                m_shortcuts.add(action, action->text());
            }
        }
        return &m_shortcuts;
    }

    /// As of the tour.
    static void keepPicture(const QPixmap& picture, const QString& dialog, const QString& theme)
    {
        static const QString folder = qEnvironmentVariable("SCALEBENCH_TOUR_PICTURES");
        if (folder.isEmpty())
            return;
        QString name = QStringLiteral("dialog %1 %2 %3")
                           .arg(dialog, QString::fromUtf8(QTest::currentDataTag()), theme);
        name.replace(QRegularExpression(QStringLiteral("[^a-z0-9.]+")), QStringLiteral("_"));
        QVERIFY(picture.save(QDir(folder).filePath(name + QStringLiteral(".png"))));
    }

    Shortcuts m_shortcuts;
};

QTEST_MAIN(DialogsTest)
#include "dialogs_test.moc"
