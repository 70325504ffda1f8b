/* The system calls that programs may make freely, grouped by purpose: those that the six languages and ordinary programs use. A call
 * that is neither here nor under a rule of seccomp.h does not exist for a program, as on an older kernel: calls of later kernels stay
 * closed until they are added here. */
#pragma once

#include <stdint.h>

#include "system-calls.h"

/* Calls that are newer than the headers; they have one number on every processor. */
enum {
  NR_FUTEX_WAITV = 449,
  NR_FCHMODAT2 = 452,
  NR_MAP_SHADOW_STACK = 453,
  NR_FUTEX_WAKE = 454,
  NR_FUTEX_WAIT = 455,
  NR_FUTEX_REQUEUE = 456,
  NR_MSEAL = 462,
};

/* Looked up first: most of the calls of most programs. */
static const uint16_t frequent[] = {
  __NR_read, __NR_write, __NR_futex, __NR_mmap, __NR_munmap, __NR_mprotect, __NR_brk, __NR_close, __NR_lseek,
  __NR_fstat, __NR_newfstatat, __NR_openat, __NR_rt_sigprocmask, __NR_rt_sigaction, __NR_epoll_pwait, __NR_clock_gettime,
#ifdef __x86_64__
  __NR_open, __NR_stat, __NR_lstat, __NR_epoll_wait, __NR_poll,
#endif
};

static const uint16_t allowed[] = {
  /* reading and writing */
  __NR_readv, __NR_writev, __NR_pread64, __NR_pwrite64, __NR_preadv, __NR_pwritev, __NR_preadv2, __NR_pwritev2, __NR_fsync,
  __NR_fdatasync, __NR_sync_file_range, __NR_ftruncate, __NR_fallocate, __NR_fadvise64, __NR_readahead, __NR_copy_file_range,
  __NR_dup, __NR_dup3, __NR_pipe2, __NR_close_range, __NR_flock,
  /* names, attributes, directories */
  __NR_openat2, __NR_statx, __NR_statfs, __NR_fstatfs, __NR_truncate, __NR_faccessat, __NR_faccessat2, __NR_readlinkat, __NR_getdents64,
  __NR_getcwd, __NR_chdir, __NR_fchdir, __NR_mkdirat, __NR_mknodat, __NR_unlinkat, __NR_linkat, __NR_symlinkat,
#ifdef __NR_renameat
  __NR_renameat,
#endif
  __NR_renameat2, __NR_umask, __NR_utimensat, __NR_fchmod, __NR_fchmodat, NR_FCHMODAT2, __NR_fchown, __NR_fchownat, __NR_getxattr,
  __NR_lgetxattr, __NR_fgetxattr, __NR_listxattr, __NR_llistxattr, __NR_flistxattr, __NR_setxattr, __NR_lsetxattr, __NR_fsetxattr,
  __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr,
  /* waiting */
  __NR_ppoll, __NR_pselect6, __NR_epoll_create1, __NR_epoll_ctl, __NR_epoll_pwait2, __NR_eventfd2, __NR_signalfd4, __NR_timerfd_create,
  __NR_timerfd_settime, __NR_timerfd_gettime, __NR_nanosleep, __NR_clock_nanosleep,
  __NR_sched_yield, __NR_restart_syscall, NR_FUTEX_WAITV, NR_FUTEX_WAKE, NR_FUTEX_WAIT, NR_FUTEX_REQUEUE,
  /* memory */
  __NR_mremap, __NR_msync, __NR_mincore, __NR_mlock, __NR_mlock2, __NR_mlockall, __NR_munlock, __NR_munlockall, __NR_membarrier,
  __NR_remap_file_pages, __NR_pkey_alloc, __NR_pkey_free, __NR_pkey_mprotect, __NR_get_mempolicy, NR_MSEAL, NR_MAP_SHADOW_STACK,
  /* processes and signals */
  __NR_execve, __NR_execveat, __NR_exit, __NR_exit_group, __NR_wait4, __NR_waitid, __NR_kill, __NR_tkill, __NR_tgkill,
  __NR_rt_sigreturn, __NR_rt_sigpending, __NR_rt_sigsuspend, __NR_rt_sigtimedwait, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo,
  __NR_sigaltstack, __NR_pidfd_open, __NR_pidfd_send_signal, __NR_set_tid_address, __NR_set_robust_list, __NR_get_robust_list,
  __NR_rseq, __NR_getpid, __NR_getppid, __NR_gettid, __NR_getpgid, __NR_setpgid, __NR_getsid, __NR_setsid,
  /* users: only what they are */
  __NR_getuid, __NR_geteuid, __NR_getgid, __NR_getegid, __NR_getresuid, __NR_getresgid, __NR_getgroups, __NR_setuid, __NR_setgid,
  __NR_setreuid, __NR_setregid, __NR_setresuid, __NR_setresgid, __NR_setfsuid, __NR_setfsgid, __NR_setgroups, __NR_capget, __NR_capset,
  /* the machine, limits, time */
  __NR_uname, __NR_sysinfo, __NR_getcpu, __NR_getrandom, __NR_getrlimit, __NR_getrusage, __NR_times, __NR_getpriority, __NR_ioprio_get,
  __NR_sched_getaffinity, __NR_sched_getscheduler, __NR_sched_getparam, __NR_sched_getattr, __NR_sched_get_priority_max,
  __NR_sched_get_priority_min, __NR_sched_rr_get_interval, __NR_gettimeofday, __NR_clock_getres, __NR_getitimer, __NR_setitimer,
  __NR_timer_create, __NR_timer_settime, __NR_timer_gettime, __NR_timer_getoverrun, __NR_timer_delete,
  /* pairs of sockets, which are all that there are */
  __NR_sendto, __NR_recvfrom, __NR_recvmsg, __NR_recvmmsg, __NR_shutdown, __NR_getsockname,
  __NR_getpeername, __NR_getsockopt,
#ifdef __x86_64__
  /* older forms of the same */
  __NR_access, __NR_pipe, __NR_select, __NR_dup2, __NR_getpgrp, __NR_fork, __NR_vfork, __NR_creat, __NR_rename, __NR_mkdir,
  __NR_rmdir, __NR_link, __NR_unlink, __NR_symlink, __NR_readlink, __NR_chmod, __NR_chown, __NR_lchown, __NR_mknod, __NR_utime,
  __NR_utimes, __NR_futimesat, __NR_getdents, __NR_epoll_create, __NR_eventfd, __NR_signalfd, __NR_alarm,
  __NR_time, __NR_pause, __NR_arch_prctl,
#endif
};
