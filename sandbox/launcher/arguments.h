/* A program to start, as the caller describes it. */
#pragma once

#include <stdint.h>

struct launch {
  int has_uid;
  uint32_t uid;
  uint64_t processors, memory_bytes, data_bytes, file_bytes, processes, entries;
  int landlock;
  /* Whether the run gets its own file system, with a size of file_bytes. */
  int own_files;
  /* Whether the caller gets the files below out/ when the program has ended, and whenever it is halted. */
  int collects;
  const char *pipe;
  /* File that the program's process joins its memory group by; "-" without one. */
  const char *memory_group;
  const char *directory;
  char **readable;
  /* Directories that every user may write to: with own files the run has its own in their place, else Landlock may keep it from them. */
  char **shared;
  char **program;
};
