#!/usr/bin/env bash
# Installs into a folder of its own, moves that folder, and uses it as somebody would who never had the clone:
# builds and runs a consumer (find_package), runs the program, looks for anything that still points into the clone.
set -euo pipefail
source_dir=$1 build_dir=$2 compiler=$3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/moved

fail() {
  echo "install: $1" >&2
  exit 1
}

cmake --install "$build_dir" --prefix "$work/first" >"$work/install.log" 2>&1 || fail "$(tail -n 20 "$work/install.log")"
mv "$work/first" "$prefix"

# Nothing of it names the clone: neither a run path, nor a CMake file, nor a path that was compiled in.
if named=$(grep -rlF "$source_dir" "$prefix"); then fail "these name the clone ($source_dir):"$'\n'"$named"; fi
while read -r file; do
  loaded=$(ldd "$file")
  grep -q 'not found' <<<"$loaded" && fail "$file does not find all of its libraries:"$'\n'"$loaded"
  grep -qF "$source_dir" <<<"$loaded" && fail "$file loads from the clone:"$'\n'"$loaded"
done < <(find "$prefix/bin" "$prefix/lib" -type f \( -name '*.so*' -o -perm -u+x \))

# The consumer, in a folder of its own.
cp -r "$source_dir/tests/install/consumer" "$work/consumer"
cp "$source_dir"/examples/*.cpp "$work/consumer"
cmake -S "$work/consumer" -B "$work/consumer/build" -G Ninja -D CMAKE_BUILD_TYPE=Release \
  -D CMAKE_CXX_COMPILER="$compiler" -D CMAKE_PREFIX_PATH="$prefix" >"$work/configure.log" 2>&1 ||
  fail "the consumer does not configure: $(cat "$work/configure.log")"
cmake --build "$work/consumer/build" >"$work/build.log" 2>&1 ||
  fail "the consumer does not build: $(cat "$work/build.log")"

# Where the system lets us, the clone is out of sight from here on.
hidden() { "$@"; }
if unshare --mount --map-root-user mount -t tmpfs none "$source_dir" 2>/dev/null; then
  hidden() {
    unshare --mount --map-root-user sh -c 'mount -t tmpfs none "$0" && exec "$@"' "$source_dir" "$@"
  }
fi
cd "$work"
for example in "$work"/consumer/*.cpp; do
  case $example in *plugin*) continue ;; esac  # a library for `aplomb run --plugin`, built above
  program=$work/consumer/build/$(basename "$example" .cpp)
  hidden "$program" || fail "$program, built against the installed copy, exits with $?"
done
listed=$(hidden "$prefix/bin/aplomb" list) || fail "the installed program does not list its robots and scenarios"
for name in sarcos stand_sarcos; do grep -qw "$name" <<<"$listed" || fail "\`aplomb list\` misses $name: $listed"; done
hidden "$prefix/bin/aplomb" run stand_sarcos --out "$work/report" >/dev/null || fail "the installed program does not run"
[ -s "$work/report/report.html" ] || fail "the installed program writes no report"
