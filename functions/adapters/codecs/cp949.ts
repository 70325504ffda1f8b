const KS_X_1001_HANGUL = { firstRow: 0xb0, lastRow: 0xc8, firstCell: 0xa1, lastCell: 0xfe };
const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;

/**
 * Decodes CP949, the Korean code page of Windows. Node's `euc-kr` decoder knows only the 2,350 syllables of KS X 1001 and
 * tears the other 8,822 apart, although the label stands for the whole code page on the web.
 */
export function decodeCp949(bytes: Uint8Array): string {
  const eucKr = new TextDecoder('euc-kr');
  let text = '';
  let start = 0;
  for (let i = 0; i < bytes.length; i++) {
    const lead = bytes[i]!;
    if (lead < 0x81) continue;
    const syllable = extension().get((lead << 8) | (bytes[i + 1] ?? 0));
    if (syllable !== undefined) {
      text += eucKr.decode(bytes.subarray(start, i)) + syllable;
      start = i + 2;
    }
    i++;
  }
  return text + eucKr.decode(bytes.subarray(start));
}

let extensionTable: ReadonlyMap<number, string> | null = null;

/** The syllables outside KS X 1001 fill, in the order of Unicode, the two-byte codes that EUC-KR leaves free. */
function extension(): ReadonlyMap<number, string> {
  if (extensionTable) return extensionTable;
  const standard = new Set(ksX1001Hangul());
  const codes = freeCodes();
  const table = new Map<number, string>();
  for (let unit = FIRST_SYLLABLE; unit <= LAST_SYLLABLE; unit++) {
    const syllable = String.fromCharCode(unit);
    if (!standard.has(syllable)) table.set(codes.next().value as number, syllable);
  }
  extensionTable = table;
  return table;
}

function ksX1001Hangul(): string {
  const { firstRow, lastRow, firstCell, lastCell } = KS_X_1001_HANGUL;
  const bytes: number[] = [];
  for (let row = firstRow; row <= lastRow; row++)
    for (let cell = firstCell; cell <= lastCell; cell++) bytes.push(row, cell);
  return new TextDecoder('euc-kr').decode(Uint8Array.from(bytes));
}

function* freeCodes(): Generator<number> {
  for (let lead = 0x81; lead <= 0xc6; lead++) {
    // From 0xA1 on, trail bytes of 0xA1 and more belong to KS X 1001.
    const lastTrail = lead < 0xa1 ? 0xfe : 0xa0;
    for (let trail = 0x41; trail <= lastTrail; trail++) {
      const isLetterOrHigh = trail <= 0x5a || (trail >= 0x61 && trail <= 0x7a) || trail >= 0x81;
      if (isLetterOrHigh) yield (lead << 8) | trail;
    }
  }
}
