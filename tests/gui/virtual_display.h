// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An X server without a screen, and a person's mouse and keyboard on it: Xvfb and xdotool. For
// tests that meet the program in a real window.

#include "run/study_files.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace scalebench::test {

constexpr int kPatienceMs = 20'000; ///< then a key or click is taken for lost and made again

class VirtualDisplay
{
public:
    /// A program that the tests need and that is not installed; empty: all are.
    static QString missing(const QStringList& further = {})
    {
        for (const QString& program :
             QStringList{QStringLiteral("Xvfb"), QStringLiteral("xdotool")} + further)
            if (QStandardPaths::findExecutable(program).isEmpty())
                return program;
        return {};
    }

    ~VirtualDisplay()
    {
        if (m_server.state() == QProcess::NotRunning)
            return;
        m_server.terminate();
        m_server.waitForFinished(kHangMs);
    }

    bool start()
    {
        // The server picks a free number itself and prints it. Without -noreset it restarts itself
        // when its last client leaves, and a program started in that moment finds no display.
        m_server.start(QStringLiteral("Xvfb"),
                       {QStringLiteral("-displayfd"), QStringLiteral("1"),
                        QStringLiteral("-noreset"), QStringLiteral("-screen"), QStringLiteral("0"),
                        QStringLiteral("1280x900x24")});
        if (!m_server.waitForStarted(kHangMs) || !m_server.waitForReadyRead(kHangMs))
            return false;
        m_name = QLatin1Char(':') + QString::fromLatin1(m_server.readLine().trimmed());
        return true;
    }

    QString name() const { return m_name; }

    /// A program that opens its windows here and keeps its settings in `config`.
    QProcessEnvironment environment(const QString& config) const
    {
        QProcessEnvironment env = QProcessEnvironment::systemEnvironment();
        env.insert(QStringLiteral("DISPLAY"), m_name);
        env.insert(QStringLiteral("XDG_CONFIG_HOME"), config);
        env.remove(QStringLiteral("QT_QPA_PLATFORM"));
        // Then an event that keeps the window for longer makes quit() see another exit code.
        env.insert(QStringLiteral("SCALEBENCH_EVENT_LIMIT_MS"),
                   qEnvironmentVariable("SCALEBENCH_EVENT_LIMIT_MS", QStringLiteral("5000")));
        return env;
    }

    QString xdotool(const QStringList& arguments) const
    {
        QProcess process;
        QProcessEnvironment env = QProcessEnvironment::systemEnvironment();
        env.insert(QStringLiteral("DISPLAY"), m_name);
        process.setProcessEnvironment(env);
        process.start(QStringLiteral("xdotool"), arguments);
        process.waitForFinished(kHangMs);
        return QString::fromLatin1(process.readAllStandardOutput()).trimmed();
    }

    void key(const QString& window, const QString& keys) const
    {
        xdotool({QStringLiteral("windowfocus"), window});
        xdotool({QStringLiteral("key"), keys});
    }
    void type(const QString& text) const
    {
        xdotool({QStringLiteral("type"), QStringLiteral("--delay"), QStringLiteral("20"), text});
    }

    QString windowNamed(const QProcess& program, const QString& title) const
    {
        return xdotool({QStringLiteral("search"), QStringLiteral("--onlyvisible"),
                        QStringLiteral("--all"), QStringLiteral("--pid"),
                        QString::number(program.processId()), QStringLiteral("--name"), title})
            .split(QLatin1Char('\n'))
            .first();
    }
    QString mainWindow(const QProcess& program) const
    {
        return windowNamed(program, QStringLiteral("Scalebench$"));
    }

    QString waitForWindow(QProcess& program) const
    {
        QString found;
        (void)QTest::qWaitFor(
            [&] {
                found = xdotool({QStringLiteral("search"), QStringLiteral("--onlyvisible"),
                                 QStringLiteral("--pid"), QString::number(program.processId())});
                return !found.isEmpty() || program.state() == QProcess::NotRunning;
            },
            kHangMs);
        return found.split(QLatin1Char('\n')).last();
    }

