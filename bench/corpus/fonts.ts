import { execFileSync } from 'node:child_process';
import { FontFile } from './font-file.ts';
import type { Split } from './truth.ts';

/**
 * The families of each split, with the Debian package that brings them. They are disjoint: figures on the untuned split
 * come from letter shapes on which nothing was tuned. Keep the untuned ones out of every training set.
 */
const FAMILIES: Readonly<Record<Split, Readonly<Record<string, string>>>> = {
  tuned: {
    NanumGothic: 'fonts-nanum',
    NanumMyeongjo: 'fonts-nanum',
    UnDotum: 'fonts-unfonts-core',
    'Baekmuk Dotum': 'fonts-baekmuk',
    LexiGulim: 'fonts-lexi-gulim',
    NanumSquare: 'fonts-nanum-extra',
    'Baekmuk Batang': 'fonts-baekmuk',
    NanumGothicCoding: 'fonts-nanum',
  },
  untuned: {
    'Noto Sans CJK KR': 'fonts-noto-cjk',
    NanumBarunGothic: 'fonts-nanum-extra',
    'Baekmuk Gulim': 'fonts-baekmuk',
    UnBatang: 'fonts-unfonts-core',
    'Noto Serif CJK KR': 'fonts-noto-cjk',
    D2Coding: 'fonts-naver-d2coding',
  },
};

export interface Font {
  readonly family: string;
  readonly metrics: FontFile;
  /** Null when the family has no bold face: headers are then thickened with a thin stroke. */
  readonly bold: FontFile | null;
}

/** Sans-serif families look like a program's window; the others are print only. */
export function suitsScreens(font: Font): boolean {
  return !/Batang|Myeongjo|Serif/.test(font.family);
}

/** @throws Error that names the missing Debian packages. */
export function fontsOf(split: Split): readonly Font[] {
  const installed = installedFaces();
  const missing = new Set<string>();
  const fonts: Font[] = [];
  for (const [family, debianPackage] of Object.entries(FAMILIES[split])) {
    const regular = installed.get(`${family}|Regular`);
    const bold = installed.get(`${family}|Bold`);
    if (regular) fonts.push({ family, metrics: regular(), bold: bold ? bold() : null });
    else missing.add(debianPackage);
  }
  if (missing.size > 0) throw new Error(fontHelp(`The fonts of the ${split} split are not installed.`, missing));
  return fonts;
}

function installedFaces(): Map<string, () => FontFile> {
  const faces = new Map<string, () => FontFile>();
  for (const line of fontList().split('\n')) {
    const [file, index, family, style] = line.split('\t');
    if (!file || !family || !style) continue;
    // The higher half of the index numbers named instances of variable fonts.
    const face = Number(index) & 0xffff;
    for (const name of style.split(',')) faces.set(`${family}|${name}`, () => new FontFile(file, face));
  }
  return faces;
}

function fontList(): string {
  const format = '%{file}\t%{index}\t%{family[0]}\t%{style[0]}\n';
  try {
    return execFileSync('fc-list', ['-f', format], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (cause) {
    const all = new Set(Object.values(FAMILIES).flatMap((families) => Object.values(families)));
    throw new Error(fontHelp('The program fc-list could not be run.', new Set(['fontconfig', ...all])), { cause });
  }
}

function fontHelp(problem: string, packages: ReadonlySet<string>): string {
  return `${problem} Rendering the corpus needs them; on Debian or Ubuntu: sudo apt-get install ${[...packages].sort().join(' ')}`;
}
