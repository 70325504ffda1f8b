import { Drawing, type TextStyle } from '../drawing/drawing.ts';
import type { PageImage } from '../drawing/page-image.ts';
import { businessNumber, date, hospital, person, phone } from '../drawing/people.ts';
import type { Font } from '../fonts.ts';
import type { Random } from '../random.ts';
import type { Split } from '../truth.ts';
import { VOCABULARIES } from '../vocabulary.ts';
import { paperPage } from './paper-page.ts';

export async function drawRegistration(random: Random, font: Font, split: Split): Promise<PageImage> {
  const size = random.between(22, 28);
  const width = Math.round(size * 46);
  const drawing = new Drawing();
  const text: TextStyle = { font, size };
  const corporate = random.chance(0.4);
  drawing.rect(
    { x: size * 1.5, y: size * 1.5, width: width - size * 3, height: width * 1.36 - size * 3 },
    'none',
    '#555',
    3,
  );
  let y = size * 5;
  drawing.text('사 업 자 등 록 증', width / 2, y, { ...text, size: size * 2.1, bold: true, align: 'center' });
  y += size * 2.4;
  drawing.text(corporate ? '( 법인사업자 )' : '( 일반과세자 )', width / 2, y, { ...text, align: 'center' });
  y += size * 2.4;
  drawing.text(`등록번호 : ${businessNumber(random)}`, width / 2, y, { ...text, size: size * 1.15, align: 'center' });
  y += size * 3.2;
  const name = `${random.pick(VOCABULARIES[split].makerStems)}${random.pick(['약국', '메디칼', '의료재단', '약품'])}`;
  const lines = [
    `${corporate ? '법인명(단체명)' : '상          호'} : ${name}`,
    `${corporate ? '대    표    자' : '성          명'} : ${person(random)}`,
    `개업 연월일 : ${random.int(1995, 2024)} 년 ${random.int(1, 12)} 월 ${random.int(1, 28)} 일`,
    `사업장 소재지 : 경기도 ${random.pick(['한솔', '새봄', '은행', '큰길'])}시 중앙로 ${random.int(1, 300)}, ${random.int(1, 9)}층`,
    `사업의 종류 : 업태  ${random.pick(['소매업', '보건업', '도매업'])}   종목  ${random.pick(['의약품', '의원', '의료기기'])}`,
    `발 급 사 유 : ${random.pick(['신규', '정정', '재발급'])}`,
  ];
  for (const line of lines) {
    drawing.text(line, size * 4, y, text);
    y += size * 2.3;
  }
  y += size * 3;
  drawing.text(date(random), width / 2, y, { ...text, align: 'center' });
  drawing.text(`${random.pick(['한솔', '새봄', '중앙', '동부'])}세무서장`, width / 2, y + size * 3.4, {
    ...text,
    size: size * 1.5,
    bold: true,
    align: 'center',
  });
  drawing.rect(
    { x: width / 2 + size * 5, y: y + size * 1.8, width: size * 3.4, height: size * 3.4 },
    'none',
    '#d0342c',
    4,
  );
  return paperPage(drawing, width, width * 1.36, 'business_registration', { kind: 'registration', font: font.family });
}

export async function drawLetter(random: Random, font: Font, split: Split): Promise<PageImage> {
  const size = random.between(20, 26);
  const width = Math.round(size * 50);
  const drawing = new Drawing();
  const text: TextStyle = { font, size };
  let y = size * 5;
  drawing.text(random.pick(['안 내 문', '협조 요청', '진 단 서', '공    문']), width / 2, y, {
    ...text,
    size: size * 1.8,
    bold: true,
    align: 'center',
  });
  y += size * 4;
  const sentences = [
    `수신 : ${hospital(random, split)} 원장 귀하`,
    '1. 귀 기관의 무궁한 발전을 기원합니다.',
    `2. ${date(random)} 자로 접수된 요청에 대하여 아래와 같이 안내하여 드립니다.`,
    '3. 제출하신 서류는 확인을 마친 뒤 반송하여 드릴 예정이오니 양해하여 주시기 바랍니다.',
    `4. 문의 사항은 담당자 ${person(random)} (${phone(random)}) 에게 연락하여 주십시오.`,
    '   가. 방문 시간은 오전 9시부터 오후 6시까지입니다.',
    '   나. 점심 시간에는 업무를 보지 않습니다.',
    '끝.',
  ];
  for (const sentence of sentences) {
    drawing.text(sentence, size * 4, y, text);
    y += size * 2.2;
  }
  drawing.text(`${hospital(random, split)}`, width / 2, y + size * 4, {
    ...text,
    size: size * 1.4,
    bold: true,
    align: 'center',
  });
  return paperPage(drawing, width, width * Math.SQRT2, 'other', { kind: 'letter', font: font.family });
}

/** A picture without a document. */
export async function drawLandscape(random: Random): Promise<PageImage> {
  const width = 1400;
  const height = 1000;
  const drawing = new Drawing();
  drawing.rect({ x: 0, y: 0, width, height: height * 0.6 }, random.pick(['#9cc3e6', '#c7d8e8', '#f0c9a0']));
  for (let layer = 0; layer < 4; layer++) {
    const base = height * (0.4 + 0.15 * layer);
    const points = Array.from(
      { length: 13 },
      (_, i) => `${Math.round((i * width) / 12)},${Math.round(base + random.between(-90, 60))}`,
    );
    drawing.add(
      `<polygon points="0,${height} ${points.join(' ')} ${width},${height}" fill="${['#7f9bb0', '#5f8560', '#47703f', '#31522f'][layer]}"/>`,
    );
  }
  drawing.add(`<circle cx="${random.int(200, 1200)}" cy="${random.int(80, 250)}" r="60" fill="#fff6d0"/>`);
  for (let i = 0; i < 25; i++) {
    const x = random.int(0, width);
    const y = random.int(600, 950);
    drawing.add(
      `<ellipse cx="${x}" cy="${y}" rx="${random.int(20, 70)}" ry="${random.int(25, 80)}" fill="#264a26" opacity="0.7"/>`,
    );
  }
  return paperPage(drawing, width, height, 'other', { kind: 'landscape', bare: true });
}

/** An empty sheet, or one turned face down. */
export async function drawBlank(random: Random): Promise<PageImage> {
  const drawing = new Drawing();
  return paperPage(drawing, 1240, 1754, 'other', { kind: 'blank', bare: random.chance(0.5) });
}
