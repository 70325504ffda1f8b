import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { fillJinja, jinjaFault } from '../../../../functions/adapters/workflows/jinja-templates.ts';

type Result = { readonly text: string } | { readonly fault: string };
type Case = Result & {
  readonly template: string;
  /** Where this engine differs on purpose: docs/workflows/differences.md says why. */
  readonly ours?: Result;
};
interface Suite {
  readonly jinja2: string;
  readonly values: object;
  readonly cases: readonly Case[];
}

/** The texts of Jinja2 itself, written by expectations.py. */
const SUITE = JSON.parse(
  await readFile(new URL('../../../fixtures/jinja/cases.json', import.meta.url), 'utf8'),
) as Suite;

describe(`the templates that Jinja2 ${SUITE.jinja2} has filled`, () => {
  it('are more than 600', () => {
    expect(SUITE.cases.length).toBeGreaterThan(600);
  });

  it('give the same texts, and fail if they failed', () => {
    const differing = SUITE.cases
      .filter(({ ours }) => ours === undefined)
      .map((each) => ({ ...each, got: fillJinja(each.template, structuredClone(SUITE.values)) }))
      .filter((each) => ('text' in each ? !('text' in each.got) || each.got.text !== each.text : 'text' in each.got));
    expect(differing).toEqual([]);
  });

  it.each(SUITE.cases.flatMap(({ template, ours }) => (ours ? [[template, ours] as const] : [])))(
    'differ as documented: %s',
    (template, ours) => {
      expect(fillJinja(template, structuredClone(SUITE.values))).toEqual(ours);
    },
  );
});

describe('a template that no run could fill', () => {
  it.each([
    ['{{ v | shout }}', 'undefined filter: shout'],
    ['{% if v is loud %}{% endif %}', 'undefined test: loud'],
    ['a\n{% if v %}', "unexpected end of template, expected 'elif' or 'else' or 'endif' (line 2)"],
    ['{% include "x" %}', "'include' needs other templates, and there are none (line 1)"],
    ['{{ "open }}', 'a text has no closing quotation mark (line 1)'],
    ['{% trans %}', "unknown tag 'trans' (line 1)"],
    ['{{ a. }}', "expected a name, got '}}' (line 1)"],
    ['{% constructor %}', "unknown tag 'constructor' (line 1)"],
  ])('is refused when it is saved: %s', (template, fault) => {
    expect(jinjaFault(template)).toBe(fault);
  });

  it('is refused when it nests too deeply', () => {
    const nested = (open: string, close: string) => `{{ ${open.repeat(5000)}1${close.repeat(5000)} }}`;
    for (const template of [nested('(', ')'), nested('[', ']'), nested('not ', ''), nested('-', '')])
      expect(jinjaFault(template)).toBe('it nests more than 200 deep (line 1)');
  });
});

describe('a template that wants too much', () => {
  it.each([
    ['{{ "x" * 999999999 }}', /longer than/],
    ['{{ [0] * 999999999 }}', /longer than/],
    ['{{ 9 ** 999999999 }}', /too large/],
    ['{{ "%999999d" % 1 ~ "a"|center(99999999) }}', /larger than/],
    ['{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}', /calls itself more than/],
    ['{% set l = [] %}{% set _ = l.append(l) %}{{ l }}', /holds itself/],
    [
      '{% set s = namespace(v="ab") %}{% for i in range(40) %}{% set s.v = s.v ~ s.v %}{% endfor %}',
      /more than 4000000/,
    ],
    ['{{ range(999999999) }}', /more than 100000 numbers/],
    ['{% for t in [[1]] recursive %}{{ loop([[1]]) }}{% endfor %}', /nests too deeply/],
  ])('fails with its limit: %s', (template, fault) => {
    expect(fillJinja(template, {})).toEqual({ fault: expect.stringMatching(fault) });
  });

  it('is stopped by the number of its passes', () => {
    const template = '{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}';
    expect(fillJinja(template, {})).toEqual({ limit: true });
  });

  it('reaches nothing of the engine by names of JavaScript', () => {
    const template = '{{ v.constructor }}{{ v["__proto__"] }}{{ l.length }}{{ t.length }}{{ d.toString }}{{ d.size }}';
    expect(fillJinja(template, { v: 1, l: [1], t: 'a', d: {} })).toEqual({ text: '' });
  });
});
