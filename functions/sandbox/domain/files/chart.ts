import { ExecutionRefused } from '../execution-refused.ts';
import { printable } from './markdown-document.ts';

export const CHART_KINDS = ['bar', 'horizontal_bar', 'line', 'area', 'pie', 'doughnut', 'scatter'] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

export interface Series {
  readonly name: string;
  /** One for each label; null: a gap. */
  readonly values: readonly (number | null)[];
}

export interface Chart {
  readonly kind: ChartKind;
  readonly title: string;
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  readonly isStacked: boolean;
  readonly xTitle: string;
  readonly yTitle: string;
}

const MAX_SERIES = 20;
const MAX_VALUES = 5_000;
const MAX_SLICES = 100;
const MAX_TEXT_LENGTH = 200;
/** Beyond, a drawing's coordinates lose their digits. */
const MAX_VALUE = 1e15;

/** A chart as models and workflows describe it. Lists may be texts with semicolons, or commas, between their entries. @throws ExecutionRefused */
export function toChart(given: Readonly<Record<string, unknown>>): Chart {
  const kind = CHART_KINDS.find((each) => each === (given.kind ?? 'bar'));
  if (kind === undefined) throw refused(`kind must be one of ${CHART_KINDS.join(', ')}.`);
  const series = seriesOf(given.series, kind);
  const longest = Math.max(...series.map(({ values }) => values.length));
  const labels = entriesOf(given.labels ?? [], 'labels').map(text);
  const isRound = kind === 'pie' || kind === 'doughnut';
  if (labels.length === 0) labels.push(...Array.from({ length: longest }, (_, index) => String(index + 1)));
  if (labels.length < longest)
    throw refused(`labels has ${labels.length} entries, and a series ${longest} values. Send a label for each value.`);
  if (series.length * labels.length > MAX_VALUES)
    throw refused(`A chart may have ${MAX_VALUES} values in all. Send sums or averages.`);
  if (isRound && series.length > 1) throw refused(`A ${kind} has one series. Send one, or choose bar.`);
  if (isRound && labels.length > MAX_SLICES) throw refused(`A ${kind} may have ${MAX_SLICES} slices. Join small ones.`);
  if (isRound && series[0]!.values.some((value) => value !== null && value < 0))
    throw refused(`A ${kind} cannot show values below 0. Choose bar.`);
  if (kind === 'scatter' && labels.some((label) => numberOf(label) === null))
    throw refused('labels of a scatter chart are the x values, and must be numbers.');
  return {
    kind,
    labels,
    series,
    title: text(given.title ?? ''),
    isStacked: given.stacked === true,
    xTitle: text(given.x_title ?? ''),
    yTitle: text(given.y_title ?? ''),
  };
}

function seriesOf(given: unknown, kind: ChartKind): readonly Series[] {
  if (!Array.isArray(given) || given.length === 0)
    throw refused('series must be a list such as [{"name": "2026", "values": [1, 2, 3]}].');
  if (given.length > MAX_SERIES) throw refused(`A chart may have ${MAX_SERIES} series, and has ${given.length}.`);
  return given.map((each: unknown, index) => {
    const { name = '', values } = typeof each === 'object' && each !== null ? (each as Record<string, unknown>) : {};
    const field = `series.${index}.values`;
    const numbers = entriesOf(values, field).map((value, place) => {
      if (value === null || value === '') return null;
      const number = numberOf(value);
      if (number === null || Math.abs(number) > MAX_VALUE)
        throw refused(`${field}.${place} must be a number between -1e15 and 1e15, or null.`);
      return number;
    });
    if (numbers.every((value) => value === null)) throw refused(`${field} must have a number for the ${kind} chart.`);
    return { name: text(name), values: numbers };
  });
}

/** @throws ExecutionRefused */
function entriesOf(given: unknown, field: string): unknown[] {
  const separator = typeof given === 'string' && given.includes(';') ? ';' : ',';
  const entries = typeof given === 'string' ? given.split(separator).map((entry) => entry.trim()) : given;
  if (!Array.isArray(entries)) throw refused(`${field} must be a list, or a text such as "a;b;c".`);
  if (entries.length > MAX_VALUES) throw refused(`${field} may have ${MAX_VALUES} entries, and has ${entries.length}.`);
  return entries;
}

/** Also of a text with separators of thousands. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || !/^[-+]?[\d,]{1,20}(?:\.\d{1,20})?$/.test(value)) return null;
  return Number(value.replaceAll(',', ''));
}

function text(given: unknown): string {
  if (typeof given === 'object' && given !== null) throw refused('Labels, names and titles must be texts or numbers.');
  const whole = printable(String(given ?? '').slice(0, 10 * MAX_TEXT_LENGTH)).replaceAll('\n', ' ');
  return whole.length > MAX_TEXT_LENGTH ? `${whole.slice(0, MAX_TEXT_LENGTH).toWellFormed()}…` : whole;
}

function refused(message: string): ExecutionRefused {
  return new ExecutionRefused('invalid_request', message);
}
