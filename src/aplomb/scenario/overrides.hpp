#pragma once

#include <string>
#include <string_view>

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml.hpp"

namespace aplomb {

/// One `--set KEY=VALUE`. KEY is a path with dots, list items by their number from 0: `events.0.push.force_n`.
struct Override {
  std::string key;
  std::string value;  ///< YAML text: `12`, `[0, 100, 0]`, `{posture: seated}`

  std::string option() const;  ///< "--set KEY=VALUE", how errors call it
};

/// Splits at the first `=`; throws InvalidValue when there is none or the key has an empty part.
Override parse_override(std::string_view key_and_value);

/// Sets one value in a file's tree. Maps that are not in the file are created; a list's items must exist. A value that
/// excludes another replaces it (plan.demonstration and plan.style; reference.trajectory and plan). Throws
/// FileError "--set KEY=VALUE: ..." on a key that the schema does not have (with the nearest one), on an index out of
/// range, on a value that is not YAML. Whether the value fits its key is found by `require_valid`, under the same name.
void apply_override(YamlNode& root, const Schema& schema, const Override& change);

/// The same for a value that is not an option's. Errors about the key, and the maps that are created, stand at
/// `origin`. Returns what may stand under the key.
Schema set_value(YamlNode& root, const Schema& schema, std::string_view key, const YamlOrigin& origin, YamlNode value);

}  // namespace aplomb
