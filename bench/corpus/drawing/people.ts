import type { Random } from '../random.ts';
import type { Split } from '../truth.ts';
import { FAMILY_NAMES, GIVEN_NAMES, HOSPITAL_SUFFIXES, VOCABULARIES } from '../vocabulary.ts';

/** Invented people, places and numbers that decorate a page. */
export function person(random: Random): string {
  return random.pick(FAMILY_NAMES) + random.pick(GIVEN_NAMES);
}

export function hospital(random: Random, split: Split): string {
  return random.pick(VOCABULARIES[split].hospitals) + random.pick(HOSPITAL_SUFFIXES);
}

export function date(random: Random): string {
  const day = String(random.int(1, 20)).padStart(2, '0');
  const month = random.pick(['09', '10', '11']);
  return random.pick([
    `2026-${month}-${day}`,
    `2026.${month}.${day}`,
    `2026년 ${month}월 ${day}일`,
    `2026/${month}/${day}`,
  ]);
}

export function phone(random: Random): string {
  return `0${random.int(31, 64)}-${random.int(200, 999)}-${random.int(1000, 9999)}`;
}

export function institutionNumber(random: Random): string {
  return String(random.int(11_000_000, 41_999_999));
}

export function businessNumber(random: Random): string {
  return `${random.int(100, 699)}-${random.int(10, 89)}-${random.int(10_000, 99_999)}`;
}
