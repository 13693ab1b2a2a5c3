// SPDX-License-Identifier: GPL-3.0-or-later
// A detector's study with the real engine: the pictures that its evaluations leave, drawn by the
// command; a backbone from the checkpoint of another run; a check that names all that is wrong.
#include "engine/data/image.h"
#include "support/cluster.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class PicturesCliTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QString path(const QString& name) const { return m_folder.filePath(name); }

    Said scalebench(const QString& words) const
    {
        return runProgram(QStringLiteral(SB_BIN_DIR "/scalebench"), words.split(u' '));
    }
    /// A study of one short run into `out`.
    Said train(const QString& out, const QString& more = {}) const
    {
        return scalebench(
            u"run ssd --library %1 --out %2 --workers 1 --epochs 2 --batch 4 --target none "
            "--no-pictures --set data.train_samples=12 --set data.eval_samples=9 "
            "--set data.edge=64 --set model.score_threshold=0.01%3"_s.arg(path(u"library"_s), out,
                                                                          more));
    }
    QString runOf(const QString& study) const
    {
        const QDir runs(study + u"/runs"_s);
        return runs.filePath(runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot).value(0));
    }

private slots:
    void initTestCase()
    {
        const Said said = train(path(u"one"_s));
        QVERIFY2(said.ok(), said.errors + said.output);
    }

    void theLastEvaluationLeavesPictures()
    {
        QFile file(runOf(path(u"one"_s)) + u"/pictures.json"_s);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject all = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(all.value("epoch"_L1).toDouble(), 2.0);
        QCOMPARE(all.value("pictures"_L1).toArray().size(), 8);
        QVERIFY(!all["pictures"_L1][0]["true"_L1].toArray().isEmpty());
    }

    void theCommandDrawsThem()
    {
        const QString run = runOf(path(u"one"_s));
        const Said said = scalebench(u"results show %1 --library %2 --pictures %3"_s.arg(
            run, path(u"library"_s), path(u"drawn"_s)));
        QVERIFY2(said.ok(), said.errors + said.output);
        QCOMPARE(said.output.count('\n'), 8);
        QFile file(path(u"drawn/picture_1.png"_s));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray png = file.readAll();
        const scalebench::data::Image image = scalebench::data::decodeImage(
            {reinterpret_cast<const uint8_t*>(png.constData()), size_t(png.size())}, "picture_1");
        QCOMPARE(image.width, 512); // 64 pixels, eight times
        int green = 0;
        for (size_t i = 0; i < image.rgb.size(); i += 3)
            green += image.rgb[i] == 46 && image.rgb[i + 1] == 184 && image.rgb[i + 2] == 79;
        QVERIFY(green > 100);
        // Of a whole study: a folder for each run.
        QVERIFY(scalebench(u"results show %1 --library %2 --pictures %3"_s.arg(
                               path(u"one"_s), path(u"library"_s), path(u"all"_s)))
                    .ok());
        QVERIFY(QFile::exists(path(u"all/%1/picture_8.png"_s.arg(QFileInfo(run).fileName()))));
    }

    /// Another study's set took the place of the run's, or it was removed: the pictures stay its
    /// own.
    void theyAreTheRunsOwnWhateverBecameOfTheSet()
    {
        const QString draw = u"results show %1 --library %2 --pictures %3"_s;
        const auto picture = [&](const QString& folder) {
            const Said said =
                scalebench(draw.arg(runOf(path(u"one"_s)), path(u"library"_s), path(folder)));
            QFile file(path(folder + u"/picture_3.png"_s));
            return said.ok() && file.open(QIODevice::ReadOnly) ? file.readAll() : said.errors;
        };
        const QByteArray before = picture(u"before"_s);
        QVERIFY2(before.startsWith("\x89PNG"), before);
        const Said other = train(path(u"others"_s), u" --set data.categories=2"_s);
        QVERIFY2(other.ok(), other.errors + other.output);
        QVERIFY(picture(u"after"_s) == before);
        QVERIFY(QDir(path(u"library/data"_s)).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size() ==
                2);
        QVERIFY(QDir(path(u"library/data"_s)).removeRecursively());
        QVERIFY(picture(u"without"_s) == before);
        // Settings that lead to other pictures than the run's.
        QFile file(runOf(path(u"one"_s)) + u"/run.json"_s);
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray config = file.readAll();
        file.resize(0);
        file.seek(0);
        file.write(QByteArray(config).replace("\"categories\": 6", "\"categories\": 2"));
        file.flush();
        const QByteArray refusal = picture(u"wrong"_s);
        QVERIFY2(refusal.contains("was trained on other generated pictures"), refusal);
        file.resize(0);
        file.seek(0);
        file.write(config);
    }

    void saysWhyThereAreNone()
    {
        const QString copy = path(u"copy"_s), run = runOf(path(u"one"_s));
        QDir().mkpath(copy);
        QVERIFY(QFile::copy(run + u"/pictures.json"_s, copy + u"/pictures.json"_s));
        QFile from(run + u"/run.json"_s), to(copy + u"/run.json"_s);
        QVERIFY(from.open(QIODevice::ReadOnly) && to.open(QIODevice::WriteOnly));
        QJsonObject config = QJsonDocument::fromJson(from.readAll()).object();
        QJsonObject data = config.value("data"_L1).toObject();
        data.insert("path"_L1, u"/no/such/set"_s);
        data.insert("source"_L1, u"files"_s);
        config.insert("data"_L1, data);
        to.write(QJsonDocument(config).toJson());
        to.close();
        const QString show = u"results show %1 --library %2 --pictures %3"_s;
        const Said missing = scalebench(show.arg(copy, path(u"library"_s), path(u"x"_s)));
        QVERIFY(!missing.ok());
        QVERIFY2(missing.errors.contains("/no/such/set is not on this computer"), missing.errors);
        QVERIFY(QFile::remove(copy + u"/pictures.json"_s));
        const Said none = scalebench(show.arg(copy, path(u"library"_s), path(u"x"_s)));
        QVERIFY2(none.errors.contains("has no pictures"), none.errors);
    }

    void aBackboneComesFromACheckpoint()
    {
        const QString weights = runOf(path(u"one"_s)) + u"/checkpoint/latest.sbckpt"_s;
        const Said said = train(path(u"two"_s), u" --set model.weights="_s + weights);
        QVERIFY2(said.ok(), said.errors + said.output);
        QFile stream(runOf(path(u"two"_s)) + u"/result_0.txt"_s);
        QVERIFY(stream.open(QIODevice::ReadOnly));
        const QByteArray text = stream.readAll();
        QVERIFY(text.contains("latest.sbckpt (checkpoint); left over: "));
        const Said missing = train(path(u"three"_s), u" --set model.weights=/no/such/file"_s);
        QVERIFY(!missing.ok());
        QVERIFY2((missing.output + missing.errors).contains("no file of weights /no/such/file"),
                 missing.output + missing.errors);
    }

    void aCheckNamesAllThatIsWrong()
    {
        const QString set = path(u"set"_s);
        QVERIFY(scalebench(u"data make ssd "_s + set).ok());
        QVERIFY(scalebench(u"data check ssd "_s + set).ok());
        QDir dir(set + u"/annotations"_s);
        const QString name = dir.filePath(dir.entryList({u"*train*.json"_s}).value(0));
        QFile file(name);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
        file.close();
        QJsonArray annotations = json.value("annotations"_L1).toArray();
        QJsonObject outside = annotations[0].toObject(), homeless = annotations[1].toObject();
        outside.insert("bbox"_L1, QJsonArray{0, 0, 5000, 10});
        homeless.insert("image_id"_L1, 987654);
        annotations[0] = outside;
        annotations[1] = homeless;
        json.insert("annotations"_L1, annotations);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QJsonDocument(json).toJson());
        file.close();
        const Said said = scalebench(u"data check ssd "_s + set);
        QCOMPARE(said.exitCode, 2);
        QVERIFY2(said.output.contains("reaches outside its picture") &&
                     said.output.contains("belongs to picture 987654"),
                 said.output + said.errors);
    }
};

QTEST_GUILESS_MAIN(PicturesCliTest)
#include "pictures_cli_test.moc"
