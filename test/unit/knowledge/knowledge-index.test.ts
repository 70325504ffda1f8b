import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, type Passage, passagesOf } from '../../../functions/knowledge/domain/passages.ts';
import { rankByTerms, rankByTermsAndVectors } from '../../../functions/knowledge/domain/rank.ts';
import {
  encodeSegment,
  mergeSegments,
  Segment,
  type SegmentDocument,
  withVectors,
} from '../../../functions/knowledge/domain/segment.ts';
import { eachTerm, type Term } from '../../../functions/knowledge/domain/terms.ts';
import { markdownBlocks, plainBlocks } from '../../../functions/knowledge/domain/text-blocks.ts';

const passage = (text: string, more: Partial<Passage> = {}): Passage => ({ text, heading: [], page: null, ...more });
const document = (documentId: string, ...texts: string[]): SegmentDocument => ({
  documentId,
  title: documentId,
  passages: texts.map((text) => passage(text)),
});
const view = (documents: readonly SegmentDocument[], removed: readonly string[] = []) => ({
  baseId: 'base',
  segments: [new Segment(encodeSegment(documents))],
  removed: new Set(removed),
});
const termsOf = (text: string): Term[] => {
  const terms: Term[] = [];
  eachTerm(text, (term) => terms.push(term));
  return terms;
};
const found = (query: string, ...views: ReturnType<typeof view>[]) =>
  rankByTerms(query, views, 5).map(({ documentId }) => documentId);

describe('terms', () => {
  it.each([
    ['환불은', '환불을'],
    ['보관온도', '보관 온도'],
    ['약국에서는', '약국'],
    ['10,000원', '10000원'],
    ['ＡＰＩ', 'api'],
    ['카페', '카페'],
    ['hooks를', 'hook'],
    ['entries', 'entry'],
    ['useEffect에서', 'effect'],
    ['QueryClients', 'client'],
  ])('%s and %s have terms in common', (a, b) => {
    const known = new Set(termsOf(a));
    expect(termsOf(b).some((term) => known.has(term))).toBe(true);
  });

  it.each([
    ['process', 'proces'],
    ['status', 'statu'],
    ['gas', 'ga'],
  ])('%s and %s have no term in common', (a, b) => {
    const known = new Set(termsOf(a));
    expect(termsOf(b).some((term) => known.has(term))).toBe(false);
  });

  it('a text of a million characters takes no more terms than twice its length', () => {
    for (const text of ['가'.repeat(1e6), 'a'.repeat(1e6), '1,'.repeat(5e5), '가a'.repeat(5e5), 'abcDs'.repeat(2e5)])
      expect(termsOf(text).length).toBeLessThanOrEqual(2e6);
  });
});

