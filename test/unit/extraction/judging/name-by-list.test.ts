import { describe, expect, it } from 'vitest';
import { judgeTable } from '../../../../functions/extraction/domain/judging/judge-table.ts';
import { nameByList } from '../../../../functions/extraction/domain/judging/name-by-list.ts';
import { drugMaster, drugTable } from '../../../helpers/drug-table.ts';

const LISTED = '브로트린정400밀리그램(암로디핀)_(0.4g/1정)';
const CODE = '640500010';
const drug = { code: CODE, name: LISTED, maker: '한빛제약', unit: '', oldCodes: [], prices: [] };

/** `비[브부]로!` stands for 비, which may be 브 or 부 as well, and 로, which was hardly read. */
function name(print: string) {
  const read = [...print.matchAll(/(.)(?:\[(.*?)\])?(!?)/gu)];
  const value = read.map(([, letter]) => letter).join('');
  const rivals = read.map(([, , others]) => others ?? '');
  const letters = read.map(([, , others, hardly]) => (hardly ? 0.4 : others ? 0.8 : 1));
  return { value, text: value, confidence: 0.5, letters, rivals };
}

describe('a name that was not read surely', () => {
  it.each([
    ['takes the syllables of the list that it may have', '비[브부]로트린정400밀리그램', '브로트린정400밀리그램'],
    ['keeps what no reading of it says', '코[부]로트린정400밀리그램', '코로트린정400밀리그램'],
    ['takes the syllable of the list that differs by a jamo', '브로트련정400밀리그램', '브로트린정400밀리그램'],
    ['takes it in its maker, too', '(한빗)브로트린정400밀리그램', '(한빛)브로트린정400밀리그램'],
    ['keeps a maker that is another one', '(도담)브로트련정400밀리그램', '(도담)브로트린정400밀리그램'],
    ['keeps what would change in too many letters', '비로타런장400밀리그램', '비로타런장400밀리그램'],
    ['keeps its digits', '비[브]로트린정480[0]밀리그램', '비로트린정480밀리그램'],
    ['keeps what prescriptions add in brackets', '비[브]로트린정400mg(내복!)', '브로트린정400mg(내복)'],
    ['stays what it is when it is another one', '코[브]데파스[린]시럽20그램', '코데파스시럽20그램'],
    [
      'finds its place behind unread letters, and before letters that the list lacks',
      '로트런[린]정400밀리그램/1정',
      '로트린정400밀리그램/1정',
    ],
    ['takes those of the list that were hardly read', '즈!로트린정400밀리그램', '브로트린정400밀리그램'],
    ['loses the marks of a stroke through it', '브로트e[른]!·정400밀리그램', '브로트린정400밀리그램'],
    ['ends before unread letters', '브로트린정400밀리그램/드!몬!', '브로트린정400밀리그램/'],
    ['ends before a mark behind a letter that was not read', '브로트린정400㎎ 그! 가!○', '브로트린정400㎎'],
    [
      'ends before strokes in one of which a letter was read',
      '브로트린정400밀리그램(모!호!포!호!호! 1',
      '브로트린정400밀리그램(',
    ],
    [
      'keeps its maker, however badly it was read',
      '브로트린정400밀리그램(대!웅!제!약!)',
      '브로트린정400밀리그램(대웅제약)',
    ],
    ['keeps its last letter, which may have been read', '브로트린정400밀리그램/정!', '브로트린정400밀리그램/정'],
    ['keeps what most of it was hardly read', '즈!로!드!란!정!400밀리그램', '즈로드란정400밀리그램'],
    ['keeps the letters of its unit', '비[브]로트린정400m!g', '브로트린정400mg'],
    ['takes a digit of the list that it may have', '브로트린정4[1]8[0]0밀리그램', '브로트린정400밀리그램'],
    ['takes another sign of the list that it may have', '브로트린정400%[밀]리그램', '브로트린정400밀리그램'],
    ['takes a maker that may be the list’s in each letter', '(힌[한]빗)브로트린정400㎎', '(한빛)브로트린정400㎎'],
    ['ends with its strength before a letter behind a blank', '브로트린정400mg O[○]', '브로트린정400mg'],
    ['ends with its strength before remains of a stroke', '브로트린정400mgL[I]7[T]', '브로트린정400mg'],
    ['ends with the list’s bracket', '브로트린정400mg(암로디핀)히[이]', '브로트린정400mg(암로디핀)'],
    ['ends with what its dose is counted in', '브로트린정400mg/1정드!', '브로트린정400mg/1정'],
    ['keeps surely read letters behind its strength', '브로트린정400mg분할', '브로트린정400mg분할'],
    [
      'keeps what the list has in a bracket that was not read',
      '브로트린정400mg암[알]로디핀',
      '브로트린정400mg암로디핀',
    ],
    ['keeps surely read letters of no bracket of the list', '브로트린정400mg마이신', '브로트린정400mg마이신'],
    ['keeps a bracket behind its strength', '브로트린정400mg(내[네]복)', '브로트린정400mg(내복)'],
    ['keeps the unit that the list writes in words', '브로트린정400m!g!', '브로트린정400mg'],
    ['keeps the last letter that the list has, too', '브로트린정400mg(암로디!', '브로트린정400mg(암로디'],
    ['loses a mark at its end that the list does not have', '브로트린정400mg(암로디·[:]', '브로트린정400mg(암로디'],
    ['keeps the dots of a cut', '브로트린정400mg(암로..', '브로트린정400mg(암로..'],
    ['begins behind remains of a stroke', 'j[)]브로트린정400mg', '브로트린정400mg'],
    ['begins behind marks that were hardly read', '놀[h]/~!브로트린정400mg', '브로트린정400mg'],
    ['keeps a letter before it that was read surely', '뉴브로트린정400mg', '뉴브로트린정400mg'],
    ['loses the mark of a rule', '브로트린정_400밀리그램_(암로디핀)', '브로트린정400밀리그램(암로디핀)'],
    ['keeps the mark before its pack', '브로트린정400밀리그램_(0.4', '브로트린정400밀리그램_(0.4'],
    ['loses a mark in its brand, though all else is the list’s', '브로.트린정400mg', '브로트린정400mg'],
    ['keeps its maker', '(한빛)브로트련[린]정400밀리그램', '(한빛)브로트린정400밀리그램'],
  ])('%s', (_, print, spelt) => {
    expect(nameByList(name(print), drug, drugMaster({ [CODE]: [LISTED, 100] })).spelt).toBe(spelt);
  });

  it('keeps syllables behind a unit that the list spells otherwise', () => {
    const ketoprofen = { ...drug, name: '맥시톤원서방정300마이크로그램(케토프로펜)_(300mcg/1정)' };
    const list = drugMaster({ [CODE]: [ketoprofen.name, 100] });
    expect(nameByList(name('맥서[사시]톤원서방정300mcg(케토프'), ketoprofen, list).spelt).toMatch(/케토프$/);
  });

  it('keeps how it is counted, which is no letter of the ingredient in the list', () => {
    const ointment = { ...drug, name: '아모졸연고2%(클래리트로마이신)_(1g)' };
    const list = drugMaster({ [CODE]: [ointment.name, 100] });
    const counted = '(한빛)아모졸연고2%/1개';
    expect(nameByList(name('(한빗[빛])아모졸연고2%/1개'), ointment, list)).toEqual({ read: counted, spelt: counted });
  });

  it('keeps a syllable that makes it the name of another drug', () => {
    const master = drugMaster({ [CODE]: [LISTED, 100], '640500070': [LISTED.replace('린정', '련정'), 100] });
    expect(nameByList(name('브로트련정400밀리그램'), drug, master).spelt).toBe('브로트련정400밀리그램');
  });

  const judged = (print: string, twins: Record<string, readonly [string, number]> = {}) => {
    const line = { drugCode: CODE, drugName: '비로트린정400밀리그램', quantity: 1, days: 3 };
    const table = drugTable([line], { columns: new Set(['drugCode', 'drugName', 'quantity', 'days'] as const) });
    const lines = [{ ...table.lines[0]!, drugName: name(print) }];
    const master = drugMaster({ [CODE]: [LISTED, 100], ...twins });
    return judgeTable({ ...table, lines }, master, '2026-11-21').items[0]!;
  };

  it('confirms its code where the reader held the syllable possible that the list has', () => {
    expect(judged('비[브]로트린정400밀리그램')).toMatchObject({ drugName: '브로트린정400밀리그램', status: 'GREEN' });
    const twin = judged('비[브]로트린정400밀리그램', { '640500070': [LISTED.replace('브', '비'), 100] });
    expect(twin.status).toBe('YELLOW');
    expect(twin.review.join()).toContain('640500070');
  });

  it('confirms its code where one syllable differs by a jamo, and no other name is as near', () => {
    expect(judged('브로트련정400밀리그램')).toMatchObject({ drugName: '브로트린정400밀리그램', status: 'GREEN' });
    expect(judged('비로트련정400밀리그램')).toMatchObject({ drugName: '브로트린정400밀리그램', status: 'YELLOW' });
    expect(judged('브로트련정450밀리그램').status).toBe('YELLOW');
    expect(judged('브로트련정400밀리그램(암로!').status).toBe('YELLOW');
    const nearer = { '650500010': [LISTED.replace('린정', '련정'), 100] } as const;
    expect(judged('브로트련정400밀리그램', nearer)).toMatchObject({
      drugName: '브로트련정400밀리그램',
      status: 'YELLOW',
    });
  });

  it('confirms no strength with a corrected digit', () => {
    expect(judged('브로트린정4[1]8[0]0밀리그램')).toMatchObject({
      drugName: '브로트린정400밀리그램',
      status: 'YELLOW',
    });
  });

  it('confirms nothing where it was put right by the code', () => {
    const supplied = judged('즈!로트린정400밀리그램');
    expect(supplied).toMatchObject({ drugName: '브로트린정400밀리그램', status: 'YELLOW' });
    expect(supplied.review.join()).toContain('the name reads "즈로트린정400밀리그램"');
    expect(judged('비[브]로트런[린]정400밀리그램').status).toBe('GREEN');
    expect(judged('비[브]두[로]타[트]런[린]정400밀리그램').status).toBe('YELLOW');
  });
});
