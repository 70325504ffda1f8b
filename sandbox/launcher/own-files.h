/* A private file system for the run, where the machine allows the mount: in memory, with a size, invisible to other processes. The
 * kernel counts the blocks of every file in it that anything holds, removed or not. */
#pragma once

#include <asm/statfs.h>
#include <linux/mount.h>
#include <linux/sched.h>

#include "arguments.h"
#include "directories.h"
#include "report.h"

enum { MAX_KEPT = 32, OPEN_TO_ALL = 01777, PASSABLE = 0111, READABLE_BY_ALL = 0444, CLOSED_TO_ALL = 0, OPEN_TO_OTHERS = 06, COPY_BUFFER = 16384 };
#define DEVICE(major, minor) ((major) << 8 | (minor))
enum { TERMINAL_MAKER = DEVICE(5, 2) };
/* Above the limit that the caller watches, so that it can say why a run ended: 1/SLACK of it. */
enum { SLACK = 25, SPARE_ENTRIES = 64 };

static void write_text(const char *path, const char *text) {
  word file = need(path, CALL(__NR_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC));
  size_t length = 0;
  while (text[length]) length++;
  need(path, CALL(__NR_write, file, text, length));
  CALL(__NR_close, file);
}

/* The same user within: no other one exists there. */
static void map_user(const char *path, uint64_t id) {
  struct line line = {.length = 0};
  put_digits(&line, id);
  put_number(&line, id);
  put_text(&line, " 1");
  write_text(path, ended(&line));
}

static void enter_own_mounts(const struct launch *launch) {
  const uint64_t user = (uint64_t)CALL(__NR_geteuid), group = (uint64_t)CALL(__NR_getegid);
  /* A process may mount within its own mount namespace; any user may create one unless the machine has switched that off. */
  need("own files", CALL(__NR_unshare, launch->has_uid ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER));
  if (!launch->has_uid) {
    write_text("/proc/self/setgroups", "deny");
    map_user("/proc/self/uid_map", user);
    map_user("/proc/self/gid_map", group);
  }
  need("own files", CALL(__NR_mount, 0, "/", 0, MS_REC | MS_PRIVATE, 0));
}

static void put_fd(struct line *line, word fd) {
  put_text(line, "/proc/self/fd/");
  put_digits(line, (uint64_t)fd);
}

static int begins_with(const char *text, const char *beginning) {
  while (*beginning && *text == *beginning) text++, beginning++;
  return !*beginning;
}

static int is_below(const char *path, char **directories) {
  for (; *directories; directories++) {
    size_t length = 0;
    while ((*directories)[length]) length++;
    if (begins_with(path, *directories) && path[length] == '/') return 1;
  }
  return 0;
}

static void bind(word source, const char *target) {
  struct line link = {.length = 0};
  put_fd(&link, source);
  need(target, CALL(__NR_mount, ended(&link), target, 0, MS_BIND | MS_REC, 0));
}

/* Puts something back in the place where a directory of the run's own hides it. */
static void expose(word source, const char *path) {
  char place[4096];
  size_t at = 0;
  for (; path[at] && at < sizeof place - 1; at++) {
    if (path[at] == '/' && at > 0) {
      place[at] = 0;
      CALL(__NR_mkdirat, AT_FDCWD, place, PASSABLE);
    }
    place[at] = path[at];
  }
  place[at] = 0;
  struct stat file;
  need(path, CALL(__NR_newfstatat, source, "", &file, AT_EMPTY_PATH));
  if (is_directory(&file)) CALL(__NR_mkdirat, AT_FDCWD, place, PASSABLE);
  else {
    word made = CALL(__NR_openat, AT_FDCWD, place, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, READABLE_BY_ALL);
    if (made >= 0) CALL(__NR_close, made);
  }
  bind(source, place);
}

