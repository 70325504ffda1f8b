/* Limits that the kernel holds each process to. */
#pragma once

#include <linux/resource.h>

#include "arguments.h"
#include "report.h"

/* Of 0 a handler that dumps are piped to is started all the same; of 1 it is not. */
enum { NO_CORE_DUMP = 1 };
enum { MAX_DESCRIPTORS = 512, MAX_LOCKED_BYTES = 65536, MAX_PENDING_SIGNALS = 512 };

static void limit(int resource, uint64_t value) {
  uint64_t now[2] = {0, 0};
  need("limits", CALL(__NR_prlimit64, 0, resource, 0, now));
  /* A stricter limit stays. */
  uint64_t kept = value < now[1] ? value : now[1];
  uint64_t both[2] = {kept, kept};
  need("limits", CALL(__NR_prlimit64, 0, resource, both, 0));
}

/* As many as the caller may have. */
static void raise_descriptor_limit(void) {
  uint64_t now[2] = {0, 0};
  CALL(__NR_prlimit64, 0, RLIMIT_NOFILE, 0, now);
  now[0] = now[1];
  CALL(__NR_prlimit64, 0, RLIMIT_NOFILE, now, 0);
}

static void set_limits(const struct launch *launch) {
  limit(RLIMIT_CORE, NO_CORE_DUMP);
  limit(RLIMIT_DATA, launch->data_bytes);
  limit(RLIMIT_FSIZE, launch->file_bytes);
  limit(RLIMIT_NPROC, launch->processes);
  limit(RLIMIT_NOFILE, MAX_DESCRIPTORS);
  limit(RLIMIT_MEMLOCK, MAX_LOCKED_BYTES);
  limit(RLIMIT_MSGQUEUE, 0);
  limit(RLIMIT_SIGPENDING, MAX_PENDING_SIGNALS);
}
