/* The processes of a run: their memory, their processors, their end. */
#pragma once

#include "program.h"

static word fork_process(void) { return CALL(__NR_clone, SIGCHLD, 0, 0, 0, 0); }

enum { MASK_WORDS = 16, BITS_OF_WORD = 64 };

struct entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[];
};

/* Visits what is named by a number in a directory. */
static void for_each_number(word parent, const char *path, void (*visit)(word directory, uint64_t number, void *context), void *context) {
  word directory = CALL(__NR_openat, parent, path, O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  _Alignas(8) char entries[4096];
  word length;
  while ((length = CALL(__NR_getdents64, directory, entries, sizeof entries)) > 0)
    for (word at = 0; at < length; at += ((struct entry *)(entries + at))->length) {
      const char *name = ((struct entry *)(entries + at))->name;
      if (*name >= '0' && *name <= '9') visit(directory, number(name), context);
    }
  CALL(__NR_close, directory);
}

struct sample {
  const struct launch *launch;
  word program;
  uint64_t mask[MASK_WORDS];
  uint64_t kib;
};

/* Every process may be tried: without privileges, those of other users refuse. Among the caller's own, the group tells. */
static int is_of_run(const struct sample *sample, uint64_t pid) {
  return sample->launch->has_uid || CALL(__NR_getpgid, pid) == sample->program;
}

static void bind_thread(word directory, uint64_t thread, void *context) {
  (void)directory;
  CALL(__NR_sched_setaffinity, thread, sizeof ((struct sample *)context)->mask, ((struct sample *)context)->mask);
}

static void in_process(char *path, uint64_t pid, const char *file) {
  struct line line = {.length = 0};
  put_number(&line, pid);
  put_text(&line, "/");
  put_text(&line, file);
  memcpy(path, line.text + 1, line.length - 1);
  path[line.length - 1] = 0;
}

static void bind_process(word directory, uint64_t pid, void *context) {
  char path[sizeof((struct line *)0)->text];
  if (!is_of_run(context, pid)) return;
  in_process(path, pid, "task");
  for_each_number(directory, path, bind_thread, context);
}

/* The number behind a name that begins a line. */
static uint64_t field(const char *text, const char *name) {
  for (; *text; text++) {
    size_t at = 0;
    while (name[at] && text[at] == name[at]) at++;
    if (!name[at]) {
      for (text += at; *text == ' ' || *text == '\t'; text++);
      return number(text);
    }
    while (*text && *text != '\n') text++;
    if (!*text) break;
  }
  return 0;
}

static int read_of_process(word directory, uint64_t pid, const char *name, char *text, size_t size) {
  char path[sizeof((struct line *)0)->text];
  in_process(path, pid, name);
  word file = CALL(__NR_openat, directory, path, O_CLOEXEC);
  if (file < 0) return 0;
  word length = CALL(__NR_read, file, text, size - 1);
  CALL(__NR_close, file);
  text[length > 0 ? length : 0] = 0;
  return length > 0;
}

static void count_process(word directory, uint64_t pid, void *context) {
  struct sample *sample = context;
  char status[2048], shares[2048];
  if (!is_of_run(sample, pid) || !read_of_process(directory, pid, "status", status, sizeof status)) return;
  if (sample->launch->has_uid && field(status, "Uid:") != sample->launch->uid) return;
  /* Of a program file that cannot be read the kernel shows no more than the sizes: then what is shared counts in each. */
  if (read_of_process(directory, pid, "smaps_rollup", shares, sizeof shares))
    sample->kib += field(shares, "Pss_Anon:") + field(shares, "Pss_Shmem:");
  else
    sample->kib += field(status, "RssAnon:") + field(status, "RssShmem:");
}

/* Chooses as many processors as the run may use, other ones for other runs. False: the machine has no more than that. */
static int choose_processors(struct sample *sample) {
  uint64_t all[MASK_WORDS] = {0};
  word bytes = CALL(__NR_sched_getaffinity, 0, sizeof all, all);
  uint64_t there = 0, wanted = sample->launch->processors, nth = 0;
  for (word i = 0; i < bytes * 8; i++) there += all[i / BITS_OF_WORD] >> (i % BITS_OF_WORD) & 1;
  if (bytes <= 0 || there <= wanted) return 0;
  for (word i = 0; i < bytes * 8; i++) {
    if (!(all[i / BITS_OF_WORD] >> (i % BITS_OF_WORD) & 1)) continue;
    if ((nth++ + (uint64_t)sample->program) % there < wanted) sample->mask[i / BITS_OF_WORD] |= 1ull << (i % BITS_OF_WORD);
  }
  return 1;
}

/* In a process of its own, which has no more rights than the run and which the run cannot reach: it is not dumpable, and its real user is the caller. */
static void sample_run(const struct launch *launch, word program, word signal) {
  struct sample sample = {.launch = launch, .program = program, .mask = {0}, .kib = 0};
  if (fork_process() != 0) return;
  if (launch->has_uid &&
      (CALL(__NR_setresgid, -1, launch->uid, -1) < 0 || CALL(__NR_setresuid, -1, launch->uid, -1) < 0))
    quit(1);
  if (signal == SIGUSR1 && choose_processors(&sample)) for_each_number(AT_FDCWD, "/proc", bind_process, &sample);
  if (signal == SIGUSR2) {
    struct line line = {.length = 0};
    for_each_number(AT_FDCWD, "/proc", count_process, &sample);
    put_text(&line, "M");
    put_number(&line, sample.kib);
    report(&line);
  }
  quit(0);
}

/* Every process of the run at once: a loop over them could not win against one that forks. */
static void kill_all(const struct launch *launch, word program) {
  if (!launch->has_uid) {
    CALL(__NR_kill, -program, SIGKILL);
    return;
  }
  word killer = fork_process();
  if (killer != 0) return;
  CALL(__NR_setresuid, launch->uid, launch->uid, launch->uid);
  CALL(__NR_kill, -1, SIGKILL);
  quit(0);
}
