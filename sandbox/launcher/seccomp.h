/* The system calls that a program may not make. */
#pragma once

#include <asm/ioctls.h>
#include <asm/mman.h>
#include <asm/socket.h>
#include <asm/termbits.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/resource.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <linux/stat.h>

#include "allowed-calls.h"
#include "arguments.h"
#include "report.h"

/* Calls that are newer than the headers; they have one number on every processor. */
enum {
  NR_QUOTACTL_FD = 443,
  NR_MEMFD_SECRET = 447,
  NR_SET_MEMPOLICY_HOME_NODE = 450,
  NR_STATMOUNT = 457,
  NR_LISTMOUNT = 458,
  NR_SETXATTRAT = 463,
  NR_REMOVEXATTRAT = 466,
  NR_OPEN_TREE_ATTR = 467,
  NR_FILE_SETATTR = 469,
};
enum { AF_UNIX = 1, SOCK_STREAM = 1, SOCK_TYPE_MASK = 0xff };
/* On x86-64: the same calls under other numbers. */
enum { X32_BIT = 0x40000000 };
enum { MAX_FILTER_LENGTH = 1200 };

static struct sock_filter filter[MAX_FILTER_LENGTH];
static unsigned short filled;

static void op(uint16_t code, uint8_t yes, uint8_t no, uint32_t k) {
  if (filled == sizeof filter / sizeof *filter) fail("seccomp table", -E2BIG);
  filter[filled++] = (struct sock_filter){code, yes, no, k};
}
#define LOAD(field) op(BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, field))
#define LOW(n) (offsetof(struct seccomp_data, args) + 8 * (n))
#define HIGH(n) (LOW(n) + 4)
static void load_at(size_t offset) { op(BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset); }
static void verdict(uint32_t action) { op(BPF_RET | BPF_K, 0, 0, action); }
static void refuse(uint32_t nr, uint32_t error) {
  op(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, nr);
  verdict(SECCOMP_RET_ERRNO | error);
}
static void when_equal(uint32_t value, uint32_t action) {
  op(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
  verdict(action);
}
/* Starts a rule on the arguments of one call; end_rule() closes it and lets the call pass. */
static unsigned short begin_rule(uint32_t nr) {
  op(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, nr);
  return filled - 1;
}
static void end_rule(unsigned short at) {
  verdict(SECCOMP_RET_ALLOW);
  filter[at].jf = (uint8_t)(filled - at - 1);
}

/* A call that takes these values of one argument; any other is unknown to it, as to an older kernel. */
static void allow_values(uint32_t nr, int argument, const uint32_t *values, size_t count) {
  unsigned short at = begin_rule(nr);
  load_at(LOW(argument));
  for (size_t i = 0; i < count; i++) when_equal(values[i], SECCOMP_RET_ALLOW);
  verdict(SECCOMP_RET_ERRNO | EINVAL);
  end_rule(at);
}

/* Refused with an error rather than unknown, so that programs can say why: any protocol that leads outside, and anything that sees,
   holds or changes resources outside the run. */
static const uint16_t forbidden[] = {
  __NR_socket, __NR_connect, __NR_bind, __NR_listen, __NR_accept, __NR_accept4,
  __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_process_madvise, __NR_kcmp, __NR_pidfd_getfd,
  __NR_unshare, __NR_setns, __NR_mount, __NR_umount2, __NR_pivot_root, __NR_chroot, __NR_move_mount, __NR_open_tree,
  __NR_fsopen, __NR_fsconfig, __NR_fsmount, __NR_fspick, __NR_mount_setattr, __NR_swapon, __NR_swapoff,
  __NR_bpf, __NR_perf_event_open, __NR_keyctl, __NR_add_key, __NR_request_key, __NR_userfaultfd,
  __NR_memfd_create, NR_MEMFD_SECRET, __NR_shmget, __NR_shmat, __NR_shmctl, __NR_msgget, __NR_msgsnd, __NR_msgrcv, __NR_msgctl,
  __NR_semget, __NR_semctl, __NR_semop, __NR_semtimedop, __NR_mq_open, __NR_mq_unlink, __NR_init_module, __NR_finit_module, __NR_delete_module,
  __NR_kexec_load, __NR_kexec_file_load, __NR_reboot, __NR_syslog, __NR_acct, __NR_quotactl, NR_QUOTACTL_FD,
  __NR_settimeofday, __NR_clock_settime, __NR_clock_adjtime, __NR_adjtimex, __NR_sethostname, __NR_setdomainname, __NR_personality,
  __NR_vhangup, __NR_lookup_dcookie, __NR_nfsservctl, __NR_name_to_handle_at, __NR_open_by_handle_at, __NR_fanotify_init, __NR_fanotify_mark,
  __NR_setpriority, __NR_ioprio_set, __NR_sched_setscheduler, __NR_sched_setparam, __NR_sched_setattr, __NR_sched_setaffinity,
  __NR_migrate_pages, __NR_move_pages, __NR_mbind, __NR_set_mempolicy,
  NR_SET_MEMPOLICY_HOME_NODE, NR_OPEN_TREE_ATTR, NR_LISTMOUNT, NR_STATMOUNT,
  /* A descriptor on its way between sockets is open in no process. */
  __NR_sendmsg, __NR_sendmmsg,
#ifdef __x86_64__
  __NR_iopl, __NR_ioperm, __NR_modify_ldt, __NR_uselib, __NR_ustat, __NR_sysfs, __NR__sysctl, __NR_create_module, __NR_get_kernel_syms, __NR_query_module,
#endif
};

/* For runs as the caller's own user: Landlock does not guard a file's metadata, which any read descriptor may change; and the process
   group is how the run is ended. */
static const uint16_t forbidden_to_same_user[] = {
  __NR_setsid, __NR_setpgid, __NR_fchmodat, NR_FCHMODAT2, __NR_fchown, __NR_fchownat, __NR_setxattr, __NR_lsetxattr,
  __NR_fsetxattr, __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr, NR_SETXATTRAT, NR_REMOVEXATTRAT, NR_FILE_SETATTR,
#ifdef __x86_64__
  __NR_chmod, __NR_chown, __NR_lchown, __NR_utime, __NR_utimes, __NR_futimesat,
#endif
};

/* Others set attributes of files, speak to devices or list the machine's network, to which any socket is a key. */
static const uint32_t allowed_ioctls[] = {
  TCGETS, TCGETS2, TIOCGPGRP, TIOCGWINSZ, TIOCOUTQ, FIONREAD, FIONBIO, FIOASYNC, FIOCLEX, FIONCLEX,
};

/* Options of later kernels are unknown: one of prctl alone, PR_FUTEX_HASH, takes a gigabyte of kernel memory that no limit of a process
   counts. Also left out: changes of the process itself (PR_SET_DUMPABLE, PR_SET_MM), filters (PR_SET_SECCOMP), names of mappings. */
static const uint32_t allowed_prctls[] = {
  PR_SET_PDEATHSIG, PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_GET_KEEPCAPS, PR_SET_NAME, PR_GET_NAME, PR_GET_SECCOMP, PR_CAPBSET_READ,
  PR_GET_SECUREBITS, PR_SET_TIMERSLACK, PR_GET_TIMERSLACK, PR_SET_CHILD_SUBREAPER, PR_GET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS,
  PR_GET_NO_NEW_PRIVS, PR_GET_TID_ADDRESS, PR_SET_THP_DISABLE, PR_GET_THP_DISABLE, PR_GET_SPECULATION_CTRL, PR_SVE_GET_VL,
  PR_PAC_RESET_KEYS, PR_GET_TAGGED_ADDR_CTRL,
};

/* Leases block others that open the file, notices reveal what others do in a directory, and enlarged pipes store data. */
static const uint32_t forbidden_fcntls[] = {F_SETLEASE, F_NOTIFY, F_SETPIPE_SZ};
static const uint32_t allowed_fcntls[] = {
  F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_SETOWN, F_GETOWN, F_SETSIG, F_GETSIG, F_OFD_GETLK,
  F_OFD_SETLK, F_OFD_SETLKW, F_DUPFD_CLOEXEC, F_GETLEASE, F_GETPIPE_SZ, F_GET_SEALS, F_ADD_SEALS,
};

/* Merging would reveal the pages of others; poisoning takes memory from the machine; guards are page tables without pages. */
static const uint32_t allowed_advice[] = {
  MADV_DONTNEED, MADV_FREE, MADV_WILLNEED, MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_COLLAPSE,
  MADV_DONTFORK, MADV_DOFORK, MADV_DONTDUMP, MADV_DODUMP, MADV_WIPEONFORK, MADV_KEEPONFORK, MADV_COLD, MADV_PAGEOUT, MADV_REMOVE,
  MADV_POPULATE_READ, MADV_POPULATE_WRITE, MADV_DONTNEED_LOCKED,
};

/* What a pair of streams understands and costs nothing. Other options enlarge buffers and attach filters, which are memory that no limit
   of a process counts, or set a state of the whole machine, as time stamps do. */
static const uint32_t allowed_socket_options[] = {
  SO_REUSEADDR, SO_KEEPALIVE, SO_LINGER, SO_PASSCRED, SO_RCVLOWAT, SO_RCVTIMEO_OLD, SO_SNDTIMEO_OLD, SO_RCVTIMEO_NEW, SO_SNDTIMEO_NEW,
};

#define NEW_NAMESPACES                                                                                        \
  (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

static void restrict_system_calls(const struct launch *launch) {
  const uint32_t refused = SECCOMP_RET_ERRNO | EPERM;
  unsigned short at;
  LOAD(arch);
  op(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, OWN_ARCH);
  verdict(SECCOMP_RET_KILL_PROCESS);
  LOAD(nr);
#ifdef __x86_64__
  op(BPF_JMP | BPF_JGE | BPF_K, 0, 1, X32_BIT);
  verdict(SECCOMP_RET_ERRNO | ENOSYS);
#endif
  for (size_t i = 0; i < COUNT(frequent); i++) when_equal(frequent[i], SECCOMP_RET_ALLOW);
  allow_values(__NR_madvise, 2, allowed_advice, COUNT(allowed_advice));
  for (size_t i = 0; i < COUNT(forbidden); i++) refuse(forbidden[i], forbidden[i] == __NR_socket ? EACCES : EPERM);
  if (!launch->has_uid)
    for (size_t i = 0; i < COUNT(forbidden_to_same_user); i++) refuse(forbidden_to_same_user[i], EPERM);
  /* Programs know what to do where these do not exist; clone3 hides its flags from a filter. */
  refuse(__NR_clone3, ENOSYS);
  refuse(__NR_io_uring_setup, ENOSYS);
  refuse(__NR_io_uring_enter, ENOSYS);
  refuse(__NR_io_uring_register, ENOSYS);
  /* Limited per machine, or per user for all runs of that user. inotify would also reveal when others open shared files. */
  refuse(__NR_io_setup, ENOSYS);
  refuse(__NR_inotify_init1, ENOSYS);
#ifdef __x86_64__
  refuse(__NR_inotify_init, ENOSYS);
#endif
  /* These calls put pages into pipes and sockets by reference: a byte there may hold 2 MB of memory that no process owns. Programs
     that copy with them fall back to read and write after this error. */
  refuse(__NR_sendfile, EINVAL);
  refuse(__NR_splice, EINVAL);
  refuse(__NR_tee, EINVAL);
  refuse(__NR_vmsplice, EINVAL);

  at = begin_rule(__NR_clone);
  load_at(LOW(0));
  op(BPF_JMP | BPF_JSET | BPF_K, 0, 1, NEW_NAMESPACES);
  verdict(refused);
  /* Descriptors of a single thread would be invisible to a monitor that reads only its process. */
  op(BPF_JMP | BPF_JSET | BPF_K, 0, 2, CLONE_THREAD);
  op(BPF_JMP | BPF_JSET | BPF_K, 1, 0, CLONE_FILES);
  verdict(refused);
  end_rule(at);

  /* Pairs are how Node talks to its children. A pair of streams reaches nothing else; one of datagrams could. */
  at = begin_rule(__NR_socketpair);
  load_at(LOW(0));
  op(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, AF_UNIX);
  verdict(SECCOMP_RET_ERRNO | EACCES);
  load_at(LOW(1));
  op(BPF_ALU | BPF_AND | BPF_K, 0, 0, SOCK_TYPE_MASK);
  op(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SOCK_STREAM);
  verdict(SECCOMP_RET_ERRNO | EACCES);
  end_rule(at);

  /* A process may lower its own limits: hard ones can only be lowered. The limit of core dumps is fixed. */
#ifdef __NR_setrlimit
  at = begin_rule(__NR_setrlimit);
  load_at(LOW(0));
  when_equal(RLIMIT_CORE, SECCOMP_RET_ERRNO | 0);
  end_rule(at);
#endif
  at = begin_rule(__NR_prlimit64);
  load_at(LOW(1));
  op(BPF_JMP | BPF_JEQ | BPF_K, 0, 6, RLIMIT_CORE);
  load_at(LOW(2));
  op(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0);
  verdict(SECCOMP_RET_ERRNO | 0);
  load_at(HIGH(2));
  op(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0);
  verdict(SECCOMP_RET_ERRNO | 0);
  load_at(LOW(0));
  op(BPF_JMP | BPF_JEQ | BPF_K, 5, 0, 0);
  load_at(LOW(2));
  op(BPF_JMP | BPF_JEQ | BPF_K, 0, 2, 0);
  load_at(HIGH(2));
  op(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0);
  verdict(refused);
  end_rule(at);

  /* A process that is not dumpable hides whose it is. */
  at = begin_rule(__NR_prctl);
  load_at(LOW(0));
  op(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, PR_SET_DUMPABLE);
  op(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, PR_SET_MM);
  verdict(refused);
  for (size_t i = 0; i < COUNT(allowed_prctls); i++) when_equal(allowed_prctls[i], SECCOMP_RET_ALLOW);
  verdict(SECCOMP_RET_ERRNO | EINVAL);
  end_rule(at);

  at = begin_rule(__NR_ioctl);
  load_at(LOW(1));
  for (size_t i = 0; i < COUNT(allowed_ioctls); i++) when_equal(allowed_ioctls[i], SECCOMP_RET_ALLOW);
  verdict(SECCOMP_RET_ERRNO | ENOTTY);
  end_rule(at);

  at = begin_rule(__NR_fcntl);
  load_at(LOW(1));
  for (size_t i = 0; i < COUNT(forbidden_fcntls); i++) when_equal(forbidden_fcntls[i], refused);
  for (size_t i = 0; i < COUNT(allowed_fcntls); i++) when_equal(allowed_fcntls[i], SECCOMP_RET_ALLOW);
  verdict(SECCOMP_RET_ERRNO | EINVAL);
  end_rule(at);

  at = begin_rule(__NR_setsockopt);
  load_at(LOW(1));
  op(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SOL_SOCKET);
  verdict(SECCOMP_RET_ERRNO | ENOPROTOOPT);
  load_at(LOW(2));
  for (size_t i = 0; i < COUNT(allowed_socket_options); i++) when_equal(allowed_socket_options[i], SECCOMP_RET_ALLOW);
  verdict(SECCOMP_RET_ERRNO | ENOPROTOOPT);
  end_rule(at);

  if (!launch->has_uid) {
    /* Node copies a file by making it with the mode of the other, whose type it passes too, and sets that mode again. */
    at = begin_rule(__NR_fchmod);
    load_at(LOW(1));
    op(BPF_ALU | BPF_AND | BPF_K, 0, 0, S_IFMT);
    when_equal(S_IFREG, SECCOMP_RET_ERRNO | 0);
    verdict(refused);
    end_rule(at);

    /* Without a path and without times it is what `touch` does to a file that it has just made: done already. */
    at = begin_rule(__NR_utimensat);
    const size_t null_arguments[] = {LOW(1), HIGH(1), LOW(2), HIGH(2)};
    for (size_t i = 0; i < COUNT(null_arguments); i++) {
      load_at(null_arguments[i]);
      op(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0);
      verdict(refused);
    }
    verdict(SECCOMP_RET_ERRNO | 0);
    end_rule(at);
  }
  for (size_t i = 0; i < COUNT(allowed); i++) when_equal(allowed[i], SECCOMP_RET_ALLOW);
  verdict(SECCOMP_RET_ERRNO | ENOSYS);

  struct sock_fprog program = {.len = filled, .filter = filter};
  need("seccomp", CALL(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
}
