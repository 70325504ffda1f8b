import { readFile } from 'node:fs/promises';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { threadedSegmentMaker } from '../../../functions/adapters/knowledge/segment-thread.ts';
import { type DocumentType, DocumentUnreadable } from '../../../functions/knowledge/domain/knowledge-base.ts';
import { doc } from '../../helpers/doc.ts';
import { hwp, hwpParagraph, hwpTable } from '../../helpers/hwp.ts';
import { Finding } from '../finding.ts';
import { mutated } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';

/** The first byte of an input says its type. */
const TYPES = [
  ...(['docx', 'pptx', 'xlsx', 'epub', 'eml', 'csv', 'json', 'html'] as const),
  ...(['hwp', 'hwpx', 'odt', 'rtf', 'doc'] as const),
] as const satisfies DocumentType[];
const ARCHIVES = ['docx', 'pptx', 'xlsx', 'epub', 'hwpx', 'odt'] as const;
/** Inputs are a few kilobytes: a reader that takes so long for them does not come to an end. */
const LIMITS = { seconds: 20, heapMb: 256 };

const MAIL = [
  'Subject: =?euc-kr?B?yK+60g==?=',
  'From: Kim <kim@example.com>',
  'Date: Fri, 27 Nov 2026 09:00:00 +0900',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: multipart/alternative; boundary="y"',
  '',
  '--y',
  'Content-Type: text/html; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<p>=ED=99=98=EB=B6=88</p>',
  '--y--',
  '--x',
  "Content-Type: application/pdf; name*=UTF-8''%EA%B0%80.pdf",
  'Content-Transfer-Encoding: base64',
  '',
  'JVBERi0=',
  '--x--',
  '',
].join('\r\n');

const BOOK = {
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
  'OPS/book.opf':
    '<package><manifest><item id="a" href="one.xhtml"/><item id="b" href="two%20b.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
  'OPS/one.xhtml':
    '<html><body><h1>One</h1><p>first<br/>line</p><table><tr><td>a</td><td>b</td></tr></table></body></html>',
  'OPS/two b.xhtml': '<html><body><h2>Two</h2><ul><li>second</li></ul></body></html>',
};

const HWPX = {
  'Contents/header.xml': '<hh:head><hh:paraPr id="7"><hh:heading type="OUTLINE" level="0"/></hh:paraPr></hh:head>',
  'Contents/section0.xml':
    '<hs:sec><hp:p paraPrIDRef="7"><hp:run><hp:t>환불<hp:tab/></hp:t><hp:tbl rowCnt="1" colCnt="2"><hp:tr><hp:tc><hp:p><hp:run><hp:t>3</hp:t></hp:run></hp:p></hp:tc></hp:tr></hp:tbl></hp:run></hp:p></hs:sec>',
  'META-INF/manifest.xml': '<odf:manifest/>',
};

const ODT = {
  'content.xml':
    '<c><style:style style:name="T"><style:text-properties text:display="none"/></style:style><office:text><text:h text:outline-level="1">환불</text:h><text:p>7일<text:span text:style-name="T">x</text:span></text:p><table:table><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row></table:table></office:text></c>',
};

const TEXTS: Readonly<Record<Exclude<(typeof TYPES)[number], (typeof ARCHIVES)[number]>, string | Buffer>> = {
  eml: MAIL,
  csv: '도시,요금\n"서울, 강남",3000\n부산;3500\t"x""y"\n',
  json: '[{"name":"가게","open":{"monday":["9-18",null,1e9]}},{"a":"\\ud800"}]\n{"b":true}\n',
  html: '<title>t</title><nav>n</nav><h1>환불</h1><p>7일 <b>안에</b><!-- c --><script>x</script><table><tr><td>1</table>',
  rtf: "{\\rtf1\\ansicpg949{\\fonttbl{\\f0\\fcharset129 x;}}{\\stylesheet{\\s1\\outlinelevel0 h;}}\\pard\\s1 \\'c8\\'af\\par\\pard \\u54872?{\\v x}\\trowd a\\cell\\row{\\footnote n}\\bin2 {}}",
  hwp: hwp([Buffer.concat([hwpParagraph('환불', { form: 1 }), hwpTable([['지역', '요금']])])], { flags: 0 }),
  doc: doc([
    { text: '환불', style: 1 },
    { text: '7일', hidden: 'x' },
    { text: 'a', isInTable: true, isEndOfRow: true },
  ]),
};

/** Damaged files for knowledge bases, each read as the worker reads it. */
export const documents: FuzzTarget = {
  name: 'documents',
  async start() {
    const fixture = async (name: string) =>
      unzipSync(await readFile(new URL(`../../fixtures/documents/${name}`, import.meta.url)));
    const archives = {
      docx: await fixture('refunds.docx'),
      pptx: await fixture('quarter.pptx'),
      xlsx: await fixture('prices.xlsx'),
      ...{ epub: entriesOf(BOOK), hwpx: entriesOf(HWPX), odt: entriesOf(ODT) },
    };
    const maker = threadedSegmentMaker(LIMITS);
    return {
      async input(random) {
        const type = random.pick([...TYPES]);
        const first = Buffer.of(TYPES.indexOf(type));
        if (!isArchive(type)) return Buffer.concat([first, mutated(Buffer.from(TEXTS[type] as string), random)]);
        // Readers trip over packed content: damage to the archive itself seldom gets past its checksums.
        const damaged = Object.entries(archives[type]).map(([name, bytes]) => {
          const isText = /\.(xml|rels|opf|xhtml)$/.test(name);
          return [name, isText && random.chance(0.4) ? mutated(Buffer.from(bytes), random) : bytes] as const;
        });
        const archive = Buffer.from(zipSync(Object.fromEntries(damaged), { level: 1 }));
        return Buffer.concat([first, random.chance(0.2) ? mutated(archive, random) : archive]);
      },
      async attempt(input) {
        const type = TYPES[(input[0] ?? 0) % TYPES.length]!;
        try {
          await maker.read(input.subarray(1), type, { documentId: 'd', title: 'T' }, { tenant: 'ws' });
        } catch (error) {
          if (!(error instanceof DocumentUnreadable))
            throw new Finding(`The ${type} was not refused, but failed: ${String(error)}`);
          if (error.code === 'took_too_long') throw new Finding(`Reading the ${type} came to no end: ${error.message}`);
        }
      },
    };
  },
};

function entriesOf(texts: Readonly<Record<string, string>>): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, strToU8(text)]));
}

function isArchive(type: (typeof TYPES)[number]): type is (typeof ARCHIVES)[number] {
  return (ARCHIVES as readonly string[]).includes(type);
}