describe('a segment', () => {
  it('gives back any content that went in', () => {
    const passages = fc.array(
      fc.record({
        text: fc.string({ unit: 'grapheme', minLength: 1 }),
        heading: fc.array(fc.string(), { maxLength: 3 }),
        page: fc.option(fc.integer({ min: 1, max: 5000 })),
      }),
      { minLength: 1, maxLength: 5 },
    );
    const documents = fc.array(fc.record({ documentId: fc.uuid(), title: fc.string(), passages }), { minLength: 1 });
    fc.assert(
      fc.property(documents, (all) => {
        const segment = new Segment(encodeSegment(all));
        expect([...segment.contents()].map(({ firstPassage: _, ...one }) => one)).toEqual(all);
      }),
    );
  });

  it('counts every term of every passage', () => {
    const texts = fc.array(fc.array(fc.constantFrom('가나', '다라마', 'abc', '12')), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(texts, (all) => {
        const written = all.map((words) => words.join(' '));
        const segment = new Segment(encodeSegment([{ ...document('d', ...written), title: '' }]));
        for (const term of new Set(written.flatMap(termsOf))) {
          const counts = new Map<number, number>();
          segment.eachPosting(term, (index, count) => counts.set(index, count));
          const expected = written.flatMap((text, index) => {
            const count = termsOf(text).filter((one) => one === term).length;
            return count === 0 ? [] : [[index, count] as const];
          });
          expect([...counts]).toEqual(expected);
          expect(segment.passagesWith(term)).toBe(expected.length);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('keeps vectors, and refuses invalid bytes', () => {
    const values = Float32Array.of(1, 0, 0, 1);
    const bytes = encodeSegment([document('d', '하나', '둘')], { model: 'm', dimensions: 2, values });
    expect(new Segment(bytes).vectors).toEqual({ model: 'm', dimensions: 2, values });
    expect(() => new Segment(bytes.subarray(4))).toThrow('not a segment');
    expect(() => new Segment(new Uint8Array(3))).toThrow('not a segment');
  });
});

describe('ranking', () => {
  const documents = [
    document('refund', '환불은 결제일로부터 7일 안에 신청할 수 있습니다.'),
    document('delivery', '배송은 주문한 다음 날 시작하고 사흘쯤 걸립니다.'),
    document('storage', '인슐린은 냉장고에서 섭씨 2도에서 8도 사이로 보관하십시오.'),
  ];

  it.each([
    ['환불을 언제까지 신청하나요?', 'refund'],
    ['배송기간이 얼마나 되나요', 'delivery'],
    ['인슐린 보관온도', 'storage'],
  ])('%s', (query, expected) => {
    expect(found(query, view(documents))[0]).toBe(expected);
  });

  it('finds English names within Korean sentences in another form', () => {
    const guide = view([
      document('effect', 'Effect 정리 함수: 구독을 해제하려면 effect 안에서 함수를 반환합니다.'),
      document('hook', 'Custom hook 만들기: 상태 로직을 함수로 꺼내면 여러 곳에서 다시 쓸 수 있습니다.'),
      document('render', '조건에 따라 렌더링하려면 함수에서 if 문을 씁니다.'),
    ]);
    expect(found('useEffect에서 구독을 끊고 싶어요', guide)[0]).toBe('effect');
    expect(found('customHooks로 빼고 싶어요', guide)[0]).toBe('hook');
  });

  it('takes several segments and bases for one collection', () => {
    const views = documents.map((one) => view([one]));
    const whole = rankByTerms('환불 신청', [view(documents)], 5);
    expect(rankByTerms('환불 신청', views, 5)).toEqual(whole);
    expect(whole[0]).toMatchObject({ baseId: 'base', documentId: 'refund', title: 'refund', page: null, heading: [] });
    expect(whole[0]!.score).toBeGreaterThan(0);
    expect(whole[0]!.score).toBeLessThanOrEqual(1);
  });

  it('finds nothing of a removed document, in no index, and for no words', () => {
    expect(found('환불 신청', view(documents, ['refund']))).not.toContain('refund');
    expect(found('환불 신청')).toEqual([]);
    expect(found('?!', view(documents))).toEqual([]);
    expect(found('xyzzy', view(documents))).toEqual([]);
  });

  it('keeps the best of many, best first', () => {
    const many = Array.from({ length: 300 }, (_, i) =>
      document(`d${i}`, `${'환불 '.repeat((i * 7) % 300)}그리고 다른 말`),
    );
    const hits = rankByTerms('환불', [view(many)], 5);
    const all = rankByTerms('환불', [view(many)], 1000);
    expect(hits).toEqual(all.slice(0, 5));
    expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).sort((a, b) => b - a));
  });
});

describe('passages', () => {
  const of = (blocks: Iterable<Block>) => [...passagesOf(blocks)];

  it('keep the path of their headings and their page', () => {
    const markdown =
      '# 안내\n\n첫째 글\n\n## 환불\n\n둘째 글\n셋째 줄\n\n배송\n---\n\n- 넷째 글\n\n# 끝 #\n\n[다섯째](https://example.com) **글**';
    expect(of(markdownBlocks(markdown))).toEqual([
      passage('첫째 글', { heading: ['안내'] }),
      passage('둘째 글\n셋째 줄', { heading: ['안내', '환불'] }),
      passage('넷째 글', { heading: ['안내', '배송'] }),
      passage('다섯째 글', { heading: ['끝'] }),
    ]);
    const text = (page: number, length: number): Block => ({ kind: 'text', text: '글'.repeat(length), page });
    expect(of([text(1, 300), text(2, 20), text(3, 20), text(3, 300)]).map(({ page }) => page)).toEqual([1, 2]);
  });

  it('never have more than 900 characters, and lose none', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 3000, size: 'max' }), { maxLength: 4 });
    const letters = (text: string) => text.replace(/\s/g, '');
    fc.assert(
      fc.property(texts, (all) => {
        const passages = of(all.map((text) => ({ kind: 'text', text })));
        for (const { text } of passages) expect(text.length).toBeLessThanOrEqual(900);
        expect(letters(passages.map(({ text }) => text).join(''))).toBe(letters(all.join('')));
      }),
      { numRuns: 50 },
    );
  });

  it('headings of Markdown have no anchors', () => {
    const headings = [
      '# 환불 {#refunds}',
      '## Hooks {/*hooks*/} ##',
      'Next {#next}\n---',
      '### {braces} {}',
      '# a {#b c',
    ];
    expect([...markdownBlocks(headings.join('\n\n'))].map(({ text }) => text)).toEqual([
      ...['환불', 'Hooks', 'Next', '{braces} {}', 'a {#b c'],
    ]);
  });

  it('code and front matter of Markdown are not headings', () => {
    expect([...markdownBlocks('---\ntitle: x\n---\n```\n# code\n```\n')]).toEqual([{ kind: 'text', text: '# code' }]);
    expect([...plainBlocks('a\r\nb\n\n \n# c')]).toEqual([
      { kind: 'text', text: 'a\nb' },
      { kind: 'text', text: '# c' },
    ]);
  });

  it.each(['[', '![', '#', '*', '`', '|', ' ', '- ', '> ', '---\n', '[a](', '# \n'])(
    'a megabyte of %j is read in one go',
    (piece) => {
      const text = piece.repeat(Math.ceil(1e6 / piece.length));
      expect(of(markdownBlocks(`${text}x`)).length).toBeLessThan(1e6);
    },
  );
});

