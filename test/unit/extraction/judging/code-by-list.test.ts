import { describe, expect, it } from 'vitest';
import type { TextField } from '../../../../functions/extraction/domain/drug-line.ts';
import { judgeTable } from '../../../../functions/extraction/domain/judging/judge-table.ts';
import { drugLine, drugMaster, drugTable } from '../../../helpers/drug-table.ts';
import { codesOf, TODAY } from '../../../helpers/two-drugs.ts';

const NAME = '브로트린정400밀리그램(암로디핀)_(0.4g/1정)';
const master = drugMaster({
  '640500010': [NAME, 112],
  '640500070': ['브로트린정200밀리그램(암로디핀)_(0.2g/1정)', 112],
  '640560010': ['나래캡슐200밀리그램(세레콕시브)_(0.2g/1캡슐)', 402],
});

/** `64050[6]` stands for a 0 at the fifth place that may be a 6 as well. */
function code(print: string): TextField {
  const read = [...print.matchAll(/(\d)(?:\[(.*?)\])?/g)];
  const value = read.map(([, digit]) => digit).join('');
  const rivals = read.map(([, , others]) => others ?? '');
  return { value, text: value, confidence: 0.6, letters: rivals.map((others) => (others ? 0.8 : 1)), rivals };
}

function itemOf(print: string, drugName: string | null) {
  const line = { ...drugLine({ drugName, quantity: 1, timesPerDay: 3, days: 7 }), drugCode: code(print) };
  const columns = new Set(['drugCode', 'drugName', 'quantity', 'timesPerDay', 'days'] as const);
  return judgeTable(drugTable([line], { columns }), master, TODAY).items[0]!;
}

describe('a code with an unsure digit', () => {
  const cut = '브로트린정400밀리그램';

  it.each([
    ['in no list', '640[5]500019[0]'],
    ['another drug’s', '64050007[1]0'],
  ])('is read as the list has it for the name where it is %s, and is to be looked at', (_, print) => {
    const item = itemOf(print, cut);
    expect(item).toMatchObject({ drugCode: '640500010', codeInMaster: true, status: 'YELLOW' });
    expect(codesOf(item)).toContain('code_uncertain');
    expect(item.review.join()).toContain('640500010');
  });

  it.each<[string, string, string | null, string]>([
    ['no such digit was held possible', '640500019[3]', cut, '640500019'],
    ['all digits were read surely', '640500019', cut, '640500019'],
    ['no name decides', '640500019[0]', null, '640500019'],
    ['the name is another one’s', '640500019[0]', '다솜시럽', '640500019'],
    ['two codes have the name as far as it goes', '6405000[2]1[7]0', '브로트린정', '640500010'],
    ['it has the name itself', '640500010[9]', cut, '640500010'],
  ])('stays as it was read where %s', (_, print, name, expected) => {
    expect(itemOf(print, name).drugCode).toBe(expected);
    expect(codesOf(itemOf(print, name))).not.toContain('code_uncertain');
  });
});
