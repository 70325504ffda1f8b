import { describe, expect, it } from 'vitest';
import { ThreadedTemplates } from '../../../../functions/adapters/workflows/threaded-templates.ts';
import { NodeFailed } from '../../../../functions/workflows/domain/run/node-effects.ts';

const templates = new ThreadedTemplates();
const MAX_LENGTH = 4_000_000;
const caller = { tenant: 'attacker' };

async function outcomeOf(template: string): Promise<{ readonly text: string } | { readonly failure: string }> {
  try {
    return { text: await templates.render(template, {}, 'jinja2', caller) };
  } catch (error) {
    if (!(error instanceof NodeFailed)) throw error;
    return { failure: `${error.failure.code}: ${error.failure.message}` };
  }
}

/** Names of the tests: some templates are long. */
const shown = (template: string) => template.slice(0, 60);
const named = <Row extends readonly [string, ...unknown[]]>(rows: readonly Row[]) =>
  rows.map((row) => [shown(row[0]), ...row] as const);

/** Each is found out within one operation, before it takes memory. */
const REFUSED: readonly (readonly [template: string, fault: string])[] = [
  ["{{ 'x' * 10**9 }}", 'A repeated value is longer than 4000000.'],
  ['{{ [1] * 10**9 }}', 'A repeated value is longer than 4000000.'],
  ['{{ (2**1000) ** (2**1000) }}', 'A number is too large.'],
  ["{{ '%999999999d' % 1 }}", 'unsupported format character'],
  ["{{ '%.999999999f' % 1.5 }}", 'unsupported format character'],
  ["{{ '{:999999999d}'.format(1) }}", 'Invalid format specifier'],
  ['{{ range(10**9) | list }}', 'range() gives more than 100000 numbers'],
  ['{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}', 'calls itself more than 200 deep'],
  ["{{ range(10) | batch(10**9, 'x') | list }}", 'A list is longer than 4000000.'],
  ['{{ range(3) | slice(10**9) | list }}', 'slice needs a number of slices'],
  ["{{ 'x' | center(10**9) }}", 'width is larger than 4000000'],
  ["{{ 'x' | indent(10**9) }}", 'width is larger than 4000000'],
  ["{{ 'x'.ljust(10**9) }}", 'A text has more than 4000000 characters.'],
  ["{{ 'x'.zfill(10**9) }}", 'A text has more than 4000000 characters.'],
  ["{{ ('a' * 1000) | replace('a', 'b' * 100000) }}", 'It gives more than 4000000 characters.'],
  ["{{ ('a' * 2000000) in ('a' * 4000000 ~ 'b') }}", 'A text has more than 4000000 characters.'],
  ['{{ 1 | round(10**9) }}', 'round needs a precision from -60 to 60'],
  ['{{ (1.5) | round(-10**9) }}', 'round needs a precision from -60 to 60'],
  [`{{ ${'('.repeat(3_000)}1${')'.repeat(3_000)} }}`, 'nests more than 200 deep'],
  [`{{ ${'-'.repeat(90_000)}1 }}`, 'nests more than 200 deep'],
  [`{{ ${'not '.repeat(20_000)}1 }}`, 'nests more than 200 deep'],
  ['{% if 1 %}'.repeat(9_000), 'nests more than 200 deep'],
  [`{{ 1 if 1 else 2${' if 1 else 2'.repeat(7_000)} }}`, 'nests more than 200 deep'],
];

/** Large, and within the limits. */
const FILLED: readonly (readonly [template: string, text: string])[] = [
  ['{{ 2 ** 10**7 }}', '1180591620717411303424'],
  ['{{ 10**400 }}', `1${'0'.repeat(400)}`],
  ['{{ 7 % (10**5000) }}', '7'],
  ['{{ (10 ** 5000 // 7) % 1000 }}', String((10n ** 5_000n / 7n) % 1_000n)],
  [`{{ '${'('.repeat(3_000)}' }}`, '('.repeat(3_000)],
  ["{{ ('a' * 2000000) | wordcount }}", '1'],
  ["{{ ('x' * 2000000) == ('x' * 2000000) }}", 'True'],
  ["{{ ('a' * 2000000).find('a' * 1000000 ~ 'b') }}", '-1'],
];

/** By the speed of the machine these are filled, refused, or stopped with their thread. */
const HEAVY: readonly string[] = [
  '{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}',
  "{{ ('x' * 1000000) | wordwrap(1) }}",
  '{{ range(100000) | batch(1) | list }}',
  "{{ ('a' * 1000000).replace('', 'b' * 1000) }}",
  "{{ ('ab' * 500000) | join('x' * 100) }}",
  "{{ ('x' * 1000000) | list | sort | join('yyyyyyyyyyyyyyyy') }}",
  "{{ ('a\n' * 100000) | indent(10000) }}",
  "{{ range(100000)|map('string')|join(',' * 10000) }}",
  '{% set ns = namespace(a=[1]) %}{% for i in range(60) %}{% set ns.a = ns.a + ns.a %}{% endfor %}',
  "{% set ns = namespace(a='x') %}{% for i in range(60) %}{% set ns.a = ns.a ~ ns.a %}{% endfor %}",
  "{% set ns = namespace(a='x') %}{% for i in range(60) %}{% set ns.a = [ns.a, ns.a] %}{% endfor %}{{ ns.a }}",
  "{{ ('a' * 4000000) | upper | title | capitalize | reverse }}",
  "{{ ('<' * 4000000) | escape }}",
  "{{ ('&' * 3000000) | urlencode }}",
  "{{ ('a ' * 2000000) | truncate(3999999, false) }}",
  "{{ ('<a' * 2000000) | striptags }}",
  "{{ 'x'.join(('a' * 4000000) | list) }}",
  "{{ ('x' * 4000000).split('x') | length }}",
  "{{ ('aaaaaaaaaaaaaaaaaaaaaaaa' * 100000).count('a') }}",
  `{{ 1${'|abs'.repeat(20_000)} }}`,
  `{{ x${'.a'.repeat(40_000)} }}`,
  `{{ 1${'+1'.repeat(40_000)} }}`,
  `{{ 1${'**1'.repeat(30_000)} }}`,
  "{{ range(100000)|groupby('x')|list|length }}",
  '{{ range(100000)|unique|list|length }}',
  "{{ ([dict(a=1)]*100000)|map(attribute='a')|sum }}",
  "{{ ['a'*1000000]*4000 }}",
  "{{ (['a'*1000000]*4000)|tojson|length }}",
  '{{ [range(100000)|list]*40 }}',
];

describe('a template of Jinja2 that attacks', { timeout: 60_000 }, () => {
  it.each(named(REFUSED))('with %s is refused, with the fault', async (_, template, fault) => {
    expect(await outcomeOf(template)).toEqual({ failure: expect.stringContaining(fault) });
  });

  it.each(named(FILLED))('with %s is filled', async (_, template, text) => {
    expect(await outcomeOf(template)).toEqual({ text });
  });

  it.each(named(HEAVY.map((template) => [template] as const)))(
    'with %s ends within the limits',
    async (_, template) => {
      const outcome = await outcomeOf(template);
      if ('text' in outcome) expect(outcome.text.length).toBeLessThanOrEqual(MAX_LENGTH);
      else expect(outcome.failure).toMatch(/^template_(?:limit|failed): The template .+\.$/);
      expect(await outcomeOf('{{ 1 + 1 }}')).toEqual({ text: '2' });
    },
  );
});
