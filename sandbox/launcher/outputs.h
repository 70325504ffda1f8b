/*
 * The files that a program has left below out/, sent to the caller. No link is followed and nothing but a plain file is opened, with no more
 * rights than the program had. Each file is a line, then its path and its bytes; each one that is not sent is a line and its path:
 *   F <bytes of path> <bytes of content>
 *   N <bytes of path> <reason>
 */
#pragma once

#include <linux/capability.h>

#include "landlock.h"
#include "processes.h"

enum { MAX_OUTPUTS = 20, MAX_NOTES = 20, MAX_OUTPUT_BYTES = 24 * 1024 * 1024, MAX_OUTPUT_DEPTH = 8, MAX_SEEN = 12000 };
enum { MAX_PATH_BYTES = 1024, OUTPUT_BUFFER = 65536 };
/* sandbox/runner/launcher-report.ts has them in words. */
enum reason { NOT_PLAIN = 1, TOO_MANY = 2, TOO_LARGE = 3, TOO_DEEP = 4, UNREADABLE = 5 };

static struct __user_cap_header_struct own_capabilities = {.version = _LINUX_CAPABILITY_VERSION_3};
static const struct __user_cap_data_struct no_capabilities[_LINUX_CAPABILITY_U32S_3];

struct outputs {
  /* Files changed earlier are not sent: CLOCK_REALTIME. */
  int64_t since_seconds, since_ns;
  uint64_t files, notes, bytes, seen, depth;
  char path[MAX_PATH_BYTES];
  size_t length;
};

static struct outputs outputs;

static void send_bytes(const char *bytes, word count) {
  while (count > 0) {
    word sent = CALL(__NR_write, REPORT_FD, bytes, count);
    if (sent <= 0) quit(1);
    bytes += sent;
    count -= sent;
  }
}

static void send_head(const char *kind, uint64_t value) {
  struct line head = {.length = 0};
  put_text(&head, kind);
  put_number(&head, outputs.length);
  put_number(&head, value);
  report(&head);
  send_bytes(outputs.path, (word)outputs.length);
}

static void note(enum reason reason) {
  if (outputs.notes++ < MAX_NOTES) send_head("N", reason);
}

static int is_older(const struct stat *file) {
  const int64_t seconds = (int64_t)file->st_ctime;
  return seconds < outputs.since_seconds || (seconds == outputs.since_seconds && (int64_t)file->st_ctime_nsec < outputs.since_ns);
}

static void send_content(word file, uint64_t size) {
  static char bytes[OUTPUT_BUFFER];
  while (size > 0) {
    word wanted = size < sizeof bytes ? (word)size : (word)sizeof bytes;
    word length = CALL(__NR_read, file, bytes, wanted);
    /* The size was announced: fill the missing bytes with zeros. */
    if (length <= 0) memset(bytes, 0, (size_t)(length = wanted));
    send_bytes(bytes, length);
    size -= (uint64_t)length;
  }
}

static void send_file(word directory, const char *name) {
  word file = CALL(__NR_openat, directory, name, O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return note(UNREADABLE);
  struct stat opened;
  /* It may have been replaced. */
  if (CALL(__NR_fstat, file, &opened) < 0 || (opened.st_mode & S_IFMT) != S_IFREG) note(NOT_PLAIN);
  else if ((uint64_t)opened.st_size > MAX_OUTPUT_BYTES - outputs.bytes) note(TOO_LARGE);
  else {
    outputs.files++;
    outputs.bytes += (uint64_t)opened.st_size;
    send_head("F", (uint64_t)opened.st_size);
    send_content(file, (uint64_t)opened.st_size);
  }
  CALL(__NR_close, file);
}

/* Adds a name to the path. @returns whether it fits */
static int enter_path(const char *name) {
  const size_t before = outputs.length;
  if (before > 0 && outputs.length < sizeof outputs.path) outputs.path[outputs.length++] = '/';
  while (*name && outputs.length < sizeof outputs.path) outputs.path[outputs.length++] = *name++;
  return !*name;
}

static void send_entry(word directory, const char *name, void *context) {
  (void)context;
  /* A program that makes more files gets no note about each of them. */
  if (outputs.seen++ >= MAX_SEEN) return;
  const size_t before = outputs.length;
  struct stat file;
  if (!enter_path(name)) note(TOO_DEEP);
  else if (CALL(__NR_newfstatat, directory, name, &file, AT_SYMLINK_NOFOLLOW) < 0) note(UNREADABLE);
  else if (is_directory(&file)) {
    word below = CALL(__NR_openat, directory, name, O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (outputs.depth >= MAX_OUTPUT_DEPTH) note(TOO_DEEP);
    else if (below < 0) note(UNREADABLE);
    else {
      outputs.depth++;
      for_each_entry(below, send_entry, 0);
      outputs.depth--;
    }
    if (below >= 0) CALL(__NR_close, below);
  } else if (is_older(&file)) {
  } else if ((file.st_mode & S_IFMT) != S_IFREG) note(NOT_PLAIN);
  else if (outputs.files >= MAX_OUTPUTS) note(TOO_MANY);
  else send_file(directory, name);
  outputs.length = before;
}

/* A separate process, confined as the program was except for its system calls. Its real user is the caller, without a capability, so that
   no process of the run can signal it. */
static __attribute__((noreturn)) void send_outputs(const struct launch *launch) {
  int ruleset = launch->landlock ? landlock_ruleset(launch) : -1;
  if (launch->has_uid) CALL(__NR_setgroups, 0, 0);
  take_rights_of_run(launch);
  if (CALL(__NR_capset, &own_capabilities, no_capabilities) < 0) quit(1);
  if (CALL(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) quit(1);
  if (ruleset >= 0 && CALL(NR_LANDLOCK_RESTRICT, ruleset, 0) < 0) quit(1);
  word directory = CALL(__NR_openat, AT_FDCWD, launch->directory, O_DIRECTORY | O_CLOEXEC);
  word out = CALL(__NR_openat, directory, "out", O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (out >= 0) for_each_entry(out, send_entry, 0);
  quit(0);
}

/* @returns when all is sent */
static void collect_outputs(const struct launch *launch) {
  if (!launch->collects) return;
  word collector = fork_process();
  if (collector == 0) send_outputs(launch);
  if (collector > 0) CALL(__NR_wait4, collector, 0, 0, 0);
}
