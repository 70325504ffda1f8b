/* Short texts, and the lines that the caller reads from descriptor 3. */
#pragma once

#include "system-calls.h"

enum { REPORT_FD = 3, EXIT_NOT_STARTED = 125 };

static int equal(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

static uint64_t number(const char *text) {
  uint64_t value = 0;
  for (; *text >= '0' && *text <= '9'; text++) value = value * 10 + (uint64_t)(*text - '0');
  return value;
}

enum { MAX_DIGITS = 19 };

/* Whether a text is a number and nothing else, and one that fits. */
static int is_whole_number(const char *text) {
  size_t digits = 0;
  while (text[digits] >= '0' && text[digits] <= '9') digits++;
  return digits > 0 && digits <= MAX_DIGITS && text[digits] == 0;
}

struct line {
  char text[160];
  size_t length;
};
static void put_text(struct line *line, const char *text) {
  while (*text && line->length < sizeof line->text - 1) line->text[line->length++] = *text++;
}
static void put_digits(struct line *line, uint64_t value) {
  char digits[21];
  size_t at = sizeof digits - 1;
  digits[at] = 0;
  do digits[--at] = (char)('0' + value % 10);
  while (value /= 10);
  put_text(line, digits + at);
}
static void put_number(struct line *line, uint64_t value) {
  put_text(line, " ");
  put_digits(line, value);
}
/* For the kernel, which reads to the zero. */
static const char *ended(struct line *line) {
  line->text[line->length] = 0;
  return line->text;
}
static void report(struct line *line) {
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
  report(&line);
  quit(EXIT_NOT_STARTED);
}
static word need(const char *step, word result) {
  if (result < 0) fail(step, result);
  return result;
}
