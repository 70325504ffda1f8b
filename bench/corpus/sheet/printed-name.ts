import { type CorpusDrug, listedName } from '../master.ts';
import type { Random } from '../random.ts';
import { UNIT_WORDS } from '../vocabulary.ts';

/** How one sheet writes names: hospitals shorten the list's name each in their own way. */
export interface NameStyle {
  readonly parts: 'listed' | 'withoutPack' | 'short' | 'spaced';
  readonly unit: 'words' | 'latin' | 'square';
}

export function nameStyle(random: Random): NameStyle {
  return {
    parts: random.weighted({ listed: 25, withoutPack: 40, short: 22, spaced: 13 }),
    unit: random.weighted({ words: 50, latin: 42, square: 8 }),
  };
}

const SQUARE: Readonly<Record<string, string>> = { mg: '㎎', mL: '㎖' };

/** The full name as this sheet would print it, before its column cuts it. */
export function printedName(drug: CorpusDrug, style: NameStyle): string {
  if (style.parts === 'listed' && style.unit === 'words') return listedName(drug);
  const unit =
    style.unit === 'words'
      ? (UNIT_WORDS[drug.unit] ?? drug.unit)
      : style.unit === 'square'
        ? (SQUARE[drug.unit] ?? drug.unit)
        : drug.unit;
  const name = `${drug.brand}${drug.form}`;
  switch (style.parts) {
    case 'listed':
      return `${name}${drug.strength}${unit}(${drug.ingredient})_(${drug.pack})`;
    case 'withoutPack':
      return `${name}${drug.strength}${unit}(${drug.ingredient})`;
    case 'short':
      return `${name}${drug.strength}${unit}`;
    case 'spaced':
      return `${name} ${drug.strength}${unit} (${drug.ingredient})`;
  }
}
