// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/lstm.h"

namespace scalebench {

std::string LstmParams::describe() const
{
    return std::string("lstm x=") + dtypeName(dtype) + "[" + std::to_string(T) + "," +
           std::to_string(B) + "," + std::to_string(I) + "] hidden " + std::to_string(H) +
           (reverse ? " reversed" : "");
}

} // namespace scalebench
