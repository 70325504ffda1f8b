/* System calls without a C library, and what the kernel's own headers leave unnamed. */
#pragma once

#include <asm/errno.h>
#include <asm/signal.h>
#include <asm/unistd.h>
#include <linux/audit.h>
#include <linux/fcntl.h>
#include <stddef.h>
#include <stdint.h>

typedef long word;

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
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

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The compiler may ask for these. */
void *memset(void *to, int value, size_t count) {
  for (char volatile *at = to; count--; at++) *at = (char)value;
  return to;
}
void *memmove(void *to, const void *from, size_t count) {
  char volatile *at = to;
  const char *source = from;
  if (at < source) while (count--) *at++ = *source++;
  else while (count--) at[count] = source[count];
  return to;
}
void *memcpy(void *to, const void *from, size_t count) {
  char volatile *at = to;
  for (const char *source = from; count--;) *at++ = *source++;
  return to;
}