describe('vectors', () => {
  const model = 'm';
  const withVector = (documentId: string, text: string, x: number) => {
    const values = Float32Array.of(x, Math.sqrt(1 - x * x));
    return new Segment(withVectors(encodeSegment([document(documentId, text)]), { model, dimensions: 2, values }));
  };
  const segments = [
    withVector('a', '환불 신청', 0),
    withVector('b', '배송 안내', 1),
    withVector('c', '환불 배송', 0.9),
  ];
  const fused = (query: string, of: readonly Segment[], removed: readonly string[] = []) => {
    const one = { baseId: 'base', segments: of, removed: new Set(removed) };
    const question = { view: one, model, vector: Float32Array.of(1, 0) };
    return rankByTermsAndVectors(query, [one], [question], 5).map(
      ({ documentId, score }) => [documentId, score] as const,
    );
  };

  it('are fused with terms by the ranks in both', () => {
    // By terms a, c; by vectors b, c: that of a says nothing of the question.
    const found = fused('환불', segments);
    expect(found.map(([id]) => id)).toEqual(['c', 'a', 'b']);
    for (const [id, score] of found) expect(score).toBeCloseTo(scoreOf(id), 3);
  });
  const at = (rank: number) => 61 / 2 / (60 + rank);
  const scoreOf = (id: string): number => ({ a: at(1), b: at(1), c: at(2) + at(2) })[id]!;

  it('stay with their passages when segments are merged, and removed documents give no hits', () => {
    const merged = new Segment(mergeSegments(segments, new Set(['b']))!);
    expect(merged.vectors).toMatchObject({ model, dimensions: 2 });
    expect([...merged.vectors!.values].map((each) => Math.round(each * 10) / 10)).toEqual([0, 1, 0.9, 0.4]);
    expect(fused('없는 말', [merged]).map(([id]) => id)).toEqual(['c']);
    expect(fused('없는 말', segments, ['b']).map(([id]) => id)).toEqual(['c']);
  });
});
