import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partsOf, sameAmount } from '../../../../functions/extraction/domain/master/name-parts.ts';

const mg = (value: number) => ({ written: value, value: value * 1000, unit: 'mcg' });

describe('the parts of a drug name', () => {
  it('are brand, form, ingredient and pack in the published list', () => {
    expect(partsOf('무코스타정(레바미피드)_(0.1g/1정)')).toMatchObject({
      brand: '무코스타',
      form: '정',
      strengths: [],
      brackets: ['레바미피드'],
      pack: { strength: { value: 100_000, unit: 'mcg' }, size: null },
    });
  });

  it.each([
    ['무코스타정 100mg(오츠카)', { brand: '무코스타', maker: '오츠카', strengths: [mg(100)], brackets: [] }],
    ['(유한)무코스타정(내복)/1정', { brand: '무코스타', maker: '유한', strengths: [], hasAdditions: true }],
    ['(내복)무코스타정', { brand: '무코스타', maker: null }],
    ['무코스타정 [가람제약]', { brand: '무코스타', maker: '가람제약' }],
    ['아드반탄연고(외용)/15g/개', { brand: '아드반탄', form: '연고', pack: { size: { value: 15e6, unit: 'mcg' } } }],
    ['트윈스타정40/5mg/1정', { brand: '트윈스타', strengths: [mg(40), mg(5)], hasAdditions: true }],
    ['자누메트정50/1000밀리그램_(1정)', { brand: '자누메트', strengths: [mg(50), mg(1000)], hasAdditions: false }],
    ['코미플루현탁용분말6mg/mL', { form: '현탁용분말', strengths: [mg(6), { value: 1000, unit: 'ul' }] }],
    ['칼리제정50단위', { strengths: [{ value: 50, unit: 'iu' }] }],
    ['지미아이30%시럽', { brand: '지미아이', form: '시럽', strengths: [{ value: 30, unit: '%' }] }],
    ['이오메론350주사액', { brand: '이오메론350', form: '주사액', strengths: [] }],
    ['타이펜8시간이알서방정/1정', { brand: '타이펜8시간이알', form: '서방정', strengths: [] }],
    ['스페린캅셀', { brand: '스페린', form: '캡슐' }],
    ['노바스크정5', { brand: '노바스크', strengths: [{ written: 5, unit: '' }] }],
    ['이텍스암브록솔정(암브록솔염', { brackets: ['암브록솔염'], isOpen: true }],
  ])('are told apart in %s', (name, parts) => {
    expect(partsOf(name)).toMatchObject(parts);
  });

  it.each(['100mg', '0.1g', '100밀리그램', '100㎎', '.1g', '100,000mcg'])(
    'hold the same strength in %s',
    (strength) => {
      expect(sameAmount(partsOf(`가람정${strength}`).strengths[0]!, mg(100))).toBe(true);
    },
  );

  it('do not depend on blanks', () => {
    const names = fc.constantFrom(
      '무코스타정 100mg(오츠카)',
      '트윈스타정40/5mg/1정',
      '베포리진정5밀리그램(베포타스틴베실산염)',
    );
    fc.assert(
      fc.property(names, fc.nat(), (name, at) => {
        const blank = `${name.slice(0, at % name.length)} ${name.slice(at % name.length)}`;
        expect(partsOf(blank)).toEqual(partsOf(name));
      }),
    );
  });

  it('are found in any text, in bounded time', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'가정(/)[]_1.,%mg내복 '), maxLength: 400 }), (text) => {
        expect(partsOf(text).core.length).toBeLessThanOrEqual(text.length + 400);
      }),
    );
  });
});
