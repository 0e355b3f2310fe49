#include "shared/write_into.hpp"

#include "aplomb/core/error.hpp"

namespace aplomb {

void write_into(const OutputFolder& folder, const std::string& out,
                const std::function<void(const std::filesystem::path&)>& write) {
  try {
    write(folder.path());
  } catch (const FileError& error) {
    std::string what = error.what();
    const std::string temporary = folder.path().string();
    if (what.starts_with(temporary)) what.replace(0, temporary.size(), out);
    throw Error(what);
  }
}

}  // namespace aplomb
