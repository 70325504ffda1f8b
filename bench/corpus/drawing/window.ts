import type { Font } from '../fonts.ts';
import type { Random } from '../random.ts';
import type { Sheet } from '../sheet/sheet.ts';
import type { Split } from '../truth.ts';
import { Drawing, type TextStyle, textWidth } from './drawing.ts';
import type { PageImage } from './page-image.ts';
import { hospital, person } from './people.ts';
import { setTable } from './set-table.ts';
import { tableStyle } from './table-style.ts';

const THEMES = [
  { bar: '#2b579a', barText: '#fff', ground: '#f0f0f0', tool: '#e9edf3', button: '#fdfdfd' },
  { bar: '#ffffff', barText: '#222', ground: '#ffffff', tool: '#f5f6f7', button: '#ffffff' },
  { bar: '#d6e4f2', barText: '#123', ground: '#eef3f8', tool: '#dfe9f4', button: '#f6f9fc' },
  { bar: '#ece9d8', barText: '#000', ground: '#ece9d8', tool: '#ece9d8', button: '#f7f5ec' },
] as const;
const DARK = { bar: '#1f2329', barText: '#e8e8e8', ground: '#ffffff', tool: '#2d333b', button: '#444c56' } as const;
const BUTTONS = ['조회', '저장', '삭제', '인쇄', '엑셀', '닫기', '신규', '미리보기', '행추가', '전송'];

/** A screenshot of a billing program: the whole window, or only the part around its grid. */
export async function drawWindow(
  random: Random,
  sheet: Sheet,
  font: Font,
  size: number,
  split: Split,
): Promise<PageImage> {
  const style = tableStyle(random, font, size, 'screen', sheet.layout.longNames);
  const table = setTable(sheet, style, 0, size * 95);
  const part = random.weighted({ window: 55, grid: 30, bare: 15 });
  const dark = random.chance(0.03);
  const theme = dark ? DARK : random.pick(THEMES);
  const drawing = new Drawing();
  const text: TextStyle = { font, size: Math.min(size, 14), color: '#222' };
  const margin = part === 'bare' ? random.int(1, 12) : random.int(8, 24);
  const width = Math.round(
    Math.max(table.width + 2 * margin + (part === 'window' ? random.int(0, 220) : 0), part === 'window' ? 760 : 0),
  );
  let y = 0;
  if (part === 'window') {
    y = drawTitleBar(random, drawing, width, theme, text, sheet.title);
    y = drawToolBar(random, drawing, width, y, theme, text);
    y = drawFilters(random, drawing, width, y, theme, text, split);
  } else if (part === 'grid') {
    drawing.text(`▶ ${sheet.title}`, margin, y + 16, { ...text, bold: true });
    y += 32;
  }
  const top = Math.round(y + (part === 'bare' ? margin : random.int(4, 12)));
  const left = margin;
  drawing.rect({ x: left, y: top, width: table.width, height: table.height }, '#ffffff');
  const truth = table.draw(drawing, left, top);
  y = top + table.height;
  if (sheet.footer.note) {
    drawing.text(sheet.footer.note, left + table.width, y + 18, { ...text, size, align: 'right' });
    y += 32;
  }
  if (part === 'window') {
    y += random.int(0, 120);
    drawing.rect({ x: 0, y, width, height: 24 }, theme.tool, '#bbb', 1);
    drawing.text(`사용자 : ${person(random)}   |   준비   |   ${sheet.lines.length}행`, 10, y + 12, {
      ...text,
      size: 12,
      color: dark ? '#ddd' : '#333',
    });
    y += 24;
  } else y += margin;
  const raster = await drawing.render(width, Math.round(y), part === 'window' ? theme.ground : '#ffffff');
  return {
    raster,
    documentType: 'drug_table',
    table: truth,
    made: {
      ruling: style.ruling,
      font: font.family,
      textPx: size,
      part,
      darkToolbar: dark && part === 'window',
      darkHeader: style.headerColor === '#ffffff',
    },
  };
}

type Theme = (typeof THEMES)[number] | typeof DARK;

function drawTitleBar(
  random: Random,
  drawing: Drawing,
  width: number,
  theme: Theme,
  text: TextStyle,
  title: string,
): number {
  drawing.rect({ x: 0, y: 0, width, height: 30 }, theme.bar);
  const program = random.pick(['통합의료정보', '청구프로그램', '전자차트', 'EDI 청구관리']);
  drawing.text(`${program} - [${title}]`, 10, 15, { ...text, size: 13, color: theme.barText });
  ['×', '□', '－'].forEach((mark, i) => {
    drawing.text(mark, width - 18 - 34 * i, 15, { ...text, size: 14, align: 'center', color: theme.barText });
  });
  return 30;
}

function drawToolBar(
  random: Random,
  drawing: Drawing,
  width: number,
  top: number,
  theme: Theme,
  text: TextStyle,
): number {
  drawing.rect({ x: 0, y: top, width, height: 40 }, theme.tool);
  let x = 8;
  for (const label of random.shuffled(BUTTONS).slice(0, random.int(4, 7))) {
    const buttonWidth = 22 + label.length * 14;
    drawing.rect({ x, y: top + 6, width: buttonWidth, height: 28 }, theme.button, '#a8a8a8', 1);
    drawing.text(label, x + buttonWidth / 2, top + 20, {
      ...text,
      size: 13,
      align: 'center',
      color: theme.barText === '#e8e8e8' ? '#eee' : '#222',
    });
    x += buttonWidth + 5;
  }
  return top + 40;
}

function drawFilters(
  random: Random,
  drawing: Drawing,
  width: number,
  top: number,
  theme: Theme,
  text: TextStyle,
  split: Split,
): number {
  drawing.rect({ x: 0, y: top, width, height: 38 }, theme.ground);
  let x = 12;
  const fields: [string, string][] = [
    ['조회기간', '2026-10-01 ~ 2026-10-31'],
    ['요양기관', hospital(random, split)],
    ['환자명', person(random)],
  ];
  for (const [label, value] of fields.slice(0, random.int(1, 3))) {
    drawing.text(label, x, top + 19, { ...text, size: 13 });
    x += label.length * 13 + 8;
    const boxWidth = Math.max(90, textWidth(value, { ...text, size: 13 }) + 14);
    drawing.rect({ x, y: top + 7, width: boxWidth, height: 24 }, '#ffffff', '#999', 1);
    drawing.text(value, x + 6, top + 19, { ...text, size: 13 });
    x += boxWidth + 16;
  }
  return top + 38;
}
