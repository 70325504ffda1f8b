/*
 * Starts one untrusted program, confined, and ends everything that it started.
 *
 *   launch <uid|-> <processors> <data bytes> <file bytes> <processes> <landlock 0|1> <pipe|-> <run directory> [readable path]... -- <program> [argument]...
 *
 * With a uid (root only) the program runs as that user, which nothing else uses; with `-` as the caller itself, which is
 * safe only under a Landlock that scopes signals. In the run directory a named pipe is made, where one is asked for. Descriptor 3 gets lines:
 *   R <wait status> <started ns> <ended ns> <user+system µs> <peak resident KiB>   the program ended; CLOCK_MONOTONIC
 *   E <step> <errno>                                                              it could not be started: nothing of it has run
 *   M <KiB>                                                                       what SIGUSR2 asked for
 * SIGUSR1 binds all threads of the run to so many processors; SIGUSR2 asks what its processes hold in memory, each page
 * counted once. SIGTERM, or the death of the caller, ends the run. When this process has ended, no process of it is left.
 *
 * Without a C library and without looking at its environment: what a user puts there is for the program alone.
 */
#include <asm/unistd.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/resource.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

typedef long word;

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
enum { O_DIRECTORY_ = 0200000 };
static word call6(word nr, word a, word b, word c, word d, word e, word f) {
  word result;
  register word r10 __asm__("r10") = d;
  register word r8 __asm__("r8") = e;
  register word r9 __asm__("r9") = f;
  __asm__ volatile("syscall" : "=a"(result) : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return result;
}
__asm__(".globl _start\n_start: xor %ebp,%ebp; mov %rsp,%rdi; and $-16,%rsp; call start\n");
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
enum { O_DIRECTORY_ = 040000 };
static word call6(word nr, word a, word b, word c, word d, word e, word f) {
  register word x8 __asm__("x8") = nr;
  register word x0 __asm__("x0") = a;
  register word x1 __asm__("x1") = b;
  register word x2 __asm__("x2") = c;
  register word x3 __asm__("x3") = d;
  register word x4 __asm__("x4") = e;
  register word x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}
__asm__(".globl _start\n_start: mov x29,#0; mov x0,sp; bl start\n");
#else
#error "no system calls for this processor"
#endif

#define CALL(nr, ...) CALL_(nr, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define CALL_(nr, a, b, c, d, e, f, ...) \
  call6(nr, (word)(a), (word)(b), (word)(c), (word)(d), (word)(e), (word)(f))

enum { EPERM_ = 1, EACCES_ = 13, EINTR_ = 4, ECHILD_ = 10, ENOSYS_ = 38, EAGAIN_ = 11 };
enum { SIGKILL_ = 9, SIGUSR1_ = 10, SIGUSR2_ = 12, SIGTERM_ = 15, SIGCHLD_ = 17 };
enum { REPORT_FD = 3 };

/* The compiler may ask for these. */
void *memset(void *to, int value, size_t count) {
  for (char volatile *at = to; count--; at++) *at = (char)value;
  return to;
}
void *memcpy(void *to, const void *from, size_t count) {
  char volatile *at = to;
  for (const char *source = from; count--;) *at++ = *source++;
  return to;
}

static int equal(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

static uint64_t number(const char *text) {
  uint64_t value = 0;
  for (; *text >= '0' && *text <= '9'; text++) value = value * 10 + (uint64_t)(*text - '0');
  return value;
}

struct line {
  char text[160];
  size_t length;
};
static void put_text(struct line *line, const char *text) {
  while (*text && line->length < sizeof line->text - 1) line->text[line->length++] = *text++;
}
static void put_number(struct line *line, uint64_t value) {
  char digits[21];
  size_t at = sizeof digits - 1;
  digits[at] = 0;
  do digits[--at] = (char)('0' + value % 10);
  while (value /= 10);
  put_text(line, " ");
  put_text(line, digits + at);
}
static void send(struct line *line) {
  put_text(line, "\n");
  CALL(__NR_write, REPORT_FD, line->text, line->length);
}

static __attribute__((noreturn)) void quit(int code) {
  for (;;) CALL(__NR_exit_group, code);
}
static __attribute__((noreturn)) void fail(const char *step, word error) {
  struct line line = {.length = 0};
  put_text(&line, "E ");
  put_text(&line, step);
  put_number(&line, (uint64_t)-error);
  send(&line);
  quit(125);
}
static word need(const char *step, word result) {
  if (result < 0) fail(step, result);
  return result;
}

struct order {
  int has_uid;
  uint32_t uid;
  uint64_t processors, data_bytes, file_bytes, processes;
  int landlock;
  const char *pipe;
  const char *directory;
  char **readable;
  char **program;
};

/* ---- system calls ---- */

static struct sock_filter filter[400];
static unsigned short filled;

static void op(uint16_t code, uint8_t yes, uint8_t no, uint32_t k) {
  if (filled == sizeof filter / sizeof *filter) fail("seccomp table", -7);
  filter[filled++] = (struct sock_filter){code, yes, no, k};
}
#define LOAD(field) op(BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, field))
#define LOW(n) (offsetof(struct seccomp_data, args) + 8 * (n))
#define HIGH(n) (LOW(n) + 4)
static void load_at(size_t offset) { op(BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset); }
static void answer(uint32_t action) { op(BPF_RET | BPF_K, 0, 0, action); }
static void refuse(uint32_t nr, uint32_t error) {
  op(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, nr);
  answer(SECCOMP_RET_ERRNO | error);
}
/* Begins a rule that looks at the arguments of one call; end_rule() closes it and lets the call pass. */
static unsigned short begin_rule(uint32_t nr) {
  op(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, nr);
  return filled - 1;
}
static void end_rule(unsigned short at) {
  answer(SECCOMP_RET_ALLOW);
  filter[at].jf = (uint8_t)(filled - at - 1);
}

/* No way out by any protocol, and nothing that sees, holds or changes what is not the run's own. */
static const uint16_t forbidden[] = {
  __NR_socket, __NR_connect, __NR_bind, __NR_listen, __NR_accept, __NR_accept4,
  __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_process_madvise, __NR_kcmp, __NR_pidfd_getfd,
  __NR_unshare, __NR_setns, __NR_mount, __NR_umount2, __NR_pivot_root, __NR_chroot, __NR_move_mount, __NR_open_tree,
  __NR_fsopen, __NR_fsconfig, __NR_fsmount, __NR_fspick, __NR_mount_setattr, __NR_swapon, __NR_swapoff,
  __NR_bpf, __NR_perf_event_open, __NR_keyctl, __NR_add_key, __NR_request_key, __NR_userfaultfd,
  __NR_memfd_create, 447 /* memfd_secret */, __NR_shmget, __NR_shmat, __NR_shmctl, __NR_msgget, __NR_msgsnd, __NR_msgrcv, __NR_msgctl,
  __NR_semget, __NR_semctl, __NR_semop, __NR_semtimedop, __NR_mq_open, __NR_mq_unlink, __NR_init_module, __NR_finit_module, __NR_delete_module,
  __NR_kexec_load, __NR_kexec_file_load, __NR_reboot, __NR_syslog, __NR_acct, __NR_quotactl, 443 /* quotactl_fd */,
  __NR_settimeofday, __NR_clock_settime, __NR_clock_adjtime, __NR_adjtimex, __NR_sethostname, __NR_setdomainname, __NR_personality,
  __NR_vhangup, __NR_lookup_dcookie, __NR_nfsservctl, __NR_name_to_handle_at, __NR_open_by_handle_at, __NR_fanotify_init, __NR_fanotify_mark,
  __NR_setpriority, __NR_ioprio_set, __NR_sched_setscheduler, __NR_sched_setparam, __NR_sched_setattr, __NR_sched_setaffinity,
  __NR_migrate_pages, __NR_move_pages, __NR_mbind, __NR_set_mempolicy,
#ifdef __x86_64__
  __NR_iopl, __NR_ioperm, __NR_modify_ldt, __NR_uselib, __NR_ustat, __NR_sysfs, __NR__sysctl, __NR_create_module, __NR_get_kernel_syms, __NR_query_module,
#endif
};

/* As the caller's own user: Landlock does not guard what belongs to a file beside its content, and the process group is
   how the run is ended. */
static const uint16_t forbidden_to_same_user[] = {
  __NR_setsid, __NR_setpgid, __NR_fchmodat, 452 /* fchmodat2 */, __NR_fchownat, __NR_setxattr, __NR_lsetxattr, __NR_removexattr,
  __NR_lremovexattr, 463 /* setxattrat */, 466 /* removexattrat */, 469 /* file_setattr */, __NR_inotify_add_watch,
#ifdef __x86_64__
  __NR_chmod, __NR_chown, __NR_lchown, __NR_utime, __NR_utimes, __NR_futimesat,
#endif
};

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define NEW_NAMESPACES                                                                                        \
  (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

static void restrict_system_calls(const struct order *order) {
  const uint32_t refused = SECCOMP_RET_ERRNO | EPERM_;
  unsigned short at;
  LOAD(arch);
  op(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, OWN_ARCH);
  answer(SECCOMP_RET_KILL_PROCESS);
  LOAD(nr);
#ifdef __x86_64__
  /* x32: the same calls under other numbers. */
  op(BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000);
  answer(SECCOMP_RET_ERRNO | ENOSYS_);
#endif
  for (size_t i = 0; i < COUNT(forbidden); i++) refuse(forbidden[i], forbidden[i] == __NR_socket ? EACCES_ : EPERM_);
  if (!order->has_uid)
    for (size_t i = 0; i < COUNT(forbidden_to_same_user); i++) refuse(forbidden_to_same_user[i], EPERM_);
  /* Programs know what to do where these do not exist; clone3 hides its flags from a filter. */
  refuse(__NR_clone3, ENOSYS_);
  refuse(__NR_io_uring_setup, ENOSYS_);
  refuse(__NR_io_uring_enter, ENOSYS_);
  refuse(__NR_io_uring_register, ENOSYS_);

  at = begin_rule(__NR_clone);
  load_at(LOW(0));
  op(BPF_JMP | BPF_JSET | BPF_K, 0, 1, NEW_NAMESPACES);
  answer(refused);
  end_rule(at);

  /* Pairs are how Node talks to its children. A pair of streams can reach nobody else; one of datagrams could. */
  at = begin_rule(__NR_socketpair);
  load_at(LOW(0));
  op(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 1 /* AF_UNIX */);
  answer(SECCOMP_RET_ERRNO | EACCES_);
  load_at(LOW(1));
  op(BPF_ALU | BPF_AND | BPF_K, 0, 0, 0xff);
  op(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 1 /* SOCK_STREAM */);
  answer(SECCOMP_RET_ERRNO | EACCES_);
  end_rule(at);

  /* Limits of its own process are its own business: the hard ones can only be lowered. */
  at = begin_rule(__NR_prlimit64);
  load_at(LOW(0));
  op(BPF_JMP | BPF_JEQ | BPF_K, 5, 0, 0);
  load_at(LOW(2));
  op(BPF_JMP | BPF_JEQ | BPF_K, 0, 2, 0);
  load_at(HIGH(2));
  op(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0);
  answer(refused);
  end_rule(at);

  /* A process that is not dumpable hides whose it is. */
  at = begin_rule(__NR_prctl);
  load_at(LOW(0));
  op(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 4 /* PR_SET_DUMPABLE */);
  op(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 35 /* PR_SET_MM */);
  answer(refused);
  end_rule(at);

  /* Nobody types into a terminal. */
  at = begin_rule(__NR_ioctl);
  load_at(LOW(1));
  op(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0x5412 /* TIOCSTI */);
  op(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0x541c /* TIOCLINUX */);
  answer(refused);
  end_rule(at);

  if (!order->has_uid) {
    /* Times of an open file only. */
    at = begin_rule(__NR_utimensat);
    load_at(LOW(1));
    op(BPF_JMP | BPF_JEQ | BPF_K, 0, 2, 0);
    load_at(HIGH(1));
    op(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0);
    answer(refused);
    end_rule(at);
  }
  answer(SECCOMP_RET_ALLOW);

  struct sock_fprog program = {.len = filled, .filter = filter};
  need("seccomp", CALL(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
}

/* ---- files ---- */

enum {
  LL_EXECUTE = 1 << 0, LL_WRITE_FILE = 1 << 1, LL_READ_FILE = 1 << 2, LL_READ_DIR = 1 << 3, LL_MAKE_CHAR = 1 << 6,
  LL_MAKE_SOCK = 1 << 9, LL_MAKE_BLOCK = 1 << 11, LL_TRUNCATE = 1 << 14, LL_IOCTL_DEV = 1 << 15,
};
struct landlock_ruleset {
  uint64_t handled_access_fs, handled_access_net, scoped;
};
struct landlock_path {
  uint64_t allowed_access;
  int32_t parent_fd;
} __attribute__((packed));
enum { NR_LANDLOCK_CREATE = 444, NR_LANDLOCK_ADD = 445, NR_LANDLOCK_RESTRICT = 446, ABI_WITH_SCOPES = 6 };
enum { O_PATH_ = 010000000, O_CLOEXEC_ = 02000000, AT_FDCWD_ = -100 };

/* Rights that only a directory can have are dropped for anything else. */
static const uint64_t LL_OF_FILES = LL_EXECUTE | LL_WRITE_FILE | LL_READ_FILE | LL_TRUNCATE | LL_IOCTL_DEV;

static void allow_path(int ruleset, const char *path, uint64_t rights, int required) {
  word fd = CALL(__NR_openat, AT_FDCWD_, path, O_PATH_ | O_CLOEXEC_);
  if (fd < 0 && !required) return;
  need(path, fd);
  struct landlock_path rule = {.allowed_access = rights, .parent_fd = (int32_t)fd};
  word result = CALL(NR_LANDLOCK_ADD, ruleset, 1, &rule, 0);
  if (result < 0) {
    rule.allowed_access &= LL_OF_FILES;
    need(path, CALL(NR_LANDLOCK_ADD, ruleset, 1, &rule, 0));
  }
  CALL(__NR_close, fd);
}

static int landlock_ruleset(const struct order *order) {
  word abi = need("landlock", CALL(NR_LANDLOCK_CREATE, 0, 0, 1));
  if (!order->has_uid && abi < ABI_WITH_SCOPES) fail("landlock without scopes", -ENOSYS_);
  uint64_t handled = abi >= 5 ? 0xffff : abi >= 3 ? 0x7fff : abi >= 2 ? 0x3fff : 0x1fff;
  struct landlock_ruleset rules = {handled, abi >= 4 ? 3 : 0, abi >= ABI_WITH_SCOPES ? 3 : 0};
  size_t size = abi >= ABI_WITH_SCOPES ? 24 : abi >= 4 ? 16 : 8;
  int ruleset = (int)need("landlock rules", CALL(NR_LANDLOCK_CREATE, &rules, size, 0));

  static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
  uint64_t read = LL_EXECUTE | LL_READ_FILE | LL_READ_DIR;
  for (size_t i = 0; i < COUNT(devices); i++)
    allow_path(ruleset, devices[i], (LL_READ_FILE | LL_WRITE_FILE | LL_IOCTL_DEV) & handled, 0);
  for (char **path = order->readable; *path; path++) allow_path(ruleset, *path, read, 0);
  /* Of all processes its own: other command lines may hold secrets. */
  allow_path(ruleset, "/proc/self", LL_READ_FILE | LL_READ_DIR, 0);
  allow_path(ruleset, order->directory, handled & ~(uint64_t)(LL_MAKE_CHAR | LL_MAKE_BLOCK | LL_MAKE_SOCK), 1);
  return ruleset;
}

/* ---- the program ---- */

static void limit(int resource, uint64_t value) {
  uint64_t now[2] = {0, 0};
  need("limits", CALL(__NR_prlimit64, 0, resource, 0, now));
  /* What is stricter already stays so. */
  uint64_t kept = value < now[1] ? value : now[1];
  uint64_t both[2] = {kept, kept};
  need("limits", CALL(__NR_prlimit64, 0, resource, both, 0));
}

static __attribute__((noreturn)) void become_program(const struct order *order, char **environment) {
  CALL(__NR_setsid);
  uint64_t no_signals = 0;
  CALL(__NR_rt_sigprocmask, 2, &no_signals, 0, 8);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_DATA, order->data_bytes);
  limit(RLIMIT_FSIZE, order->file_bytes);
  limit(RLIMIT_NPROC, order->processes);
  limit(RLIMIT_NOFILE, 512);
  limit(RLIMIT_MEMLOCK, 65536);
  limit(RLIMIT_MSGQUEUE, 0);
  limit(RLIMIT_SIGPENDING, 512);

  /* Opened while it can be reached: an interpreter may lie in a home that is closed to the run's user. */
  word file = -1;
  if (order->program[0][0] == '/')
    file = need(order->program[0], CALL(__NR_openat, AT_FDCWD_, order->program[0], O_PATH_ | O_CLOEXEC_));
  int ruleset = order->landlock ? landlock_ruleset(order) : -1;
  if (order->has_uid) {
    need("groups", CALL(__NR_setgroups, 0, 0));
    need("group", CALL(__NR_setresgid, order->uid, order->uid, order->uid));
    need("user", CALL(__NR_setresuid, order->uid, order->uid, order->uid));
  }
  CALL(__NR_prctl, 1 /* PR_SET_PDEATHSIG */, SIGKILL_);
  CALL(__NR_umask, 077);
  need("run directory", CALL(__NR_chdir, order->directory));
  if (!equal(order->pipe, "-")) need("pipe", CALL(__NR_mknodat, AT_FDCWD_, order->pipe, 010600 /* S_IFIFO */, 0));
  need("no_new_privs", CALL(__NR_prctl, 38 /* PR_SET_NO_NEW_PRIVS */, 1, 0, 0, 0));
  if (ruleset >= 0) {
    need("landlock restrict", CALL(NR_LANDLOCK_RESTRICT, ruleset, 0));
    CALL(__NR_close, ruleset);
  }
  restrict_system_calls(order);
  const char *name = file < 0 ? order->program[0] : "";
  fail("program", CALL(__NR_execveat, file < 0 ? AT_FDCWD_ : file, name, order->program, environment, 0x1000 /* AT_EMPTY_PATH */));
}

static word fork_process(void) { return CALL(__NR_clone, SIGCHLD_, 0, 0, 0, 0); }

/* ---- while it runs ---- */

struct entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[];
};

/* Visits what is named by a number in a directory. */
static void for_each_number(word parent, const char *path, void (*visit)(word directory, uint64_t number, void *context), void *context) {
  word directory = CALL(__NR_openat, parent, path, O_DIRECTORY_ | O_CLOEXEC_);
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

struct look {
  const struct order *order;
  word program;
  uint64_t mask[16];
  uint64_t kib;
};

/* Every process may be tried: without privileges, those of other users refuse. Among the caller's own, the group tells. */
static int is_of_run(const struct look *look, uint64_t pid) {
  return look->order->has_uid || CALL(__NR_getpgid, pid) == look->program;
}

static void bind_thread(word directory, uint64_t thread, void *context) {
  (void)directory;
  CALL(__NR_sched_setaffinity, thread, sizeof ((struct look *)context)->mask, ((struct look *)context)->mask);
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
  word file = CALL(__NR_openat, directory, path, O_CLOEXEC_);
  if (file < 0) return 0;
  word length = CALL(__NR_read, file, text, size - 1);
  CALL(__NR_close, file);
  text[length > 0 ? length : 0] = 0;
  return length > 0;
}

static void count_process(word directory, uint64_t pid, void *context) {
  struct look *look = context;
  char status[2048], shares[2048];
  if (!is_of_run(look, pid) || !read_of_process(directory, pid, "status", status, sizeof status)) return;
  if (look->order->has_uid && field(status, "Uid:") != look->order->uid) return;
  /* Of a program file that cannot be read the kernel shows no more than the sizes: then what is shared counts in each. */
  if (read_of_process(directory, pid, "smaps_rollup", shares, sizeof shares))
    look->kib += field(shares, "Pss_Anon:") + field(shares, "Pss_Shmem:");
  else
    look->kib += field(status, "RssAnon:") + field(status, "RssShmem:");
}

/* So many of the processors that there are, other ones for other runs. False: there are no more than that. */
static int choose_processors(struct look *look) {
  uint64_t all[16] = {0};
  word bytes = CALL(__NR_sched_getaffinity, 0, sizeof all, all);
  uint64_t there = 0, wanted = look->order->processors, nth = 0;
  for (word i = 0; i < bytes * 8; i++) there += all[i / 64] >> (i % 64) & 1;
  if (bytes <= 0 || there <= wanted) return 0;
  for (word i = 0; i < bytes * 8; i++) {
    if (!(all[i / 64] >> (i % 64) & 1)) continue;
    if ((nth++ + (uint64_t)look->program) % there < wanted) look->mask[i / 64] |= 1ull << (i % 64);
  }
  return 1;
}

/* In a process of its own, which has no more rights than the run and which the run cannot reach: it is not dumpable, and its real user is the caller. */
static void look_at_run(const struct order *order, word program, word signal) {
  struct look look = {.order = order, .program = program, .mask = {0}, .kib = 0};
  if (fork_process() != 0) return;
  if (order->has_uid &&
      (CALL(__NR_setresgid, -1, order->uid, -1) < 0 || CALL(__NR_setresuid, -1, order->uid, -1) < 0))
    quit(1);
  if (signal == SIGUSR1_ && choose_processors(&look)) for_each_number(AT_FDCWD_, "/proc", bind_process, &look);
  if (signal == SIGUSR2_) {
    struct line line = {.length = 0};
    for_each_number(AT_FDCWD_, "/proc", count_process, &look);
    put_text(&line, "M");
    put_number(&line, look.kib);
    send(&line);
  }
  quit(0);
}

/* ---- the end of the run ---- */

/* Every process of the run at once: a loop over them could not win against one that forks. */
static void kill_all(const struct order *order, word program) {
  if (!order->has_uid) {
    CALL(__NR_kill, -program, SIGKILL_);
    return;
  }
  word killer = fork_process();
  if (killer != 0) return;
  CALL(__NR_setresuid, order->uid, order->uid, order->uid);
  CALL(__NR_kill, -1, SIGKILL_);
  quit(0);
}

static uint64_t now_ns(void) {
  struct { int64_t seconds, ns; } time = {0, 0};
  CALL(__NR_clock_gettime, 1, &time);
  return (uint64_t)time.seconds * 1000000000u + (uint64_t)time.ns;
}

#define SIGNAL(number) (1ull << ((number) - 1))
static const uint64_t SIGNALS = SIGNAL(SIGCHLD_) | SIGNAL(SIGTERM_) | SIGNAL(SIGUSR1_) | SIGNAL(SIGUSR2_);

static __attribute__((noreturn)) void watch(const struct order *order, word program, uint64_t started_ns) {
  struct { int64_t seconds, ns; } pause = {0, 20000000};
  struct line report = {.length = 0};
  int ending = 0;
  for (;;) {
    word signal = CALL(__NR_rt_sigtimedwait, &SIGNALS, 0, ending ? &pause : 0, 8);
    if (signal == SIGTERM_) ending = 1;
    if ((signal == SIGUSR1_ || signal == SIGUSR2_) && !ending) look_at_run(order, program, signal);
    for (;;) {
      int status = 0;
      /* struct rusage: user time, system time, peak resident size, then what nobody asks for. */
      int64_t usage[18] = {0};
      word pid = CALL(__NR_wait4, -1, &status, 1 /* WNOHANG */, usage);
      if (pid == -ECHILD_) {
        if (report.length > 0) send(&report);
        quit(0);
      }
      if (pid <= 0) break;
      if (pid != program) continue;
      ending = 1;
      put_text(&report, "R");
      put_number(&report, (uint64_t)status);
      put_number(&report, started_ns);
      put_number(&report, now_ns());
      put_number(&report, (uint64_t)((usage[0] + usage[2]) * 1000000 + usage[1] + usage[3]));
      put_number(&report, (uint64_t)usage[4]);
    }
    if (ending) kill_all(order, program);
  }
}

__attribute__((used, noreturn)) void start(word *stack) {
  int count = (int)stack[0];
  char **arguments = (char **)(stack + 1);
  char **environment = arguments + count + 1;
  /* What the caller had open is not for the program; the report is not either. */
  CALL(__NR_close_range, REPORT_FD + 1, ~0u, 0);
  CALL(__NR_fcntl, REPORT_FD, 2 /* F_SETFD */, 1 /* FD_CLOEXEC */);
  if (count < 11) fail("arguments", -22);

  struct order order = {
    .has_uid = !equal(arguments[1], "-"), .uid = (uint32_t)number(arguments[1]), .processors = number(arguments[2]),
    .data_bytes = number(arguments[3]), .file_bytes = number(arguments[4]), .processes = number(arguments[5]),
    .landlock = equal(arguments[6], "1"), .pipe = arguments[7], .directory = arguments[8], .readable = arguments + 9,
  };
  if (order.has_uid && order.uid == 0) fail("uid", -22);
  if (!order.has_uid && !order.landlock) fail("same user without landlock", -22);
  int at = 9;
  while (at < count && !equal(arguments[at], "--")) at++;
  if (at + 1 >= count) fail("arguments", -22);
  arguments[at] = 0;
  order.program = arguments + at + 1;

  CALL(__NR_prctl, 1 /* PR_SET_PDEATHSIG */, SIGTERM_);
  CALL(__NR_prctl, 36 /* PR_SET_CHILD_SUBREAPER */, 1);
  CALL(__NR_rt_sigprocmask, 0, &SIGNALS, 0, 8);
  uint64_t started_ns = now_ns();
  word program = need("fork", fork_process());
  if (program == 0) become_program(&order, environment);
  /* The caller sees the end of the output when the last process of the run is gone. */
  CALL(__NR_close, 0);
  CALL(__NR_close, 1);
  CALL(__NR_close, 2);
  watch(&order, program, started_ns);
}
