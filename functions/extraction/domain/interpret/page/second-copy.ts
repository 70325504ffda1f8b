import type { DrugLine } from '../../drug-line.ts';

/** Whose copy of a prescription it is, as forms title them: 약국보관용, 환자보관용. */
const PHARMACY = /약국(?:보관|제출)?용/;
const PATIENT = /환자(?:보관)?용/;

/**
 * The tables of a page on which a prescription is printed twice, for the pharmacy and for the patient, without the second of two that list the
 * same: nothing on it is given twice.
 * @param texts what the page prints.
 */
export function withoutSecondCopy<T extends { readonly lines: readonly DrugLine[] }>(
  tables: readonly T[],
  texts: readonly string[],
): readonly T[] {
  const titles = texts.map((text) => text.replace(/\s/g, ''));
  const isTwofold = [PHARMACY, PATIENT].every((title) => titles.some((text) => title.test(text)));
  if (!isTwofold) return tables;
  return tables.filter(
    (table, index) => !tables.slice(0, index).some((first) => listsTheSame(first.lines, table.lines)),
  );
}

function listsTheSame(first: readonly DrugLine[], second: readonly DrugLine[]): boolean {
  return first.length === second.length && first.every((line, index) => keyOf(line) === keyOf(second[index]!));
}

function keyOf({ drugCode, drugName, quantity, timesPerDay, days }: DrugLine): string {
  const drug = drugCode.value ?? drugName.value?.replace(/\s/g, '');
  return [drug, quantity.value, timesPerDay.value, days.value].join('|');
}
