/** Markup of platforms as text that people and models read. */

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Named entities of HTML that platforms write, and numeric ones. */
export function withoutEntities(text: string): string {
  return text.replace(/&(?:([a-z]{2,4})|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/**
 * Slack's mrkdwn: mentions, channels, links and dates in angle brackets, and escaped characters.
 * @param bot id of the bot's user, whose mentions are left out; empty: only the one that the text starts with.
 */
export function fromMrkdwn(text: string, bot: string): string {
  const unaddressed =
    bot === ''
      ? text.replace(/^\s*<@[A-Z0-9]{1,30}(?:\|[^<>]{0,100})?>/, '')
      : text.split(new RegExp(`<@${bot.replaceAll(/\W/g, '')}(?:\\|[^<>]{0,100})?>`)).reduce(closeGap);
  return withoutEntities(unaddressed.replace(/<([^<>]{1,4000})>/g, (_, inner: string) => readable(inner)));
}

/** Joins the texts around a removed stretch with a single blank. */
function closeGap(before: string, after: string): string {
  return /[ \t]$/.test(before) && /^[ \t]/.test(after) ? before + after.slice(1) : before + after;
}

function readable(inner: string): string {
  const bar = inner.indexOf('|');
  const [target, label] = bar < 0 ? [inner, ''] : [inner.slice(0, bar), inner.slice(bar + 1)];
  switch (target[0]) {
    case '@':
      return `@${label || target.slice(1)}`;
    case '#':
      return `#${label || target.slice(1)}`;
    case '!':
      // <!here>, <!subteam^S1|@group>, <!date^1392734382^{date}|February 18>
      return label || `@${target.slice(1).split('^')[0]}`;
    default: {
      const address = target.replace(/^(?:mailto|tel):/, '');
      return label === '' || label === address ? address : `${label} (${address})`;
    }
  }
}

/** Lines of names and values, for forms that were filled in. */
export function fieldLines(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .flatMap(([name, value]) => {
      if (value === null || value === undefined || value === '') return [];
      const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
      return [`${name}: ${isScalar ? String(value) : JSON.stringify(value)}`];
    })
    .join('\n');
}

/** A part of a message that is not text, in brackets: `[location: 37.5, 127.0]`. Empty details are left out. */
export function described(kind: string, ...details: readonly string[]): string {
  const said = details.filter((detail) => detail !== '');
  return said.length === 0 ? `[${kind}]` : `[${kind}: ${said.join(', ')}]`;
}

/** A text without some of its stretches, which may be in any order. */
export function withoutStretches(
  text: string,
  stretches: readonly { readonly offset: number; readonly length: number; readonly instead?: string }[],
): string {
  let result = text;
  for (const { offset, length, instead = '' } of stretches.toSorted((a, b) => b.offset - a.offset)) {
    const [before, after] = [result.slice(0, Math.max(0, offset)), result.slice(Math.max(0, offset + length))];
    result = instead === '' ? closeGap(before, after) : before + instead + after;
  }
  return result;
}
