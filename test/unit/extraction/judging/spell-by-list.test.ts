import { describe, expect, it } from 'vitest';
import { judgeTable } from '../../../../functions/extraction/domain/judging/judge-table.ts';
import { spellByList } from '../../../../functions/extraction/domain/judging/spell-by-list.ts';
import { drugMaster, drugTable } from '../../../helpers/drug-table.ts';

const LISTED = '브로트린정400밀리그램(암로디핀)_(0.4g/1정)';

/** `비[브부]로` stands for 비, which may be 브 or 부 as well, and 로. */
function name(print: string) {
  const letters = [...print.matchAll(/(.)(?:\[(.*?)\])?/gu)];
  const value = letters.map(([, letter]) => letter).join('');
  return { value, text: value, confidence: 0.5, rivals: letters.map(([, , rivals]) => rivals ?? '') };
}

describe('a name that was not read surely', () => {
  it.each([
    ['takes the syllables of the list that it may have', '비[브부]로트린정400밀리그램', '브로트린정400밀리그램'],
    ['keeps what no reading of it says', '비[부]로트린정400밀리그램', '비로트린정400밀리그램'],
    ['keeps its digits', '비[브]로트린정480[0]밀리그램', '비로트린정480밀리그램'],
    ['stays what it is when it is another one', '코[브]데파스[린]시럽20그램', '코데파스시럽20그램'],
    [
      'finds its place behind what was not read, and before what the list does not say',
      '로트런[린]정400밀리그램/1정',
      '로트린정400밀리그램/1정',
    ],
    ['keeps its maker', '(한빛)브로트련[린]정400밀리그램', '(한빛)브로트린정400밀리그램'],
  ])('%s', (_, print, spelt) => {
    expect(spellByList(name(print), LISTED)).toBe(spelt);
  });

  it('is judged by what was read: put right by the code, it does not confirm it', () => {
    const line = { drugCode: '640500010', drugName: '비로트린정400밀리그램', quantity: 1, days: 3 };
    const table = drugTable([line], { columns: new Set(['drugCode', 'drugName', 'quantity', 'days'] as const) });
    const doubted = { ...table.lines[0]!, drugName: name('비[브]로트린정400밀리그램') };
    const [item] = judgeTable(
      { ...table, lines: [doubted] },
      drugMaster({ '640500010': [LISTED, 100] }),
      '2026-11-21',
    ).items;
    expect(item).toMatchObject({ drugName: '브로트린정400밀리그램', status: 'YELLOW' });
    expect(item!.review.join()).toContain('the name reads "비로트린정400밀리그램"');
  });
});
