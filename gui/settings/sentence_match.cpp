// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/sentence_match.h"

#include <QRegularExpression>

#include <algorithm>

namespace scalebench {

namespace {

constexpr int kDeepest = 3;           ///< a reason in a sentence in a sentence
constexpr int kMostTries = 20'000;    ///< for one text; a text of ours needs some hundred
constexpr qsizetype kFewLetters = 4;  ///< "%1: %2" would fit nearly everything
constexpr qsizetype kLongest = 4'000; ///< longer texts are no sentences of ours

const QRegularExpression& hole()
{
    static const QRegularExpression kHole(QStringLiteral("%L?([1-9n])"));
    return kHole;
}

/// That of a count, "n", is 0.
int holeNumber(const QRegularExpressionMatch& match)
{
    return match.captured(1).toInt();
}

qsizetype lettersOf(QString text)
{
    text.remove(hole());
    return std::count_if(text.begin(), text.end(), [](QChar c) { return c.isLetter(); });
}

} // namespace

struct SentenceMatch::Search {
    QHash<QString, Made> known;
    int tries = 0;
};

SentenceMatch::SentenceMatch(const QList<std::pair<QString, QString>>& sentences, Writing writing)
    : m_writing(std::move(writing))
{
    for (const auto& [from, to] : sentences) {
        if (!hole().match(from).hasMatch()) {
            m_plain.insert(from, to);
            continue;
        }
        Template one{{}, {}, to, lettersOf(from)};
        qsizetype at = 0;
        for (const QRegularExpressionMatch& match : hole().globalMatch(from)) {
            one.literals << from.mid(at, match.capturedStart() - at);
            one.holes << holeNumber(match);
            at = match.capturedEnd();
        }
        one.literals << from.mid(at);
        if (one.letters >= kFewLetters)
            m_templates << one;
    }
    // Of two that fit as well the first is taken: "%n worker(s)" knows the plural, "%1 worker" not.
    std::stable_partition(m_templates.begin(), m_templates.end(),
                          [](const Template& one) { return one.holes.contains(0); });
}

/// All at once: a filling may look like a hole.
static QString filled(QString to, const QStringList& fillings)
{
    const QString& count = fillings.value(0);
    if (!count.isEmpty())
        to.replace(QLatin1String("(s)"),
                   count == QLatin1String("1") ? QString() : QStringLiteral("s"));
    QString made;
    qsizetype at = 0;
    for (const QRegularExpressionMatch& gap : hole().globalMatch(to)) {
        made += to.mid(at, gap.capturedStart() - at) + fillings.value(holeNumber(gap));
        at = gap.capturedEnd();
    }
    return made + to.mid(at);
}

void SentenceMatch::fill(const Template& one, const QString& text, Search& search, int depth,
                         qsizetype piece, qsizetype at, QStringList fillings, Made& found) const
{
    if (piece == one.holes.size()) {
        Made made{{}, one.letters};
        for (QString& filling : fillings) {
            const Made part = best(filling, search, depth + 1);
            made.letters += part.letters;
            filling = m_writing && part.letters == 0 ? m_writing(part.text) : part.text;
        }
        made.text = filled(one.to, fillings);
        if (made.letters > found.letters)
            found = made;
        return;
    }
    const QString& next = one.literals[piece + 1];
    const bool last = piece + 1 == one.holes.size();
    const QString before = fillings.value(one.holes[piece]);
    qsizetype end = last ? text.size() - next.size() : text.indexOf(next, at + 1);
    while (end > at && ++search.tries < kMostTries) {
        const QString filling = text.mid(at, end - at);
        const bool fits = one.holes[piece] > 0 || lettersOf(filling) == 0;
        if (fits && (before.isEmpty() || before == filling)) {
            QStringList more = fillings;
            more.resize(std::max<qsizetype>(more.size(), one.holes[piece] + 1));
            more[one.holes[piece]] = filling;
            fill(one, text, search, depth, piece + 1, end + next.size(), more, found);
        }
        end = last ? -1 : text.indexOf(next, end + 1);
    }
}

SentenceMatch::Made SentenceMatch::whole(const QString& text, Search& search, int depth) const
{
    Made found{text, 0};
    // A single word in a hole is a name or a number, whatever it means elsewhere.
    if (const auto plain = m_plain.find(text);
        plain != m_plain.end() && (depth == 0 || text.contains(QLatin1Char(' '))))
        found = {*plain, lettersOf(text)};
    for (const Template& one : m_templates)
        if (text.startsWith(one.literals.first()) && text.endsWith(one.literals.last()) &&
            one.letters + lettersOf(text) > found.letters)
            fill(one, text, search, depth, 0, one.literals.first().size(), {}, found);
    return found;
}

SentenceMatch::Made SentenceMatch::best(const QString& text, Search& search, int depth) const
{
    if (text.isEmpty() || depth > kDeepest || search.tries >= kMostTries)
        return {text, 0};
    if (const auto known = search.known.find(text); known != search.known.end())
        return *known;
    Made found = whole(text, search, depth);
    // "a. b." may be one sentence or two; where both fit, two.
    for (qsizetype end = text.indexOf(QLatin1String(". ")); end > 0;
         end = text.indexOf(QLatin1String(". "), end + 1)) {
        const Made first = whole(text.left(end + 1), search, depth);
        if (first.letters == 0)
            continue;
        const Made rest = best(text.mid(end + 2), search, depth);
        if (first.letters + rest.letters >= found.letters)
            found = {first.text + QLatin1Char(' ') + rest.text, first.letters + rest.letters};
    }
    search.known.insert(text, found);
    return found;
}

QString SentenceMatch::apply(const QString& text) const
{
    if (text.size() > kLongest)
        return text;
    Search search;
    return best(text, search, 0).text;
}

} // namespace scalebench
