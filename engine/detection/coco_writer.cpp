// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/detection/coco_json.h"

#include <nlohmann/json.hpp>

#include <sstream>
#include <string>

namespace scalebench::detection {

using Json = nlohmann::json;

std::string printCoco(const AnnotatedSet& set)
{
    std::ostringstream out;
    out << "{\"categories\": [";
    const char* comma = "\n";
    for (const Category& category : set.categories) {
        out << comma << Json{{"id", category.id}, {"name", category.name}}.dump();
        comma = ",\n";
    }
    out << "],\n\"images\": [";
    comma = "\n";
    for (const AnnotatedPicture& picture : set.pictures) {
        out << comma
            << Json{{"id", picture.id},
                    {"width", picture.width},
                    {"height", picture.height},
                    {"file_name", picture.file.name}}
                   .dump();
        comma = ",\n";
    }
    out << "],\n\"annotations\": [";
    comma = "\n";
    int64_t id = 0;
    for (const AnnotatedPicture& picture : set.pictures)
        for (const AnnotatedObject& object : picture.objects) {
            const Box& box = object.box;
            Json record = {{"id", ++id},
                           {"image_id", picture.id},
                           {"category_id", set.categories[size_t(object.category)].id},
                           {"bbox", {box.x, box.y, box.width, box.height}},
                           {"area", object.area},
                           {"iscrowd", object.crowd ? 1 : 0}};
            if (!object.mask.empty())
                record["segmentation"] = {{"size", {object.mask.height, object.mask.width}},
                                          {"counts", printRuns(object.mask)}};
            out << comma << record.dump();
            comma = ",\n";
        }
    out << "]}\n";
    return out.str();
}

} // namespace scalebench::detection
