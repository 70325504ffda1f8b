import type { CorpusDrug, PricedUnit } from './master.ts';

/** Parts of a name as the published list writes it: `무코스타정(레바미피드)_(0.1g/1정)`. */
export type NameParts = Pick<CorpusDrug, 'head' | 'brackets' | 'pack' | 'strength' | 'brand'>;

/** Written from the list alone, apart from the product's own reading of names: it is the measure, so it must not share its mistakes. */
export function partsOfName(name: string): NameParts {
  const packAt = name.search(/_?(?<=_)\([^_]*$|_$/);
  const withoutPack = packAt > 0 ? name.slice(0, packAt) : name;
  const bracketAt = withoutPack.search(/[([]/);
  const head = bracketAt > 0 ? withoutPack.slice(0, bracketAt) : withoutPack;
  return {
    head,
    brackets: withoutPack.slice(head.length),
    pack: name.slice(withoutPack.length),
    strength: /(\d[\d.,/]*)[^\d]{0,6}$/.exec(head)?.[1] ?? '',
    brand: brandOf(head),
  };
}

const FORM =
  /(?:정|캡슐|캅셀|연질|경질|서방|장용|구강붕해|구강용해|필름코팅|확산|지속|츄어블|츄정|주사액|주사제|주사|주|프리필드|시린지|펜|시럽|현탁액|현탁용|건조|분말|과립|산|액|내복|경구|점안|점이|점비|연고|크림|겔|로션|패취|패치|플라스타|카타플라스마|흡입|나잘|스프레이|좌제|세립|엑스알|이알|에스알|씨알|오디|플러스|필름|용)$/;

/** The part that all strengths and forms of a brand share; approximate, since it only separates the pages of the two splits. */
function brandOf(head: string): string {
  const digits = head.search(/\d/);
  let brand = (digits > 1 ? head.slice(0, digits) : head).replace(/\s/g, '');
  while (brand.length > 2 && FORM.test(brand)) {
    const shorter = brand.replace(FORM, '');
    if (shorter.length < 2) break;
    brand = shorter;
  }
  return brand;
}

const EXTERNAL =
  /점안|점이|점비|비액|나잘|흡입|스프레이|분무|가글|가그린|연고|크림|겔|로션|패취|패치|플라스타|파스|카타플라스마|좌제|질정|외용|네일라카|거즈/;
const INJECTED = /주(?:사|$|[\d(]|프리|펜)|시린지|프리필드|펜$/;

/** A drug's route, as far as its unit and name show it; fluids without a keyword are oral. */
export function routeOf(unit: string, head: string): CorpusDrug['route'] {
  if (/정|캡슐/.test(unit) && !/질정|질캡슐/.test(head)) return '내복';
  if (EXTERNAL.test(head) || /^[\d.]+ (?:매|장|g\/(?:개|통|병)|회)/.test(unit)) return '외용';
  if (INJECTED.test(head) || /앰플|백|관|펜|I\.U|카트리지|키트/.test(unit)) return '주사';
  return /^1 병/.test(unit) ? '주사' : '내복';
}

/** The unit in which a dose is counted. */
export function pricedUnitOf(unit: string, route: CorpusDrug['route']): PricedUnit {
  if (route === '주사') return '병';
  if (route === '외용') return /mL|관/.test(unit) ? '관' : 'g';
  if (/정/.test(unit)) return '정';
  if (/캡슐/.test(unit)) return '캡슐';
  if (/포/.test(unit)) return '포';
  return /mL|L|병/.test(unit) ? 'mL' : '포';
}
