/* A program to start, as the caller describes it. */
#pragma once

#include <stdint.h>

struct launch {
  int has_uid;
  uint32_t uid;
  uint64_t processors, data_bytes, file_bytes, processes;
  int landlock;
  const char *pipe;
  const char *directory;
  char **readable;
  char **program;
};
