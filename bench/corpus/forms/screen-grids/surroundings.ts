import { drawCallout } from '../../drawing/marks.ts';
import { hospital, institutionNumber, person } from '../../drawing/people.ts';
import type { Split } from '../../truth.ts';
import type { Stack } from './stack.ts';
import type { Window } from './window.ts';

export function drawTop(window: Window, width: number, order: boolean, split: Split): number {
  const { random, drawing, text, accent } = window;
  const { size } = text;
  const plain = { ...text, size: Math.min(size, 13) };
  if (random.chance(0.12)) return 6;
  drawing.rect({ x: 0, y: 0, width, height: 28 }, random.pick(['#ffffff', '#dfe9f5', '#2b579a', '#ece9d8']));
  drawing.text(
    order ? random.pick(['진료실', '오더입력', '처방입력']) : random.pick(['청구확인', '명세서 조회', '보험청구']),
    26,
    14,
    { ...plain, color: '#444' },
  );
  ['×', '□', '－'].forEach((mark, i) => {
    drawing.text(mark, width - 18 - 30 * i, 14, { ...plain, align: 'center' });
  });
  drawing.rect({ x: 0, y: 28, width, height: 32 }, '#d6e1ee');
  random
    .shuffled(['사전점검', '저장', '조회', '청구문서 검색', '코드조회', '인쇄', '출력'])
    .slice(0, random.int(2, 5))
    .forEach((label, i) => {
      drawing.rect({ x: 8 + i * 94, y: 32, width: 88, height: 24 }, '#fdfdfd', '#9aa', 1);
      drawing.text(label, 52 + i * 94, 44, { ...plain, align: 'center' });
    });
  let y = 60;
  if (random.chance(0.6)) {
    ['2026년 11월 [2026110001]', '2026년 11월 [2026110002]'].slice(0, random.int(1, 2)).forEach((label, i) => {
      drawing.rect({ x: 8 + i * 190, y, width: 184, height: 26 }, i === 0 ? '#f6f6d0' : '#cfe0f2', '#8aa0bb', 1);
      drawing.text(label, 18 + i * 190, y + 13, plain);
    });
    y += 28;
  }
  if (random.chance(0.7)) {
    let x = 12;
    for (const [label, value] of [
      ['차트번호', String(random.int(100_000, 999_999))],
      ['수진자명', person(random)],
      ['요양기관', hospital(random, split)],
      ['기관기호', institutionNumber(random)],
      ['청구유형', '보험외래'],
    ] as const) {
      if (x > width - 190) break;
      drawing.rect({ x, y: y + 4, width: 66, height: 20 }, random.chance(0.5) ? '#555' : accent);
      drawing.text(label, x + 33, y + 14, { ...plain, color: '#fff', align: 'center' });
      drawing.text(value, x + 72, y + 14, plain);
      x += 186;
    }
    y += 28;
  }
  return y;
}

export function drawStatus({ random, drawing, text }: Window, width: number, y: number): number {
  if (random.chance(0.3)) return y + 4;
  drawing.rect({ x: 0, y, width, height: 26 }, '#f6f6f6', '#ccc', 1);
  const amount = () => (random.int(100, 9000) * 10).toLocaleString('en-US');
  drawing.text(
    `※ 건수 : ${random.int(1, 60)}      요양급여비용총액 : ${amount()}      본인부담 : ${amount()}      청구액 : ${amount()}`,
    12,
    y + 13,
    { ...text, size: Math.min(text.size, 13) },
  );
  return y + 26;
}

/** A manual's frames and numbers over the picture. */
export function drawManual({ random, drawing, style }: Window, stack: Stack, width: number, height: number): void {
  if (!random.chance(0.25)) return;
  random
    .shuffled(stack.places)
    .slice(0, random.int(1, 3))
    .forEach((place, i) => {
      const frame = {
        x: place.x - 3,
        y: place.y - 3,
        width: Math.min(width - place.x, place.width + 6),
        height: place.height + 6,
      };
      drawCallout(random, drawing, frame, style.font, i + 3);
    });
  if (random.chance(0.5))
    drawCallout(
      random,
      drawing,
      { x: 4, y: 30, width: random.int(80, 260), height: Math.min(30, height - 34) },
      style.font,
      1,
    );
}