/* null, zero, full, random, urandom, tty: the devices of a program. */
static int is_plain_device(uint64_t device) {
  static const uint64_t plain[] = {DEVICE(1, 3), DEVICE(1, 5), DEVICE(1, 7), DEVICE(1, 8), DEVICE(1, 9), DEVICE(5, 0)};
  for (size_t i = 0; i < COUNT(plain); i++)
    if (device == plain[i]) return 1;
  return 0;
}

/* Each descriptor of it is one of the machine's 4,096 pseudo-terminals. */
static int is_terminal_maker(const struct stat *file) {
  return (file->st_mode & S_IFMT) == S_IFCHR && file->st_rdev == TERMINAL_MAKER;
}

struct closing {
  word closed;
  int is_nested;
};

/* Hides a device that all users may open: a descriptor of one may hold memory of the kernel, or make terminals, machines, networks and
 * file systems. */
static void close_device(word directory, const char *name, void *context) {
  const struct closing *closing = context;
  struct stat file;
  if (CALL(__NR_newfstatat, directory, name, &file, AT_SYMLINK_NOFOLLOW) < 0) return;
  if (is_directory(&file)) {
    word below = closing->is_nested ? -1 : CALL(__NR_openat, directory, name, O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below < 0) return;
    struct closing nested = {.closed = closing->closed, .is_nested = 1};
    for_each_entry(below, close_device, &nested);
    CALL(__NR_close, below);
    return;
  }
  const uint32_t type = file.st_mode & S_IFMT;
  if ((type != S_IFCHR && type != S_IFBLK) || !(file.st_mode & OPEN_TO_OTHERS) || is_plain_device(file.st_rdev)) return;
  struct line place = {.length = 0};
  put_fd(&place, directory);
  put_text(&place, "/");
  put_text(&place, name);
  bind(closing->closed, ended(&place));
}

/* Without Landlock, nothing else closes them to a program. */
static void close_devices(word top) {
  word devices = CALL(__NR_openat, AT_FDCWD, "/dev", O_DIRECTORY | O_CLOEXEC);
  if (devices < 0) return;
  word closed = need("devices", CALL(__NR_openat, top, "closed", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, CLOSED_TO_ALL));
  struct closing closing = {.closed = closed, .is_nested = 0};
  for_each_entry(devices, close_device, &closing);
  CALL(__NR_close, closed);
  CALL(__NR_close, devices);
}

static void copy_entry(word from, const char *name, void *context) {
  const word to = *(word *)context;
  static char bytes[COPY_BUFFER];
  word source = need(name, CALL(__NR_openat, from, name, O_NOFOLLOW | O_CLOEXEC));
  word copy = need(name, CALL(__NR_openat, to, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, READABLE_BY_ALL));
  word length;
  while ((length = CALL(__NR_read, source, bytes, sizeof bytes)) > 0)
    for (word written = 0; written < length;) written += need(name, CALL(__NR_write, copy, bytes + written, length - written));
  need(name, length);
  CALL(__NR_fchmod, copy, READABLE_BY_ALL);
  CALL(__NR_close, source);
  CALL(__NR_close, copy);
}

static void append(word file, const char *text) {
  size_t length = 0;
  while (text[length]) length++;
  need("names", CALL(__NR_write, file, text, length));
}

/* The machine's list with one more name, in place of the machine's: a program that asks for the name of its user or group is `program`. */
static void put_name(const struct launch *launch, word top, word etc, const char *name, const char *list, int is_user) {
  struct stat file;
  if (CALL(__NR_newfstatat, etc, name, &file, AT_SYMLINK_NOFOLLOW) < 0 || (file.st_mode & S_IFMT) != S_IFREG) return;
  copy_entry(etc, name, &top);
  struct line id = {.length = 0};
  put_digits(&id, launch->uid);
  const char *digits = ended(&id);
  word copy = need(name, CALL(__NR_openat, top, name, O_WRONLY | O_APPEND | O_CLOEXEC));
  append(copy, "\nprogram:x:");
  append(copy, digits);
  append(copy, ":");
  if (is_user) {
    append(copy, digits);
    append(copy, "::");
    append(copy, launch->directory);
    append(copy, ":/bin/sh");
  }
  append(copy, "\n");
  bind(copy, list);
  CALL(__NR_close, copy);
}

