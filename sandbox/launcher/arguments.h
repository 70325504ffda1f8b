/* A program to start, as the caller describes it. */
#pragma once

#include <stdint.h>

struct launch {
  int has_uid;
  uint32_t uid;
  uint64_t processors, memory_bytes, data_bytes, file_bytes, processes, entries;
  int landlock;
  const char *pipe;
  /* File that the program's process joins its memory group by; "-" without one. */
  const char *memory_group;
  const char *directory;
  char **readable;
  /* Directories that every user may write to, where Landlock does not keep the program from it. */
  char **shared;
  char **program;
};
