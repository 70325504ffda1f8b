import type { LineReading } from './line-recogniser.ts';
import type { Reading } from './table-reader.ts';

/**
 * One reading of print that was cut out twice, with the rule that it stands on and without it. The surer one counts; where they
 * show other digits, the other one speaks against it as surely as it was read.
 */
export function surerReading(a: LineReading, b: LineReading): LineReading {
  return { text: surerOf(a.text, b.text), numeral: surerOf(a.numeral, b.numeral) };
}

function surerOf(a: Reading, b: Reading): Reading {
  const [surer, other] = a.confidence >= b.confidence ? [a, b] : [b, a];
  if (digitsOf(surer) === digitsOf(other)) return surer;
  return { ...surer, confidence: surer.confidence * (1 - other.confidence) };
}

/** The rule itself is read as points and dashes at the ends. */
function digitsOf({ text }: Reading): string {
  const runs = text
    .replace(/[^\d.,]/g, '')
    .replaceAll(',', '.')
    .split('.');
  const first = runs.findIndex((run) => run !== '');
  return runs.slice(Math.max(0, first), runs.findLastIndex((run) => run !== '') + 1).join('.');
}
