import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { unpackMaster } from '../../functions/adapters/drug-master/master-bytes.ts';
import { compareNames, isConfirmed } from '../../functions/extraction/domain/master/drug-name.ts';
import { type NameParts, partsOf } from '../../functions/extraction/domain/master/name-parts.ts';

/** Names of the shipped list: its look-alikes are the hardest there are. */

interface ListedName {
  readonly name: string;
  readonly parts: NameParts;
  /** Brand, form and strength as the list writes them. */
  readonly core: string;
}

const MIN_PAIRS = 5000;
let names: readonly ListedName[];
const byBrand = new Map<string, ListedName[]>();

beforeAll(async () => {
  const { drugs } = await unpackMaster(
    readFileSync(new URL('../../layers/drug-master/drug-master.tsv.gz', import.meta.url)),
  );
  names = [...new Set(drugs.map(({ name }) => name))].map((name) => ({
    name,
    parts: partsOf(name),
    core: name.replace(/\s/g, '').split(/[([<]/)[0]!.replace(/_$/, ''),
  }));
  for (const each of names) byBrand.set(each.parts.brand, [...(byBrand.get(each.parts.brand) ?? []), each]);
});

/** Another form, or other numbers; a number without its unit is the same one. */
function isOther(one: NameParts, other: NameParts): boolean {
  const numbers = ({ strengths }: NameParts) => strengths.map(({ written }) => written).join('/');
  return one.form !== other.form || numbers(one) !== numbers(other);
}

/** Pairs whose first name must not confirm the second. */
function confusions(pairs: readonly (readonly [print: string, listed: string])[]): readonly string[] {
  expect(pairs.length).toBeGreaterThanOrEqual(MIN_PAIRS / 2);
  return pairs
    .filter(([print, listed]) => isConfirmed(compareNames(print, listed)))
    .map(([print, listed]) => `${print} confirms ${listed}`);
}

describe('a printed name', () => {
  it('confirms no product of the same brand that has another strength or form', () => {
    const pairs = [...byBrand.values()].flatMap((products) =>
      products.flatMap((one) =>
        products
          .filter((other) => other.parts.strengths.length > 0 && isOther(one.parts, other.parts))
          .map((other): [string, string] => [one.core, other.name]),
      ),
    );
    expect(pairs.length).toBeGreaterThanOrEqual(MIN_PAIRS);
    expect(confusions(pairs)).toEqual([]);
  });

  it('confirms no product whose brand differs in one syllable', () => {
    const masked = new Map<string, ListedName[]>();
    for (const [brand, [product]] of byBrand)
      for (let at = 0; at < brand.length; at++) {
        const mask = `${brand.slice(0, at)}*${brand.slice(at + 1)}`;
        masked.set(mask, [...(masked.get(mask) ?? []), product!]);
      }
    const pairs = [...masked.values()].flatMap((products) =>
      products
        .slice(0, 20)
        .flatMap((one, at) => products.slice(0, at).map((other): [string, string] => [one.core, other.name])),
    );
    expect(pairs.length).toBeGreaterThanOrEqual(MIN_PAIRS);
    expect(confusions(pairs)).toEqual([]);
  });

  it('confirms no product with its strengths in another order', () => {
    const pairs = names.flatMap(({ core, name }): [string, string][] => {
      const [, before, first, second, after] = /^(.*?\D)(\d[\d.]*)\/(\d[\d.]*)(\D.*)?$/.exec(core) ?? [];
      return first === undefined || first === second ? [] : [[`${before}${second}/${first}${after ?? ''}`, name]];
    });
    expect(confusions(pairs)).toEqual([]);
  });

  it.each<[string, (product: ListedName) => string | null]>([
    ['as brand, form and strength', ({ core }) => core],
    ['with how it is given and counted', ({ core }) => `${core}(내복)/1정`],
    ['behind its maker', ({ core }) => `(오츠카)${core}`],
    ['before its maker', ({ core }) => `${core}(오츠카)`],
    ['with its unit in Latin', ({ core }) => core.replace(/밀리그[램람]/, 'mg')],
    [
      'with the strength that the list states in its pack alone',
      ({ core, parts: { strengths, pack } }) =>
        strengths.length === 0 && pack?.strength?.unit === 'mcg' && pack.size === null
          ? `${core}${pack.strength.value / 1000}mg`
          : null,
    ],
  ])('confirms its own product %s', (_, printed) => {
    const prints = names.flatMap((product): [string, string][] => {
      const print = printed(product);
      return print === null ? [] : [[print, product.name]];
    });
    expect(prints.length).toBeGreaterThanOrEqual(MIN_PAIRS);
    const refused = prints.filter(([print, name]) => !isConfirmed(compareNames(print, name)));
    // A name whose volume looks like a count (40mg/1ml) is doubted: of 24,000, a handful.
    expect(refused.length).toBeLessThanOrEqual(5);
  });
});
