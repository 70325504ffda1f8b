import type { Item, JudgedPage } from '../functions/extraction/domain/extraction.ts';
import { FINDINGS_IN_KOREAN, LIGHTS } from './lights.ts';
import type { TextSpan } from './text-block.ts';

const INK = '#1f2937';
const FAINT = '#6b7280';

/** Notes on one line, in Korean and English. */
export function notesOf(item: Item): readonly TextSpan[] {
  const { colour, mark, korean } = LIGHTS[item.status];
  const title = [item.drugCode ?? '—', item.drugName ?? ''].join(' ').trim();
  const suggested = item.suggestedDrugCode === null ? [] : [`제안 코드 · suggested code ${item.suggestedDrugCode}`];
  return [
    { text: `${mark} ${korean} ${item.status}  ${title}`, colour },
    ...item.review.map((note) => ({ text: bilingual(note), colour: INK })),
    ...suggested.map((text) => ({ text, colour: FAINT })),
  ];
}

/** Notes on the page as a whole. */
export function headlineOf({ documentType, foundTable, summary, geometry, meta }: JudgedPage): readonly TextSpan[] {
  const { green, yellow, red } = summary.byStatus;
  const complete = {
    true: '전체 판독 · complete',
    false: '누락 있음 · incomplete',
    null: '누락 여부 불명 · completeness unknown',
  };
  const issues = meta.imageIssues.length === 0 ? '' : `  ${meta.imageIssues.join(', ')}`;
  const crop = geometry.crop === null ? '' : `  crop ${geometry.crop.score?.toFixed(2) ?? ''}`;
  return [
    {
      text: `${documentType} · ${meta.documentKind}  ${foundTable ? `${summary.items} lines` : 'no drug table'}${issues}`,
      colour: INK,
    },
    ...(foundTable
      ? [
          {
            text: `확인됨 GREEN ${green}   확인 필요 YELLOW ${yellow}   오류 RED ${red}   ${complete[`${summary.completeExtraction}`]}`,
            colour: INK,
          },
        ]
      : []),
    { text: `rotation ${geometry.rotation}°${crop}`, colour: FAINT },
  ];
}

/** `price_mismatch: unit price 118 is not 112` with its kind in Korean before it. */
function bilingual(note: string): string {
  const [code, text] = [note.slice(0, note.indexOf(':')), note.slice(note.indexOf(':') + 1).trim()];
  const korean = code in FINDINGS_IN_KOREAN ? FINDINGS_IN_KOREAN[code as keyof typeof FINDINGS_IN_KOREAN] : code;
  return `${korean} · ${text}`;
}
