import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../functions/workflows/domain/graph/graph.ts';
import { DEFAULT_SETTINGS, type TextStyle } from '../../../functions/workflows/domain/graph/graph.ts';
import { withoutData, writerFor } from '../../../functions/workflows/domain/graph/value-texts.ts';

const file = (url: string, name: string, type = 'document'): JsonObject => ({ kind: 'file', url, name, type });
const paper = file('https://a.example/p (1).pdf', 'p [1].pdf');
const picture = file('https://a.example/i.png', 'i.png', 'image');
const DATA = `data:image/png;base64,${'iVBOR'.repeat(40)}`;
const sent = file(DATA, 'sent.png', 'image');
const write = (style: TextStyle, use: 'text' | 'prompt' | 'answer') =>
  writerFor({ settings: { ...DEFAULT_SETTINGS, textStyle: style } }, use);

describe('lists and objects', () => {
  it.each([
    ['native', 'answer', ['a', 1], '["a",1]'],
    ['native', 'answer', { a: 1 }, '{"a":1}'],
    ['dify', 'answer', ['a', 1, true, null], '- a\n- 1\n- True\n- None'],
    ['dify', 'answer', [{ a: "it's" }], `- {'a': "it's"}`],
    ['dify', 'answer', { a: [1], b: {} }, '{\n  "a": [\n    1\n  ],\n  "b": {}\n}'],
    ['dify', 'text', ['a', 1], '["a",1]'],
    ['native', 'prompt', ['a', 'b'], '["a","b"]'],
    ['dify', 'prompt', true, 'True'],
    ['dify', 'prompt', ['a', '도시'], '["a", "도시"]'],
    ['dify', 'prompt', ['a', 1, null], "['a', 1, None]"],
    ['dify', 'prompt', [{ a: 1 }], "[{'a': 1}]"],
    ['dify', 'prompt', { a: [1, true], b: {} }, '{"a": [1, true], "b": {}}'],
    ['dify', 'prompt', [], ''],
  ] as const)('in a %s %s: %j is %j', (style, use, value, text) => {
    expect(write(style, use)(value)).toBe(text);
  });
});

describe('files among text', () => {
  it.each([
    ['native', 'text', picture, 'https://a.example/i.png'],
    ['native', 'text', [paper, sent], 'https://a.example/p (1).pdf\nsent.png'],
    ['native', 'answer', picture, '![i.png](https://a.example/i.png)'],
    ['native', 'answer', [paper, sent], '[p \\[1\\].pdf](https://a.example/p%20%281%29.pdf)\nsent.png'],
    ['dify', 'text', picture, ''],
    ['dify', 'prompt', picture, ''],
    ['dify', 'text', [paper, sent], ''],
    ['dify', 'answer', picture, '![i.png](https://a.example/i.png)'],
    ['dify', 'text', [], ''],
    ['native', 'text', [], ''],
  ] as const)('in a %s %s: %j is %j', (style, use, value, text) => {
    expect(write(style, use)(value)).toBe(text);
  });

  it.each(['native', 'dify'] as const)('in %s style no data: URL is a text, however deep it lies', (style) => {
    for (const use of ['text', 'prompt', 'answer'] as const)
      for (const value of [DATA, sent, [sent], { a: [sent, DATA] }, `see ![it](${DATA}) here`, [`x ${DATA}`]])
        expect(write(style, use)(value)).not.toContain('iVBOR');
    expect(JSON.stringify(withoutData({ a: [sent], b: DATA }))).not.toContain('iVBOR');
  });

  it('text that only starts like a data: URL is kept', () => {
    const said = 'data: 3, 4; and data:5,6';
    expect(write('native', 'text')(said)).toBe(said);
  });
});
