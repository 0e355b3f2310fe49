#include "fuzz/fuzz_one.hpp"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>

#include "aplomb/core/error.hpp"
#include "aplomb/recording/examine.hpp"

namespace {

// Bytes that are held, and the most that were since the count began. One thread.
std::size_t held_bytes = 0;
std::size_t most_bytes = 0;

void* counted(std::size_t size) {
  void* memory = std::malloc(std::max<std::size_t>(size, 1));
  if (memory != nullptr) held_bytes += malloc_usable_size(memory);
  most_bytes = std::max(most_bytes, held_bytes);
  return memory;
}

void* allocate(std::size_t size) {
  void* memory = counted(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void release(void* memory) {
  if (memory != nullptr) held_bytes -= malloc_usable_size(memory);
  std::free(memory);
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

[[noreturn]] void give_up(const char* what, double value) {
  std::fprintf(stderr, "fuzz_one: %s: %g\n", what, value);
  std::abort();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }

namespace aplomb::test {

void fuzz_one(RecordingFormat format, std::string_view bytes) {
  const double start = processor_seconds();
  const std::size_t held_before = held_bytes;
  most_bytes = held_bytes;
  try {
    const Recording recording = read_recording(bytes, "fuzzed", format);
    examine(recording, recording, 70.0);
  } catch (const Error&) {  // refused: as good an answer as any
  }
  const double seconds = processor_seconds() - start;
  const std::size_t used = most_bytes - held_before;
  if (used > (std::size_t{64} << 20) + 4 * bytes.size()) give_up("bytes of memory", static_cast<double>(used));
  if (seconds > 1.0) give_up("seconds", seconds);
}

std::string folder_name(RecordingFormat format) {
  std::string name = format_name(format);
  for (char& letter : name) letter = static_cast<char>(letter | 0x20);
  return name;
}

}  // namespace aplomb::test
