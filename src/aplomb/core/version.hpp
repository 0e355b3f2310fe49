#pragma once

#include <string>

namespace aplomb {

std::string version();  ///< "0.2.0"
std::string commit();   ///< the commit that was built, "-dirty" when files were changed; "unknown" outside of git

}  // namespace aplomb
