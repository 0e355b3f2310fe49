#pragma once

/// After a function's parameters: it is a part of the control loop and must neither allocate, lock nor wait, and nor
/// must what it calls. clang's RealtimeSanitizer (`make check-all`) ends a run that does; elsewhere this means nothing.
#if defined(__has_feature)
#if __has_feature(realtime_sanitizer)
#define APLOMB_NONBLOCKING [[clang::nonblocking]]
#endif
#endif
#ifndef APLOMB_NONBLOCKING
#define APLOMB_NONBLOCKING
#endif
