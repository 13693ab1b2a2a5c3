// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Folders of small pictures and their annotations, as a test needs them.

#include "engine/data/image.h"
#include "engine/data/png_writer.h"
#include "engine/detection/open_annotated.h"

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <string>
#include <vector>

namespace scalebench::test {

inline constexpr int kWidth = 12, kHeight = 8;

inline QByteArray picture(int width = kWidth, int height = kHeight)
{
    data::Image image{width, height,
                      std::vector<uint8_t>(size_t(width) * size_t(height) * 3, uint8_t{90})};
    const std::vector<uint8_t> png = data::encodePng(image);
    return {reinterpret_cast<const char*>(png.data()), qsizetype(png.size())};
}

/// COCO's annotations with one object in each of the pictures.
inline QByteArray coco(const std::vector<std::string>& pictures, bool crowd = false)
{
    std::string images, objects;
    for (size_t i = 0; i < pictures.size(); ++i) {
        const std::string id = std::to_string(i + 1), comma = i == 0 ? "" : ",";
        images += comma + R"({"id":)" + id + R"(,"width":12,"height":8,"file_name":")" +
                  pictures[i] + "\"}";
        objects += comma + R"({"id":)" + id + R"(,"image_id":)" + id +
                   R"(,"category_id":1,"bbox":[1,1,4,3],"area":12,"iscrowd":)" +
                   (crowd ? "1}" : "0}");
    }
    return QByteArray::fromStdString(R"({"categories":[{"id":1,"name":"cat"}],"images":[)" +
                                     images + R"(],"annotations":[)" + objects + "]}");
}

/// A folder of files.
class Tree
{
public:
    void put(const std::string& name, const QByteArray& bytes)
    {
        const QString path = m_dir.path() + QLatin1Char('/') + QString::fromStdString(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write %s", name.c_str());
    }
    std::string path() const { return m_dir.path().toStdString(); }
    detection::AnnotatedParts open(bool masks = true,
                                   const detection::ProblemSink& problem = {}) const
    {
        return detection::openAnnotated(path(),
                                        {.evalPart = {}, .masks = masks, .problem = problem});
    }

private:
    QTemporaryDir m_dir;
};

} // namespace scalebench::test
