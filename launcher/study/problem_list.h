// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What checks of a study find, as they find it.

#include "base/json_fields.h"
#include "base/translated.h"
#include "study/study_spec.h"

namespace scalebench {

struct Workload;
struct WorkloadScale;

class ProblemList
{
protected:
    void error(const QString& field, const QString& code, const QString& message)
    {
        m_problems << Problem{Problem::Level::Error, field, code, message};
    }
    void warning(const QString& field, const QString& code, const QString& message)
    {
        m_problems << Problem{Problem::Level::Warning, field, code, message};
    }
    void unknown(const QString& field, const QString& what, const QString& found,
                 const QStringList& known)
    {
        error(field, what + QStringLiteral("_unknown"),
              Launcher::tr("The %1 \"%2\" is not known%3. Known: %4.")
                  .arg(what, found, didYouMean(found, known), known.join(QStringLiteral(", "))));
    }

    QList<Problem> m_problems;
};

/// Counts and shapes: does the machine have room for them?
QList<Problem> checkPlacement(const StudySpec& spec, const MachineInfo& machine);
/// Warm-up and batch against epochs and samples, as far as these are known.
QList<Problem> checkLengths(const StudySpec& spec, const Workload& workload,
                            const WorkloadScale& scale, const QList<int>& workers);
/// The engine and mpirun.
QList<Problem> checkPrograms(const MachineInfo& machine);

} // namespace scalebench
