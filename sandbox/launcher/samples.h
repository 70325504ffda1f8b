/* What the processes of a run hold that no limit of a process counts: memory and files of all of them together. */
#pragma once

#include "directories.h"
#include "own-files.h"
#include "processes.h"

enum { MAX_HELD = 4096, HELD_SLOTS = 2 * MAX_HELD, STATUS_BUFFER = 4096, MAPS_BUFFER = 16384, KIB = 1024 };
/* The start and the end of a line that is longer than the buffer are enough. */
enum { LINE_HEAD = 128, LINE_TAIL = 64 };

/* Something in the kernel that several descriptors or mappings may hold. */
struct held {
  uint64_t device, inode, bytes;
  int is_exact;
};

struct sample {
  const struct launch *launch;
  uint64_t private_kib, shared_kib, least_shared_kib;
  uint64_t sockets, pipes, terminals;
  /* Removed files that are held in a way that hides their size. */
  uint64_t unsized;
  struct held held[HELD_SLOTS];
  uint64_t held_count;
};

static struct sample sample;
static struct usage usage;

/* The entry of an object, made when it was not there; null when there are too many. */
static struct held *find_held(uint64_t device, uint64_t inode, int *is_new) {
  *is_new = 0;
  for (uint64_t at = (inode * 31 + device) % HELD_SLOTS;; at = (at + 1) % HELD_SLOTS) {
    struct held *held = &sample.held[at];
    if (held->inode == inode && held->device == device) return held;
    if (held->inode != 0) continue;
    if (sample.held_count == MAX_HELD) return 0;
    sample.held_count++;
    *is_new = 1;
    *held = (struct held){.device = device, .inode = inode, .bytes = 0, .is_exact = 0};
    return held;
  }
}

/* Text after a name at the start of a line. */
static const char *after(const char *text, const char *name) {
  while (*text) {
    size_t at = 0;
    while (name[at] && text[at] == name[at]) at++;
    if (!name[at]) {
      for (text += at; *text == ' ' || *text == '\t'; text++);
      return text;
    }
    while (*text && *text != '\n') text++;
    if (*text) text++;
  }
  return "";
}
static uint64_t field(const char *text, const char *name) { return number(after(text, name)); }

static word open_of_process(uint64_t pid, const char *name, int flags) {
  word file = proc_of(pid, name, flags);
  if ((file != -EACCES && file != -EPERM) || !sample.launch->has_uid) return file;
  take_rights_of_caller();
  file = proc_of(pid, name, flags);
  take_rights_of_run(sample.launch);
  return file;
}

static int read_of_process(uint64_t pid, const char *name, char *text, size_t size) {
  word file = open_of_process(pid, name, 0);
  if (file < 0) return 0;
  word length = CALL(__NR_read, file, text, size - 1);
  CALL(__NR_close, file);
  text[length > 0 ? length : 0] = 0;
  return length > 0;
}

static uint64_t hexadecimal(const char **text) {
  uint64_t value = 0;
  for (;; (*text)++) {
    const char c = **text;
    if (c >= '0' && c <= '9') value = value * 16 + (uint64_t)(c - '0');
    else if (c >= 'a' && c <= 'f') value = value * 16 + (uint64_t)(c - 'a' + 10);
    else return value;
  }
}

static int ends_with(const char *text, const char *end_of_text, const char *suffix) {
  size_t length = 0;
  while (suffix[length]) length++;
  if ((size_t)(end_of_text - text) < length) return 0;
  for (size_t i = 0; i < length; i++)
    if (end_of_text[(word)i - (word)length] != suffix[i]) return 0;
  return 1;
}

/* What the kernel calls memory that processes share; a file cannot have it for its whole path. */
static int is_shared_memory(const char *path) {
  while (*path == ' ') path++;
  return begins_with(path, "/dev/zero (deleted)\n");
}

/* Pages of a shared mapping stay when no process maps them any more, and a removed file while one does: the largest extent that is
   seen counts, and is the least that there is. */
static void count_mapping(const char *line, const char *end) {
  const char *at = line;
  uint64_t from = hexadecimal(&at);
  at++;
  uint64_t to = hexadecimal(&at);
  const int is_shared = at[4] == 's';
  at += 6;
  uint64_t offset = hexadecimal(&at);
  at++;
  uint64_t major = hexadecimal(&at);
  at++;
  uint64_t minor = hexadecimal(&at);
  at++;
  uint64_t inode = number(at);
  while (is_number(at)) at++;
  if (inode == 0 || !ends_with(line, end, " (deleted)")) return;
  int is_new;
  struct held *held = find_held(major << 32 | minor, inode, &is_new);
  if (held == 0) return;
  uint64_t bytes = offset + to - from;
  const int is_memory = is_shared && is_shared_memory(at);
  if (is_new && !is_memory) sample.unsized++;
  if (held->is_exact || bytes <= held->bytes) return;
  if (is_memory) sample.shared_kib += (bytes - held->bytes) / KIB;
  else usage.bytes += bytes - held->bytes;
  held->bytes = bytes;
}

static void count_mappings(uint64_t pid) {
  static char text[MAPS_BUFFER];
  word file = open_of_process(pid, "maps", 0);
  if (file < 0) return;
  size_t kept = 0;
  word length;
  while ((length = CALL(__NR_read, file, text + kept, sizeof text - kept)) > 0) {
    size_t end = kept + (size_t)length, line = 0;
    for (size_t at = kept; at < end; at++)
      if (text[at] == '\n') {
        count_mapping(text + line, text + at);
        line = at + 1;
      }
    kept = end - line;
    memmove(text, text + line, kept);
    if (kept == sizeof text) {
      memmove(text + LINE_HEAD, text + kept - LINE_TAIL, LINE_TAIL);
      kept = LINE_HEAD + LINE_TAIL;
    }
  }
  CALL(__NR_close, file);
}

