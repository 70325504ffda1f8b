/* Trees of files that a program has made: by descriptors and bytes, since a path may be too long and a name in no encoding. */
#pragma once

#include <asm/stat.h>
#include <linux/stat.h>

#include "report.h"

enum { MAX_OPEN_DIRECTORIES = 16384, BLOCK_BYTES = 512, OWNER_ONLY = 0700, ENTRIES_BUFFER = 4096 };
enum { SEEK_SET = 0 };

static int is_directory(const struct stat *file) { return (file->st_mode & S_IFMT) == S_IFDIR; }

struct entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[];
};

static int is_dots(const char *name) { return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2])); }

/* Visits the entries of an open directory; the visitor may remove them. */
static void for_each_entry(word directory, void (*visit)(word directory, const char *name, void *context), void *context) {
  _Alignas(8) char entries[ENTRIES_BUFFER];
  word length;
  while ((length = CALL(__NR_getdents64, directory, entries, sizeof entries)) > 0)
    for (word at = 0; at < length; at += ((struct entry *)(entries + at))->length) {
      const char *name = ((struct entry *)(entries + at))->name;
      if (!is_dots(name)) visit(directory, name, context);
    }
}

/* Follows no link. A directory closed to its owner is opened by way of a descriptor, which nothing else can replace. */
static word open_directory(word parent, const char *name) {
  word directory = CALL(__NR_openat, parent, name, O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (directory != -EACCES) return directory;
  word path = CALL(__NR_openat, parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (path < 0) return path;
  struct line link = {.length = 0};
  put_text(&link, "/proc/self/fd/");
  put_digits(&link, (uint64_t)path);
  CALL(__NR_fchmodat, AT_FDCWD, ended(&link), OWNER_ONLY);
  directory = CALL(__NR_openat, path, ".", O_DIRECTORY | O_CLOEXEC);
  CALL(__NR_close, path);
  return directory;
}

/* ---- counting ---- */

struct usage {
  uint64_t max_entries, entries, bytes;
  /* Directories that are still to be counted. */
  int open[MAX_OPEN_DIRECTORIES], count;
  /* Of a shared directory only this user's entries count. */
  int64_t only_uid;
};

static void count_entry(word directory, const char *name, void *context) {
  struct usage *usage = context;
  struct stat file;
  if (usage->entries > usage->max_entries || CALL(__NR_newfstatat, directory, name, &file, AT_SYMLINK_NOFOLLOW) < 0) return;
  if (usage->only_uid >= 0 && file.st_uid != (uint32_t)usage->only_uid) return;
  usage->entries++;
  usage->bytes += (uint64_t)file.st_blocks * BLOCK_BYTES;
  if (!is_directory(&file)) return;
  word opened = usage->count < MAX_OPEN_DIRECTORIES ? open_directory(directory, name) : -EMFILE;
  if (opened >= 0) usage->open[usage->count++] = (int)opened;
  /* What cannot be counted is too much. */
  if (opened == -EMFILE || opened == -ENFILE) usage->entries = usage->max_entries + 1;
}

static void count_tree(struct usage *usage, const char *path, int64_t only_uid) {
  word directory = CALL(__NR_openat, AT_FDCWD, path, O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (directory < 0) return;
  usage->only_uid = only_uid;
  for_each_entry(directory, count_entry, usage);
  CALL(__NR_close, directory);
  usage->only_uid = -1;
  while (usage->count > 0) {
    word next = usage->open[--usage->count];
    for_each_entry(next, count_entry, usage);
    CALL(__NR_close, next);
  }
}

/* ---- removal ---- */

struct removal {
  word top;
  uint64_t moved;
  int64_t only_uid;
  int removed;
};

/* Removes a file or an empty directory. */
static int remove_name(word directory, const char *name) {
  word result = CALL(__NR_unlinkat, directory, name, 0);
  return result == 0 || (result == -EISDIR && CALL(__NR_unlinkat, directory, name, AT_REMOVEDIR) == 0);
}

static word lift(struct removal *removal, word directory, const char *name) {
  for (;;) {
    struct line place = {.length = 0};
    put_text(&place, ".lifted-");
    put_digits(&place, removal->moved++);
    word result = CALL(__NR_renameat2, directory, name, removal->top, ended(&place), 0);
    if (result != -EEXIST && result != -ENOTEMPTY && result != -ENOTDIR) return result;
  }
}

/* A directory that is not empty goes to the top: so a tree of any depth is removed with two descriptors. */
static void remove_or_lift(word directory, const char *name, void *context) {
  struct removal *removal = context;
  if (remove_name(directory, name)) return;
  word result = lift(removal, directory, name);
  if (result == -EACCES) {
    /* Its entry for its parent changes, for which it must be writable. */
    word opened = open_directory(directory, name);
    if (opened < 0) return;
    CALL(__NR_fchmod, opened, OWNER_ONLY);
    CALL(__NR_close, opened);
    result = lift(removal, directory, name);
  }
  if (result == 0) removal->removed = 1;
}

static void remove_entry(word top, const char *name, void *context) {
  struct removal *removal = context;
  struct stat file;
  if (removal->only_uid >= 0 &&
      (CALL(__NR_newfstatat, top, name, &file, AT_SYMLINK_NOFOLLOW) < 0 || file.st_uid != (uint32_t)removal->only_uid))
    return;
  if (remove_name(top, name)) {
    removal->removed = 1;
    return;
  }
  word directory = open_directory(top, name);
  if (directory < 0) return;
  CALL(__NR_fchmod, directory, OWNER_ONLY);
  if (removal->only_uid >= 0) {
    /* In a shared directory nothing is moved: the tree is emptied in its own place. */
    struct removal own = {.top = directory, .moved = 0, .only_uid = -1, .removed = 1};
    while (own.removed) {
      own.removed = 0;
      CALL(__NR_lseek, directory, 0, SEEK_SET);
      for_each_entry(directory, remove_entry, &own);
    }
  } else
    for_each_entry(directory, remove_or_lift, removal);
  CALL(__NR_close, directory);
  if (CALL(__NR_unlinkat, top, name, AT_REMOVEDIR) == 0) removal->removed = 1;
}

/* Empties a directory, or removes what one user has in it. */
static void remove_entries(const char *path, int64_t only_uid) {
  word top = only_uid < 0 ? open_directory(AT_FDCWD, path) : CALL(__NR_openat, AT_FDCWD, path, O_DIRECTORY | O_CLOEXEC);
  if (top < 0) return;
  if (only_uid < 0) CALL(__NR_fchmod, top, OWNER_ONLY);
  struct removal removal = {.top = top, .moved = 0, .only_uid = only_uid, .removed = 1};
  while (removal.removed) {
    removal.removed = 0;
    CALL(__NR_lseek, top, 0, SEEK_SET);
    for_each_entry(top, remove_entry, &removal);
  }
  CALL(__NR_close, top);
}