static void name_user(const struct launch *launch, word top) {
  if (!launch->has_uid) return;
  word etc = CALL(__NR_openat, AT_FDCWD, "/etc", O_DIRECTORY | O_CLOEXEC);
  if (etc < 0) return;
  put_name(launch, top, etc, "passwd", "/etc/passwd", 1);
  put_name(launch, top, etc, "group", "/etc/group", 0);
  CALL(__NR_close, etc);
}

static word make_directory(word parent, const char *name, uint32_t mode) {
  need(name, CALL(__NR_mkdirat, parent, name, OWNER_ONLY));
  word directory = need(name, CALL(__NR_openat, parent, name, O_DIRECTORY | O_CLOEXEC));
  CALL(__NR_fchmod, directory, mode);
  return directory;
}

/*
 * Mounts it on the run's directory, with a copy of the files that the caller has put there, and on every shared directory; what the
 * program may read stays where it is.
 */
static void mount_own_files(const struct launch *launch) {
  enter_own_mounts(launch);
  CALL(__NR_umask, 0);
  word kept[MAX_KEPT];
  const char *kept_paths[MAX_KEPT];
  size_t kept_count = 0;
  for (char **path = launch->readable; *path; path++) {
    if (!is_below(*path, launch->shared) || kept_count == MAX_KEPT) continue;
    word fd = CALL(__NR_openat, AT_FDCWD, *path, O_PATH | O_CLOEXEC);
    if (fd < 0) continue;
    kept[kept_count] = fd;
    kept_paths[kept_count++] = *path;
  }
  word files = need("run directory", CALL(__NR_openat, AT_FDCWD, launch->directory, O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));

  struct line options = {.length = 0};
  put_text(&options, "mode=711,size=");
  put_digits(&options, launch->file_bytes + launch->file_bytes / SLACK);
  put_text(&options, ",nr_inodes=");
  put_digits(&options, launch->entries + SPARE_ENTRIES);
  need("own files", CALL(__NR_mount, "tripod", launch->directory, "tmpfs", MS_NOSUID | MS_NODEV, ended(&options)));
  word top = need("run directory", CALL(__NR_openat, AT_FDCWD, launch->directory, O_DIRECTORY | O_CLOEXEC));
  word own = make_directory(top, "run", OWNER_ONLY);
  for_each_entry(files, copy_entry, &own);
  if (launch->has_uid) need("run directory", CALL(__NR_fchown, own, launch->uid, launch->uid));
  uint64_t number_of_directory = 0;
  for (char **shared = launch->shared; *shared; shared++) {
    word there = CALL(__NR_openat, AT_FDCWD, *shared, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (there < 0) continue;
    CALL(__NR_close, there);
    struct line name = {.length = 0};
    put_digits(&name, number_of_directory++);
    word directory = make_directory(top, ended(&name), OPEN_TO_ALL);
    bind(directory, *shared);
    CALL(__NR_close, directory);
  }
  close_devices(top);
  name_user(launch, top);
  for (size_t i = 0; i < kept_count; i++) {
    expose(kept[i], kept_paths[i]);
    CALL(__NR_close, kept[i]);
  }
  if (is_below(launch->directory, launch->shared)) expose(own, launch->directory);
  else bind(own, launch->directory);
  CALL(__NR_close, own);
  CALL(__NR_close, top);
  CALL(__NR_close, files);
  /* By this the caller finds it. */
  need("run directory", CALL(__NR_chdir, launch->directory));
  struct line mounted = {.length = 0};
  put_text(&mounted, "M");
  report(&mounted);
}

/* Counts its contents. */
static void count_own_files(struct usage *usage, const char *directory) {
  struct statfs own = {0};
  if (CALL(__NR_statfs, directory, &own) < 0) return;
  usage->bytes = (uint64_t)(own.f_blocks - own.f_bfree) * (uint64_t)own.f_bsize;
  usage->entries = (uint64_t)(own.f_files - own.f_ffree);
}