    /// Until the window has heard it, for a key that comes too early is lost.
    bool keyUntil(const QProcess& program, const QString& keys,
                  const std::function<bool()>& happened) const
    {
        for (int tries = 0; tries < 20; ++tries) {
            key(mainWindow(program), keys);
            if (QTest::qWaitFor(happened, kPatienceMs))
                return true;
        }
        return false;
    }

    /// Ctrl+E, the file's name typed over the one that is there, Enter.
    bool exportChart(const QProcess& program, const QString& file) const
    {
        QTest::qWait(1500); // the window has drawn the last points
        const QString title = QStringLiteral("^Export chart$");
        const auto isOpen = [&] { return !windowNamed(program, title).isEmpty(); };
        for (int tries = 0; tries < 20 && !QFileInfo::exists(file); ++tries) {
            if (!isOpen())
                key(mainWindow(program), QStringLiteral("ctrl+e"));
            if (!QTest::qWaitFor(isOpen, kPatienceMs))
                continue;
            xdotool({QStringLiteral("windowfocus"), windowNamed(program, title)});
            QTest::qWait(500);
            xdotool({QStringLiteral("key"), QStringLiteral("ctrl+a")});
            type(file);
            xdotool({QStringLiteral("key"), QStringLiteral("Return")});
            (void)QTest::qWaitFor([&] { return QFileInfo::exists(file); }, kPatienceMs);
        }
        return QFileInfo::exists(file);
    }

    /// Ctrl+Q; it ends as it should.
    bool quit(QProcess& program) const
    {
        QTest::qWait(500);
        for (int tries = 0; tries < 20 && program.state() != QProcess::NotRunning; ++tries) {
            key(waitForWindow(program), QStringLiteral("ctrl+q"));
            program.waitForFinished(kPatienceMs);
        }
        return program.state() == QProcess::NotRunning &&
               program.exitStatus() == QProcess::NormalExit && program.exitCode() == 0;
    }

private:
    QProcess m_server;
    QString m_name;
};

/// Of a program that SCALEBENCH_TEST_GEOMETRY has tell where its Start button is.
class StartButton
{
public:
    /// Once it has loaded, the program says where Start is, and again when that has moved:
    /// "start button X Y". The words of the last such line, waiting for the first.
    QList<QByteArray> words(QProcess& program)
    {
        (void)QTest::qWaitFor(
            [&] {
                m_said += program.readAllStandardOutput();
                return m_said.contains('\n');
            },
            kHangMs);
        return m_said.trimmed().split('\n').last().split(' ');
    }

    /// A real click on it. The new study's folder.
    QString click(const VirtualDisplay& display, QProcess& program, Library& library)
    {
        // A click that came too early is lost; one too many would hit what then lies there.
        for (int tries = 0; tries < 20; ++tries) {
            const QList<QByteArray> at = words(program);
            if (at.size() != 4)
                return {};
            display.xdotool({QStringLiteral("windowfocus"), display.waitForWindow(program)});
            display.xdotool({QStringLiteral("mousemove"), QString::fromLatin1(at[2]),
                             QString::fromLatin1(at[3]), QStringLiteral("click"),
                             QStringLiteral("1")});
            QString dir;
            const auto isThere = [&] {
                const auto found = library.findStudyDir(QStringLiteral("latest"));
                dir = found ? found.value() : QString();
                return !dir.isEmpty();
            };
            if (QTest::qWaitFor(isThere, kPatienceMs))
                return dir;
        }
        return {};
    }

private:
    QByteArray m_said; ///< by the program, on its standard output
};

inline bool allCompleted(const QString& studyDir)
{
    const auto study = loadStudy(studyDir);
    return study &&
           std::all_of(study.value().runs.begin(), study.value().runs.end(),
                       [](const RunRecord& run) { return run.state == RunState::Completed; });
}

} // namespace scalebench::test
