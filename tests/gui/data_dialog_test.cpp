// SPDX-License-Identifier: GPL-3.0-or-later
// The data of a plan looked at, checked and made from the Plan page, by another program: what it
// finds, what it refuses, and that it ends with the dialog.
#include "gui/plan_page_fixture.h"

#include "dialogs/data_dialog.h"
#include "support/program_file.h"
#include "widgets/data_table.h"

#include <QFile>
#include <QPlainTextEdit>
#include <QProcess>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

#include <csignal>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class DataDialogTest : public QObject, private PlanPageFixture
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QString path(const QString& name) const { return m_folder.filePath(name); }

    /// An engine that keeps what it was asked and does what `script` says.
    MachineInfo machineWithEngine(const QByteArray& script) const
    {
        MachineInfo machine = machineWith(2);
        machine.enginePath = path(u"engine"_s);
        writeProgram(machine.enginePath, "#!/bin/sh\necho \"$@\" >" +
                                             QFile::encodeName(path(u"asked"_s)) + "\ncat >" +
                                             QFile::encodeName(path(u"config"_s)) + "\n" + script);
        return machine;
    }
    QByteArray content(const QString& name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static QString message(const QWidget& dialog)
    {
        return dialog.findChild<QLabel*>(u"dataMessage"_s)->text();
    }
    static void press(const QWidget& dialog, const QString& button)
    {
        auto* found = dialog.findChild<QPushButton*>(button);
        QVERIFY(found && found->isEnabled());
        QTest::mouseClick(found, Qt::LeftButton);
    }
    static void finish(const DataDialog& dialog)
    {
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.isBusy(), kHangMs);
    }

private Q_SLOTS:
    void initTestCase() { initGuiTest(); }
    void init() // an empty folder is refused without the engine
    {
        QDir().mkpath(path(u"set"_s));
        QFile file(path(u"set/a.jpg"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("x") == 1);
    }

    void checksAndNamesWhatIsDamaged()
    {
        const MachineInfo machine = machineWithEngine(
            "echo '{\"workload\":\"resnet\",\"source\":\"files\",\"train_samples\":70000,"
            "\"eval_samples\":12,\"format\":\"class folders\",\"classes\":\"3\",\"damaged\":2,"
            "\"bytes_read\":1048576,\"messages\":[\"a.jpg is damaged at byte 7\","
            "\"b.jpg \\u001b[2J\"],\"remarks\":[\"odd\"]}'\nexit 2\n");
        DataDialog dialog(u"resnet"_s, u"lab"_s, path(u"set"_s), machine);
        dialog.show();
        press(dialog, u"check"_s);
        QVERIFY(dialog.isBusy());
        QVERIFY(!dialog.findChild<QPushButton*>(u"look"_s)->isEnabled());
        finish(dialog);
        QCOMPARE(content(u"asked"_s), QByteArray("data check --config - --json\n"));
        const QByteArray config = content(u"config"_s);
        QVERIFY(config.contains(path(u"set"_s).toUtf8()) && config.contains("\"lab\""));
        QVERIFY(message(dialog).contains(u'2'));
        const auto* table = dialog.findChild<DataTable*>()->proxy();
        QStringList cells;
        for (int row = 0; row < table->rowCount(); ++row)
            for (int column = 0; column < 2; ++column)
                cells << table->index(row, column).data().toString();
        QVERIFY(cells.contains(u"class folders"_s));
        QVERIFY(cells.contains(QLocale().toString(70000)));
        const QString named = dialog.findChild<QPlainTextEdit*>(u"dataProblems"_s)->toPlainText();
        QVERIFY(named.contains(u"a.jpg is damaged at byte 7"_s) && named.contains(u"odd"_s));
        QVERIFY(!named.contains(QChar(0x1b)));
    }

    void whatCannotBeReadIsSaid()
    {
        const MachineInfo machine =
            machineWithEngine("echo 'scalebench-engine: there is no data at X' >&2; exit 2\n");
        DataDialog dialog(u"resnet"_s, u"lab"_s, path(u"set"_s), machine);
        dialog.show();
        press(dialog, u"look"_s);
        finish(dialog);
        QCOMPARE(message(dialog), u"there is no data at X"_s);
        QVERIFY(!dialog.findChild<QPushButton*>(u"use"_s)->isEnabled());

        MachineInfo none = machine;
        none.enginePath = path(u"no/engine"_s);
        DataDialog other(u"resnet"_s, u"lab"_s, path(u"set"_s), none);
        other.show();
        press(other, u"look"_s);
        finish(other);
        QVERIFY(!message(other).isEmpty());
    }

    /// Stopped, or closed: nothing goes on reading.
    void theEngineEndsWithTheDialog()
    {
        const MachineInfo machine = machineWithEngine(
            "echo $$ >" + QFile::encodeName(path(u"pid"_s)) + "\nexec sleep 600\n");
        for (const bool close : {false, true}) {
            QFile::remove(path(u"pid"_s));
            auto dialog =
                std::make_unique<DataDialog>(u"ncf"_s, u"desk"_s, path(u"set"_s), machine);
            dialog->show();
            press(*dialog, u"make"_s);
            QTRY_VERIFY_WITH_TIMEOUT(content(u"pid"_s).endsWith('\n'), kHangMs);
            const auto pid = pid_t(content(u"pid"_s).trimmed().toInt());
            if (close) {
                dialog.reset();
            } else {
                const auto buttons = dialog->findChildren<QPushButton*>();
                for (QPushButton* button : buttons)
                    if (button->text() == u"&Stop"_s)
                        QTest::mouseClick(button, Qt::LeftButton);
                QVERIFY(!dialog->isBusy());
            }
            QTRY_VERIFY_WITH_TIMEOUT(::kill(pid, 0) != 0, kHangMs);
        }
    }

    void thePlanTakesWhatWasFound()
    {
        openPage();
        m_page->setMachine(machineWithEngine(
            "echo '{\"train_samples\":10,\"eval_samples\":2,\"format\":\"class folders\"}'\n"));
        settle();
        QTest::mouseClick(m_page->findChild<QToolButton*>(u"checkData"_s), Qt::LeftButton);
        auto* dialog = m_page->findChild<DataDialog*>();
        QVERIFY(dialog);
        dialog->findChild<QLineEdit*>(u"dataPath"_s)->setText(path(u"set"_s));
        press(*dialog, u"look"_s);
        finish(*dialog);
        QTest::mouseClick(dialog->findChild<QPushButton*>(u"use"_s), Qt::LeftButton);
        QVERIFY(!dialog->isVisible());
        QCOMPARE(m_page->spec().data, path(u"set"_s));
    }
};

SB_WATCHED_TEST_MAIN(DataDialogTest)
#include "data_dialog_test.moc"