static void count_descriptor(word directory, const char *name, void *context) {
  (void)context;
  struct stat file;
  if (CALL(__NR_newfstatat, directory, name, &file, 0) < 0) return;
  const uint32_t type = file.st_mode & S_IFMT;
  if (is_terminal_maker(&file)) sample.terminals++;
  if (type != S_IFSOCK && type != S_IFIFO && (type != S_IFREG || file.st_nlink > 0)) return;
  int is_new;
  const uint64_t major = file.st_dev >> 8 & 0xfff, minor = (file.st_dev & 0xff) | (file.st_dev >> 12 & 0xfff00);
  struct held *held = find_held(major << 32 | minor, file.st_ino, &is_new);
  if (held == 0) return;
  if (type == S_IFSOCK) sample.sockets += (uint64_t)is_new;
  else if (type == S_IFIFO) sample.pipes += (uint64_t)is_new;
  else {
    const uint64_t bytes = (uint64_t)file.st_blocks * BLOCK_BYTES;
    if (!is_new && !held->is_exact) sample.unsized--;
    usage.bytes += bytes - held->bytes;
    held->bytes = bytes;
    held->is_exact = 1;
  }
}

/* Memory that a process never shares: its page tables, and pages from the machine's pool of huge pages. */
static uint64_t unshared_kib(const char *status) { return field(status, "VmPTE:") + field(status, "HugetlbPages:"); }

static char status[STATUS_BUFFER];

static void find_thread(word tasks, const char *thread, void *context) {
  uint64_t *found = context;
  (void)tasks;
  if (*found || !is_number(thread)) return;
  if (read_of_process(number(thread), "status", status, sizeof status) && *after(status, "RssAnon:")) *found = number(thread);
}

/* Reads the status of a process; where its first thread has ended, and with it all that it shows, that of another one.
   @returns the id by which the rest can be read; 0: nothing is left of it */
static uint64_t read_status(uint64_t pid) {
  if (!read_of_process(pid, "status", status, sizeof status)) return 0;
  if (*after(status, "RssAnon:")) return pid;
  uint64_t found = 0;
  word tasks = open_of_process(pid, "task", O_DIRECTORY);
  if (tasks < 0) return 0;
  for_each_entry(tasks, find_thread, &found);
  CALL(__NR_close, tasks);
  return found;
}

static void count_process(uint64_t process) {
  const uint64_t pid = read_status(process);
  if (pid == 0) return;
  sample.private_kib += field(status, "RssAnon:") + field(status, "VmSwap:") + unshared_kib(status);
  sample.least_shared_kib += field(status, "RssShmem:");
  word descriptors = open_of_process(pid, "fd", O_DIRECTORY);
  if (descriptors >= 0) {
    for_each_entry(descriptors, count_descriptor, 0);
    CALL(__NR_close, descriptors);
  } else {
    const uint64_t size = field(status, "FDSize:");
    sample.sockets += size;
    sample.unsized += size;
  }
  count_mappings(pid);
}

/* Counts a page that several processes share once, which takes the kernel milliseconds. For a process whose program file cannot be
   read the kernel shows only sizes: shared pages then count in each process. */
static void count_shares(uint64_t process) {
  static char shares[STATUS_BUFFER];
  const uint64_t pid = read_status(process);
  if (pid == 0) return;
  sample.private_kib += unshared_kib(status);
  if (read_of_process(pid, "smaps_rollup", shares, sizeof shares)) {
    sample.private_kib += field(shares, "Pss_Anon:") + field(shares, "SwapPss:");
    sample.least_shared_kib += field(shares, "Pss_Shmem:");
  } else {
    sample.private_kib += field(status, "RssAnon:") + field(status, "VmSwap:");
    sample.least_shared_kib += field(status, "RssShmem:");
  }
}

static void put_sample(void) {
  struct line line = {.length = 0};
  put_text(&line, "S");
  put_number(&line, sample.private_kib);
  put_number(&line, sample.least_shared_kib);
  put_number(&line, sample.shared_kib);
  put_number(&line, sample.held_count == MAX_HELD ? MAX_HELD : sample.sockets);
  put_number(&line, sample.pipes);
  put_number(&line, usage.bytes / KIB);
  put_number(&line, usage.entries);
  put_number(&line, sample.held_count == MAX_HELD ? MAX_HELD : sample.unsized);
  put_number(&line, sample.terminals);
  report(&line);
}

/* A separate process that the run cannot reach: it is not dumpable, and its real user is the caller. It opens directories with the
   caller's rights, and processes with no more than the run's. */
static __attribute__((noreturn)) void report_sample(const struct run *run) {
  const struct launch *launch = run->launch;
  sample.launch = launch;
  usage.max_entries = launch->entries;
  usage.entries = 1;
  raise_descriptor_limit();
  if (!launch->own_files) count_tree(&usage, launch->directory, -1);
  if (launch->has_uid && !launch->own_files)
    for (char **shared = launch->shared; *shared; shared++) count_tree(&usage, *shared, launch->uid);
  take_rights_of_run(launch);
  for_each_process(run, count_process);
  if ((sample.private_kib + sample.least_shared_kib) * KIB > launch->memory_bytes) {
    sample.private_kib = sample.least_shared_kib = 0;
    for_each_process(run, count_shares);
  }
  if (launch->own_files) count_own_files(&usage, launch->directory);
  put_sample();
  quit(0);
}

/* In the end nothing is held but files. */
static void report_own_files(const struct launch *launch) {
  count_own_files(&usage, launch->directory);
  put_sample();
}
