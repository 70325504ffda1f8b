import { describe, expect, it } from 'vitest';
import { passagesOf } from '../../../functions/knowledge/domain/passages.ts';
import { markdownBlocks } from '../../../functions/knowledge/domain/text-blocks.ts';

const passages = (text: string) => [...passagesOf(markdownBlocks(text))];
const texts = (text: string) => passages(text).map((passage) => passage.text);
const linesOf = (text: string) => text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());

const rows = Array.from({ length: 60 }, (_, i) => `| 요금제 ${i} | ${i},000원 | 한 달에 ${i}번까지 |`);
const table = (rule: string) => `## 요금\n\n다음과 같습니다.\n| 이름 | 값 | 한도 |\n${rule}\n${rows.join('\n')}\n\n끝.`;

describe('a Markdown table longer than a passage', () => {
  it.each(['|---|---|---|', '| :-- | --: | :-: |', '--- | --- | ---'])('has its header in each passage: %s', (rule) => {
    const cut = texts(table(rule)).filter((text) => text.includes('요금제'));
    expect(cut.length).toBeGreaterThan(2);
    for (const text of cut) expect(linesOf(text).filter((line) => line === '이름 값 한도')).toHaveLength(1);
    const found = cut.flatMap(linesOf).filter((line) => line.startsWith('요금제'));
    expect(found).toEqual(rows.map((row) => row.replaceAll('|', ' ').replace(/\s+/g, ' ').trim()));
    for (const { text, heading } of passages(table(rule))) {
      expect(text.length).toBeLessThanOrEqual(900);
      expect(heading).toEqual(['요금']);
    }
  });

  it('keeps rows that are longer than a passage', () => {
    const long = '가나다라 '.repeat(400).trim();
    const cut = texts(`| a | b |\n|---|---|\n| 1 | ${long} |\n| 2 | 끝 |`);
    expect(cut.join(' ').match(/가나다라/g)).toHaveLength(400);
    expect(cut.every((text) => linesOf(text)[0] === 'a b')).toBe(true);
  });

  it('repeats no header that would be most of a passage', () => {
    const header = `| ${'이름 '.repeat(120)}| 값 |`;
    const cut = texts(`${header}\n|---|---|\n${rows.join('\n')}`);
    expect(cut.filter((text) => text.includes('이름 이름'))).toHaveLength(1);
  });
});

it('a short table and the sentence above it are one passage', () => {
  expect(texts('다음과 같습니다.\n| 이름 | 값 |\n|---|---|\n| 하나 | 1 |')).toHaveLength(1);
});

it.each(['a\n---\n| b |', '|---|\n| a |', 'a | b\n\n|---|---|'])('%j has no header', (text) => {
  expect([...markdownBlocks(text)].some((block) => 'header' in block)).toBe(false);
});
