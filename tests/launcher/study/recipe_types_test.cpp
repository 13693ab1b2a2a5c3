// SPDX-License-Identifier: GPL-3.0-or-later
// Every setting of every recipe of ours, given a value of each other type of JSON: `workloads
// --dir` leaves such a recipe out with a sentence that names the file, the place and what is
// allowed.
#include "study/workload_catalog.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

using namespace scalebench;

namespace {

const QString kFolder = QStringLiteral(SB_SOURCE_DIR "/resources/workloads");
constexpr qsizetype kFilesOfAFolder = 200; // more are not read

/// A wrong recipe, and the place in it that a sentence must name.
struct Altered {
    QJsonValue json;
    QString path;
};

QList<QJsonValue> otherTypes(const QJsonValue& value, const QString& path)
{
    QList<QJsonValue> others{QJsonValue::Null,
                             true,
                             7,
                             QStringLiteral("x"),
                             QJsonArray{QStringLiteral("x")},
                             QJsonObject{{QStringLiteral("x"), 1}}};
    others.removeIf([&](const QJsonValue& other) {
        const bool target = path.endsWith(QStringLiteral(".target")) &&
                            (other.isNull() || other.isDouble() || other.isObject());
        return other.type() == value.type() || target;
    });
    return others;
}

/// `value` with one place in it altered, in every way.
QList<Altered> alteredIn(const QJsonValue& value, const QString& path)
{
    QList<Altered> all;
    for (const QJsonValue& other : otherTypes(value, path))
        all << Altered{other, path};
    if (value.isArray() && !value.toArray().isEmpty()) {
        for (const Altered& item :
             alteredIn(value.toArray().first(), path + QStringLiteral("[0]"))) {
            QJsonArray array = value.toArray();
            array.replace(0, item.json);
            all << Altered{array, item.path};
        }
    }
    const QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it) {
        for (const Altered& entry : alteredIn(it.value(), path + QLatin1Char('.') + it.key())) {
            QJsonObject other = object;
            other.insert(it.key(), entry.json);
            all << Altered{other, entry.path};
        }
    }
    return all;
}

/// Our recipe as a user's: with the scale `id` alone, which has another name.
QJsonObject asAUsers(QJsonObject recipe, const QString& id)
{
    const QJsonValue scale = recipe.value(QStringLiteral("scales")).toObject().value(id);
    recipe.insert(QStringLiteral("scales"), QJsonObject{{QStringLiteral("own_") + id, scale}});
    return recipe;
}

void write(const QString& path, const QJsonValue& json)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QJsonDocument(json.toObject()).toJson());
}

void checkFolder(const QList<Altered>& recipes)
{
    QTemporaryDir dir;
    const auto fileOf = [&](qsizetype i) {
        return dir.filePath(QStringLiteral("%1.json").arg(i, 4, 10, QLatin1Char('0')));
    };
    for (qsizetype i = 0; i < recipes.size(); ++i)
        write(fileOf(i), recipes[i].json);
    WorkloadCatalog catalog = WorkloadCatalog::builtin();
    QVERIFY(catalog.addFolder(dir.path()));
    QStringList found;
    for (const Failure& problem : catalog.problems())
        found << problem.message;
    for (qsizetype i = 0; i < recipes.size(); ++i) {
        const QString begin = fileOf(i) + QStringLiteral(": ") + recipes[i].path;
        const QString sentence = found.value(i);
        QVERIFY2(sentence.startsWith(begin + QStringLiteral(" must be ")) &&
                     sentence.contains(QStringLiteral(", found ")) &&
                     sentence.endsWith(QLatin1Char('.')),
                 qPrintable(begin + QStringLiteral(" ... : ") + sentence));
    }
    QCOMPARE(found.size(), recipes.size());
}

} // namespace

class RecipeTypesTest : public QObject
{
    Q_OBJECT
private slots:
    void everyOtherType_data()
    {
        QTest::addColumn<QString>("workload");
        for (const QString& id : WorkloadCatalog::builtin().ids())
            QTest::newRow(qPrintable(id)) << id;
    }
    void everyOtherType()
    {
        QFETCH(QString, workload);
        QFile file(kFolder + QLatin1Char('/') + workload + QStringLiteral(".json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject recipe = QJsonDocument::fromJson(file.readAll()).object();
        QList<Altered> all;
        bool first = true; // with it also what is said beside the scales
        for (const QString& scale : recipe[QStringLiteral("scales")].toObject().keys()) {
            for (const Altered& one : alteredIn(asAUsers(recipe, scale), QStringLiteral("$")))
                if (one.path.startsWith(QStringLiteral("$.scales.")) ||
                    (first && one.path != QStringLiteral("$")))
                    all << one;
            first = false;
        }
        QVERIFY(all.size() > 300);
        for (qsizetype i = 0; i < all.size(); i += kFilesOfAFolder) {
            checkFolder(all.mid(i, kFilesOfAFolder));
            if (QTest::currentTestFailed())
                return;
        }
    }
};

QTEST_GUILESS_MAIN(RecipeTypesTest)
#include "recipe_types_test.moc"
