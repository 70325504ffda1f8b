/** Days between 1899-12-30, where spreadsheets start to count, and 1970-01-01. */
const SERIAL_OF_1970 = 25_569;
const DAY_MS = 86_400_000;
const FORMS = [
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/,
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/,
  /^(?<year>\d{4})[./] ?(?<month>\d{1,2})[./] ?(?<day>\d{1,2})\.?$/,
  /^(?<year>\d{4})년 ?(?<month>\d{1,2})월 ?(?<day>\d{1,2})일$/,
];
const DATE_IN_TITLE = /(?<year>20\d{2})(?:년|\.) ?(?<month>\d{1,2})(?:월|\.) ?(?<day>\d{1,2})(?:일|\.|\))/;

/**
 * ISO date of `2026-11-01`, `20261101`, `2026.11.1.`, `2026/11/1`, `2026년 11월 1일`, or of the number by which a spreadsheet
 * keeps the day; null for anything else, days that no month has included.
 */
export function parseDate(text: string): string | null {
  const cell = text.trim().replace(/[ T]00:00(:00(\.0+)?Z?)?$/, '');
  if (/^\d{5}$/.test(cell)) return new Date((Number(cell) - SERIAL_OF_1970) * DAY_MS).toISOString().slice(0, 10);
  for (const form of FORMS) {
    const groups = form.exec(cell)?.groups;
    if (groups) return isoDate(groups);
  }
  return null;
}

/** The day that a title such as `약제급여목록 (2025.9.1.)` or `2025년9월1일_(21,962)` says; null where there is none. */
export function dateInTitle(title: string): string | null {
  const groups = DATE_IN_TITLE.exec(title)?.groups;
  return groups ? isoDate(groups) : null;
}

function isoDate({ year = '', month = '', day = '' }: Readonly<Record<string, string>>): string | null {
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const parsed = new Date(`${iso}T00:00:00Z`);
  // The round trip refuses days that no month has.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().slice(0, 10) === iso ? iso : null;
}
