import { type Tool, type ToolContext, ToolFailed, type ToolResult } from '../../../chat/domain/tools/tool.ts';
import { CHART_KINDS } from '../../../sandbox/domain/files/chart.ts';
import { type FileToMake, MAKE_FILE, type MadeFile } from '../../../sandbox/domain/make-file.ts';
import type { Outcome } from '../../../shared/invoked-function.ts';
import { invokeFunction } from '../../lambda/invoke-function.ts';

const FILE_NAME = { type: 'string', description: 'Name of the file, for who downloads it' };
const LINKED = 'Returns the address of the file, which is valid for an hour: ';

/** Documents of Word and PDF from Markdown. */
export function documentTool(name: string, kind: 'docx' | 'pdf'): Tool {
  const format = kind === 'docx' ? 'a Word document (.docx)' : 'a PDF document of A4 pages';
  return {
    name,
    description:
      `Makes ${format} of a text in Markdown: headings, lists, tables, links, quotes and code. Pictures are not fetched: ` +
      `the document has their descriptions. HTML is text. ${LINKED}link it in the answer.`,
    parameters: {
      type: 'object',
      properties: {
        markdown: { type: 'string', description: 'The whole text of the document' },
        title: { type: 'string', description: 'Shown at the top, and in the properties of the document' },
        file_name: FILE_NAME,
      },
      required: ['markdown'],
    },
    async run({ markdown, title, file_name: fileName }, context) {
      if (typeof markdown !== 'string') throw new ToolFailed('invalid_arguments', 'markdown must be a text.');
      return made({ work: { kind, markdown, title: textOrNull(title) }, name: textOrNull(fileName) }, context);
    },
  };
}

/** Pictures of charts. */
export function chartTool(name: string): Tool {
  const list = { type: ['array', 'string'] };
  return {
    name,
    description:
      `Draws a chart as an SVG picture. ${LINKED}show it as a Markdown image. ` +
      'A pie or doughnut has one series; the labels of a scatter chart are its x values.',
    parameters: {
      type: 'object',
      properties: {
        kind: { type: 'string', enum: CHART_KINDS, description: 'bar by default' },
        title: { type: 'string' },
        labels: {
          ...list,
          items: { type: 'string' },
          description: 'One for each value, such as ["May", "June"] or "May;June"',
        },
        series: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              values: {
                ...list,
                items: { type: ['number', 'null'] },
                description: 'Such as [1, 2.5, null] or "1;2.5;"',
              },
            },
            required: ['values'],
          },
        },
        stacked: { type: 'boolean', description: 'Bars and areas on top of one another' },
        x_title: { type: 'string' },
        y_title: { type: 'string' },
        file_name: FILE_NAME,
      },
      required: ['series'],
    },
    run: ({ file_name: fileName, ...chart }, context) =>
      made({ work: { kind: 'chart', chart }, name: textOrNull(fileName) }, context),
  };
}

function textOrNull(given: unknown): string | null {
  return typeof given === 'string' && given !== '' ? given : null;
}

async function made(
  file: Pick<FileToMake, 'work' | 'name'>,
  { workspaceId, applicationId, requestKey, signal }: ToolContext,
): Promise<ToolResult> {
  const event: FileToMake = { ...file, workspaceId, onceKey: JSON.stringify([applicationId, requestKey]) };
  const outcome = await invokeFunction<Outcome<MadeFile>>({ id: MAKE_FILE }, event, signal);
  if ('refused' in outcome) {
    const { status, message } = outcome.refused;
    throw new ToolFailed(status === 400 ? 'invalid_arguments' : status === 503 ? 'unavailable' : 'failed', message);
  }
  const { path, size, mediaType, url } = outcome.result;
  return {
    text: `${path} (${mediaType}, ${size} bytes): ${url}`,
    files: [{ name: path, mediaType, size, url }],
  };
}
