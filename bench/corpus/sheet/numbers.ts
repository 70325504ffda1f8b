import type { Random } from '../random.ts';

/** How one sheet writes its numbers. */
export interface NumberStyle {
  readonly thousands: boolean;
  /** Fewest decimals of quantities, for sheets that fix them; null: as many as needed. */
  readonly quantityDecimals: number | null;
  readonly roundingKrw: 1 | 10;
  readonly rounding: 'round' | 'floor';
}

export function numberStyle(random: Random): NumberStyle {
  const decimals = random.weighted({ needed: 80, one: 6, two: 10, three: 4 });
  return {
    thousands: random.chance(0.85),
    quantityDecimals: { needed: null, one: 1, two: 2, three: 3 }[decimals],
    roundingKrw: random.chance(0.1) ? 10 : 1,
    rounding: random.chance(0.4) ? 'floor' : 'round',
  };
}

export function writeWhole(value: number, style: NumberStyle): string {
  return style.thousands ? groupThousands(String(value)) : String(value);
}

export function writeQuantity(value: number, style: NumberStyle): string {
  const [whole = '', digits = ''] = String(round(value)).split('.');
  const fraction = digits.padEnd(style.quantityDecimals ?? 0, '0');
  const grouped = style.thousands ? groupThousands(whole) : whole;
  return fraction === '' ? grouped : `${grouped}.${fraction}`;
}

/** Price times quantity as this sheet rounds it. */
export function amountOf(unitPrice: number, quantity: number, style: NumberStyle): number {
  const exact = round(unitPrice * quantity);
  const rounded = style.rounding === 'floor' || style.roundingKrw === 10 ? Math.floor : Math.round;
  return rounded(exact / style.roundingKrw) * style.roundingKrw;
}

/** Without binary dust: 0.1 × 3 is 0.3. */
export function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
