#include "run/load_plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/sha256.hpp"

namespace aplomb {

std::string load_plugin(const std::optional<std::string>& library) {
  constexpr const char* kEntry = "aplomb_register_controllers";
  if (!library) return {};
  const std::filesystem::path file = std::filesystem::absolute(*library);  // never one of the system's search path
  const std::string digest = sha256_of_file(file);
  void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays open: its controllers run to the end
  if (handle == nullptr) {
    throw FileError({*library}, fmt::format("is no library that can be loaded: {}; build it as a shared library "
                                            "against this aplomb (docs/compare.md)",
                                            ::dlerror()));
  }
  void* const entry = ::dlsym(handle, kEntry);
  if (entry == nullptr) {
    throw FileError({*library},
                    fmt::format("has no function `extern \"C\" void {}()`, which registers its controllers", kEntry));
  }
  reinterpret_cast<void (*)()>(entry)();
  return fmt::format("# plugin {}, SHA-256 {}\n", file.filename().string(), digest);
}

}  // namespace aplomb
