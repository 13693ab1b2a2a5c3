// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Finds the sentence that a text was made from, holes filled, and makes another one with the same
// fillings: how what files tell in English is shown in the window's language, and the other way
// round.

#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>

#include <functional>
#include <utility>

namespace scalebench {

class SentenceMatch
{
public:
    /// Sentences with holes (%1 to %9, and %n for a count), and what to say in their place. In that
    /// "(s)" is the s of the plural, by the count.
    /// `writing`: of what fills a hole and is no sentence itself.
    using Writing = std::function<QString(const QString& filling)>;
    explicit SentenceMatch(const QList<std::pair<QString, QString>>& sentences,
                           Writing writing = {});

    /// `text` as it is where no sentence fits. Several sentences in a row are taken one by one, and
    /// what fills a hole is looked for too; of several ways the one that knows most letters.
    QString apply(const QString& text) const;

private:
    struct Template {
        QStringList literals; ///< around the holes: one more than these
        QList<int> holes;
        QString to;
        qsizetype letters = 0;
    };
    struct Made {
        QString text;
        qsizetype letters = 0; ///< of the sentences that were found
    };
    struct Search;

    Made best(const QString& text, Search& search, int depth) const;
    Made whole(const QString& text, Search& search, int depth) const;
    void fill(const Template& one, const QString& text, Search& search, int depth, qsizetype piece,
              qsizetype at, QStringList fillings, Made& found) const;

    Writing m_writing;
    QHash<QString, QString> m_plain;
    QList<Template> m_templates;
};

} // namespace scalebench
