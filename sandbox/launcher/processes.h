/* The processes of a run: which they are, their processors, their end. */
#pragma once

#include "directories.h"
#include "program.h"

enum { MASK_WORDS = 16, BITS_OF_WORD = 64, MAX_WAITING = 4096, CHILDREN_BUFFER = 4096 };

/* A program that has been started, by whom and how. */
struct run {
  const struct launch *launch;
  word launcher, program;
  int is_halted;
};

static word fork_process(void) { return CALL(__NR_clone, SIGCHLD, 0, 0, 0, 0); }

/* Keeps the caller as its real user, so that the run cannot reach it. */
static void take_rights_of_run(const struct launch *launch) {
  if (!launch->has_uid) return;
  if (CALL(__NR_setresgid, -1, launch->uid, -1) < 0 || CALL(__NR_setresuid, -1, launch->uid, -1) < 0) quit(1);
}

/* Becomes the run's user for good. */
static void become_user(const struct launch *launch) {
  if (!launch->has_uid) return;
  CALL(__NR_setgroups, 0, 0);
  CALL(__NR_setresgid, launch->uid, launch->uid, launch->uid);
  if (CALL(__NR_setresuid, launch->uid, launch->uid, launch->uid) < 0) quit(1);
}

/* Back to the caller's rights for a while: a process whose program file cannot be read hides from its own user. */
static void take_rights_of_caller(void) {
  CALL(__NR_setresuid, -1, 0, -1);
  CALL(__NR_setresgid, -1, 0, -1);
}

static uint64_t waiting[MAX_WAITING];
static size_t waiting_count;

static int is_number(const char *name) { return *name >= '0' && *name <= '9'; }

/* As the kernel lists them, for each thread that has started some. */
static void add_children(word tasks, const char *thread, void *context) {
  (void)context;
  if (!is_number(thread)) return;
  struct line path = {.length = 0};
  put_text(&path, thread);
  put_text(&path, "/children");
  word file = CALL(__NR_openat, tasks, ended(&path), O_CLOEXEC);
  if (file < 0) return;
  char text[CHILDREN_BUFFER];
  uint64_t pid = 0;
  word length;
  while ((length = CALL(__NR_read, file, text, sizeof text)) > 0)
    for (word at = 0; at < length; at++) {
      if (text[at] != ' ') pid = pid * 10 + (uint64_t)(text[at] - '0');
      else if (pid != 0) {
        if (waiting_count < MAX_WAITING) waiting[waiting_count++] = pid;
        pid = 0;
      }
    }
  CALL(__NR_close, file);
}

static word proc_of(uint64_t pid, const char *name, int flags) {
  struct line path = {.length = 0};
  put_text(&path, "/proc/");
  put_digits(&path, pid);
  put_text(&path, "/");
  put_text(&path, name);
  return CALL(__NR_openat, AT_FDCWD, ended(&path), O_CLOEXEC | flags);
}

static int lists_children(void) {
  word list = CALL(__NR_openat, AT_FDCWD, "/proc/thread-self/children", O_CLOEXEC);
  if (list < 0) return 0;
  CALL(__NR_close, list);
  return 1;
}

/* For a kernel that does not list children: by the user or, among the caller's own processes, by the group. */
static void add_if_of_run(word processes, const char *pid, void *context) {
  const struct run *run = context;
  struct stat owner;
  if (!is_number(pid) || waiting_count == MAX_WAITING) return;
  if (run->launch->has_uid) {
    if (CALL(__NR_newfstatat, processes, pid, &owner, 0) < 0 || owner.st_uid != run->launch->uid) return;
  } else if (CALL(__NR_getpgid, number(pid)) != run->program)
    return;
  waiting[waiting_count++] = number(pid);
}

/* The launcher adopts what its descendants leave behind: none gets out of its tree. Its helpers are not of the run. */
static void for_each_process(const struct run *run, void (*visit)(uint64_t pid)) {
  const word self = CALL(__NR_getpid), launcher = run->launcher;
  waiting_count = 0;
  waiting[waiting_count++] = (uint64_t)launcher;
  if (!lists_children()) {
    word processes = CALL(__NR_openat, AT_FDCWD, "/proc", O_DIRECTORY | O_CLOEXEC);
    for_each_entry(processes, add_if_of_run, (void *)run);
    CALL(__NR_close, processes);
    while (waiting_count > 1) visit(waiting[--waiting_count]);
    return;
  }
  while (waiting_count > 0) {
    uint64_t pid = waiting[--waiting_count];
    if ((word)pid == self) continue;
    if ((word)pid != launcher) visit(pid);
    word tasks = proc_of(pid, "task", O_DIRECTORY);
    if (tasks < 0) continue;
    for_each_entry(tasks, add_children, 0);
    CALL(__NR_close, tasks);
  }
}

static uint64_t mask[MASK_WORDS];

static void bind_thread(word tasks, const char *thread, void *context) {
  (void)tasks;
  (void)context;
  if (is_number(thread)) CALL(__NR_sched_setaffinity, number(thread), sizeof mask, mask);
}

static void bind_process(uint64_t pid) {
  word tasks = proc_of(pid, "task", O_DIRECTORY);
  if (tasks < 0) return;
  for_each_entry(tasks, bind_thread, 0);
  CALL(__NR_close, tasks);
}

/* Chooses as many processors as the run may use, other ones for other runs. False: the machine has no more than that. */
static int choose_processors(uint64_t wanted, uint64_t offset) {
  uint64_t all[MASK_WORDS] = {0};
  word bytes = CALL(__NR_sched_getaffinity, 0, sizeof all, all);
  uint64_t there = 0, nth = 0;
  for (word i = 0; i < bytes * 8; i++) there += all[i / BITS_OF_WORD] >> (i % BITS_OF_WORD) & 1;
  if (bytes <= 0 || there <= wanted) return 0;
  for (word i = 0; i < bytes * 8; i++) {
    if (!(all[i / BITS_OF_WORD] >> (i % BITS_OF_WORD) & 1)) continue;
    if ((nth++ + offset) % there < wanted) mask[i / BITS_OF_WORD] |= 1ull << (i % BITS_OF_WORD);
  }
  return 1;
}

static __attribute__((noreturn)) void bind_processors(const struct run *run) {
  take_rights_of_run(run->launch);
  if (choose_processors(run->launch->processors, (uint64_t)run->program)) for_each_process(run, bind_process);
  quit(0);
}

/* Every process of the run at once: a loop over them could not win against one that forks. @returns the process that does it, or 0 */
static word signal_all(const struct launch *launch, word program, int signal) {
  if (!launch->has_uid) {
    CALL(__NR_kill, -program, signal);
    return 0;
  }
  word sender = fork_process();
  if (sender != 0) return sender;
  /* A process in the same session gets SIGCONT from any user. */
  CALL(__NR_setsid);
  become_user(launch);
  CALL(__NR_kill, -1, signal);
  quit(0);
}

/* As before, and @returns when all have the signal */
static void signal_all_now(const struct launch *launch, word program, int signal) {
  word sender = signal_all(launch, program, signal);
  if (sender > 0) CALL(__NR_wait4, sender, 0, 0, 0);
}

/* Removes what a user has left in directories that all share. */
static void sweep(const struct launch *launch) {
  if (!launch->has_uid || launch->own_files || !*launch->shared) return;
  word sweeper = fork_process();
  if (sweeper == 0) {
    become_user(launch);
    for (char **shared = launch->shared; *shared; shared++) remove_entries(*shared, launch->uid);
    quit(0);
  }
  if (sweeper > 0) CALL(__NR_wait4, sweeper, 0, 0, 0);
}
