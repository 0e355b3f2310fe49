#include "allocation_counter.hpp"

#include <cerrno>
#include <cstddef>

// GCC says so with a macro, Clang when asked.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define APLOMB_OWNS_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(realtime_sanitizer)
#define APLOMB_OWNS_MALLOC 0
#endif
#endif
#ifndef APLOMB_OWNS_MALLOC
#define APLOMB_OWNS_MALLOC 1
#endif

namespace {
thread_local std::int64_t allocations = 0;
}  // namespace

namespace aplomb {
std::int64_t num_allocations() { return allocations; }
bool counts_allocations() { return APLOMB_OWNS_MALLOC != 0; }
}  // namespace aplomb

#if APLOMB_OWNS_MALLOC
// Eigen calls malloc directly, so counting `operator new` would miss it: stand in front of the C library's functions.
extern "C" {
// glibc's own names. NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  ++allocations;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  ++allocations;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}
#endif
