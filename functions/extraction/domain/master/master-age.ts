import { koreanDate } from '../korean-date.ts';
import type { MasterInfo } from './drug-master.ts';

/** HIRA publishes a list every month: after four without an import prices are wrong too often. */
export const STALE_AFTER_DAYS = 120;
const DAY_MS = 86_400_000;

/** Days since the date of the newest list, by the calendar in Korea; negative for a list of days to come. */
export function ageInDays({ version }: MasterInfo, nowMs: number): number {
  return Math.round((Date.parse(koreanDate(nowMs)) - Date.parse(version)) / DAY_MS);
}

export function isStale(info: MasterInfo, nowMs: number): boolean {
  return ageInDays(info, nowMs) > STALE_AFTER_DAYS;
}
