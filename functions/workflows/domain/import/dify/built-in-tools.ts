import type { BuiltInTool } from '../../../../chat/domain/tools/tool-config.ts';
import type { Json, JsonObject } from '../../graph/graph.ts';
import { noted } from '../note-texts.ts';
import type { Conversion, Converted } from './conversion.ts';

interface Counterpart {
  readonly provider: RegExp;
  /** Name of the tool in the file. */
  readonly name: string;
  readonly tool: BuiltInTool;
  /** Parameters that the counterpart has. */
  readonly known: readonly string[];
  readonly arguments: (given: JsonObject) => JsonObject;
}

const EXPORTER = { provider: /(?:^|\/)md_exporter$/, known: ['md_text', 'output_filename'] } as const;
const ofExporter = ({ md_text, output_filename }: JsonObject) =>
  present({ markdown: md_text, file_name: output_filename });
const ofChart =
  (kind: string) =>
  ({ title, x_axis, categories, data }: JsonObject) =>
    present({ kind, title, labels: categories ?? x_axis, series: [{ values: data ?? '' }] });
const CHARTS = {
  provider: /(?:^|\/)e?charts?$/,
  tool: 'chart',
  known: ['title', 'x_axis', 'categories', 'data'],
} as const;

const COUNTERPARTS: readonly Counterpart[] = [
  { ...EXPORTER, name: 'md_to_docx', tool: 'markdown_to_docx', arguments: ofExporter },
  { ...EXPORTER, name: 'md_to_pdf', tool: 'markdown_to_pdf', arguments: ofExporter },
  {
    provider: /^stvlynn\/doc(?:\/|$)/,
    name: 'markdown_to_docx_converter',
    tool: 'markdown_to_docx',
    known: ['markdown_content', 'title'],
    arguments: ({ markdown_content, title }) => present({ markdown: markdown_content, title }),
  },
  ...['bar', 'line', 'pie'].map((kind) => ({ ...CHARTS, name: `${kind}_chart`, arguments: ofChart(kind) })),
];

/** A plugin's tool that the platform has, too: the node runs without a plugin and without an application. */
export function builtInTool(
  { tool: name, provider, arguments: given }: { tool: string; provider: string; arguments: JsonObject },
  { note }: Pick<Conversion, 'note'>,
): Converted | null {
  const found = COUNTERPARTS.find((each) => each.name === name && each.provider.test(provider));
  if (found === undefined) return null;
  const left = Object.keys(given).filter((key) => !found.known.includes(key) && !isOff(given[key]));
  if (left.length > 0) note('changed', noted('parameters_left_out', { names: left.join(', '), tool: found.tool }));
  if (/echarts?$/.test(provider)) note('changed', noted('chart_file'));
  return { type: 'tool', config: { tool: found.tool, arguments: found.arguments(given) } };
}

const isOff = (value: Json | undefined) => value === false || value === 'false' || value === 0;

function present(values: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}
