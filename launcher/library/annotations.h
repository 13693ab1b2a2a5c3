// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tags and a note that a person gives a study. They are kept beside the studies, in
// annotations.json of the library: a study's own folder may be somebody else's, and its bundle must
// not carry what was meant for oneself.

#include "base/result.h"

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

#include <functional>

namespace scalebench {

struct Annotation {
    QStringList tags; ///< without commas and line breaks, sorted, each once
    QString note;

    bool isEmpty() const { return tags.isEmpty() && note.isEmpty(); }
    bool operator==(const Annotation& other) const = default;
};

constexpr int kMostTags = 20;        ///< of a study
constexpr int kLongestTag = 40;      ///< characters
constexpr int kLongestNote = 10'000; ///< characters

/// Tags as a person types them: "good, H100,good". Codes "tag_refused" for one that is too long or
/// holds control characters, and for too many.
Result<QStringList> parseTags(const QString& text);

/// By the study's folder: "studies/ID" and "imported/ID" within the library, else a whole path.
using Annotations = QMap<QString, Annotation>;
/// What annotations.json holds; what is wrong in it is named ("json_damaged", "out_of_range").
Result<Annotations> parseAnnotations(const QByteArray& json, const QString& fileName);

/// Of a library's folder; without the file: none.
Result<Annotations> readAnnotations(const QString& libraryDir);
Annotation annotationOf(const Annotations& all, const QString& libraryDir, const QString& studyDir);
/// Done to what is kept at that moment: two people may give tags at the same time.
using AnnotationEdit = std::function<void(Annotation&)>;
/// The tags that come and go from the one to the other, and the note where it differs.
AnnotationEdit editBetween(const Annotation& before, const Annotation& wanted);
/// Edits that of one study and returns it; an empty one is taken away. Two programs may write at
/// the same time. Codes of file_io.h, "library_busy", "out_of_range", "tag_refused".
Result<Annotation> annotate(const QString& libraryDir, const QString& studyDir,
                            const AnnotationEdit& edit);

} // namespace scalebench
