import { describe, expect, it } from 'vitest';
import { withoutDocumentation, withPureConstants } from '../../../../lib/packaging/route-tables.ts';

describe('constants of a module of schemas', () => {
  it('are marked where they are made, and left as they are where nothing is', () => {
    expect(withPureConstants('export const a = z.string().min(1);\nconst b = 12, c = a, d = () => z.int();\n')).toBe(
      'export const a = /* @__PURE__ */ (() => (z.string().min(1)))();\nconst b = 12, c = a, d = () => z.int();\n',
    );
  });

  it('keep their values', () => {
    const code = withPureConstants(
      'const { a, b } = { a: [1].map((n) => n + 1), b: { c: 2 } };\nconst sum = a[0] + b.c;',
    );
    expect(new Function(`${code} return sum;`)()).toBe(4);
  });

  it('are those of the module alone, not of its functions', () => {
    const code = 'function f() {\n  const made = z.int();\n  return made;\n}\nlet g = f();\n';
    expect(withPureConstants(code)).toBe(code);
  });
});

describe('what documents a route', () => {
  it('is left out, with any content', () => {
    const code = `
      export const getRoute = { id: 'a.get', doc: { summary: 'A' }, body, responses: { 200: { schema: z.int() }, ...more } };
      const shared = { responses: more };`;
    expect(withoutDocumentation(code)).toBe(`
      export const getRoute = { id: 'a.get', doc: {}, body, responses: {} };
      const shared = { responses: more };`);
  });
});
