import { createHash } from 'node:crypto';
import type { ChatMessage, ContentPart } from '../../../chat/domain/messages.ts';
import { type Tool, ToolFailed } from '../../../chat/domain/tools/tool.ts';
import { READ_TABLE, type TableReading, type TableToRead } from '../../../extraction/domain/read-table.ts';
import type { Outcome } from '../../../shared/invoked-function.ts';
import { invokeFunction } from '../../lambda/invoke-function.ts';

/** A function's event has at most 6 MB. */
const MAX_BASE64_LENGTH = 5_500_000;

/** The platform's own extraction of drug tables, of an image of the conversation or at an address. */
export function readDrugTable(name: string): Tool {
  // Of one completion, by their keys: a call that comes while the first one is running gets its reading.
  const readings = new Map<string, Promise<Outcome<TableReading>>>();
  return {
    name,
    description:
      'Reads the table of drugs of a Korean prescription, statement or price sheet: codes, names, quantities, days, prices, ' +
      'each line checked against the drug price list. Takes an image that the user has sent, or the address of one.',
    parameters: {
      type: 'object',
      properties: {
        image: {
          type: 'integer',
          minimum: 1,
          description: 'Number of the image in the conversation; by default the last',
        },
        image_url: { type: 'string', description: 'https address of an image, instead of one of the conversation' },
      },
    },
    async run({ image, image_url: imageUrl }, { workspaceId, applicationId, keyId, requestKey, messages, signal }) {
      const source = typeof imageUrl === 'string' ? { imageUrl } : { image: imageOf(messages, image) };
      // The same image is read, and paid for, once for a request, however often the model or the client asks.
      const idempotencyKey = createHash('sha256')
        .update(JSON.stringify([applicationId, requestKey, source]))
        .digest('hex');
      const event: TableToRead = { workspaceId, keyId, applicationId, idempotencyKey, ...source };
      const reading =
        readings.get(idempotencyKey) ?? invokeFunction<Outcome<TableReading>>({ id: READ_TABLE }, event, signal);
      readings.set(idempotencyKey, reading);
      const outcome = await reading;
      if ('refused' in outcome) throw new ToolFailed('refused', outcome.refused.message);
      const { documentType, foundTable, items, summary, cost } = outcome.result;
      return { text: JSON.stringify({ documentType, foundTable, items, summary, cost }) };
    },
  };
}

/** @returns in base64. @throws ToolFailed */
function imageOf(messages: readonly ChatMessage[], wanted: unknown): string {
  const images = messages.flatMap(({ content }) =>
    Array.isArray(content) ? (content as readonly ContentPart[]).flatMap(dataOf) : [],
  );
  if (images.length === 0)
    throw new ToolFailed('invalid_arguments', 'The conversation has no image. Ask for one, or name an image_url.');
  const number = wanted === undefined || wanted === null ? images.length : Number(wanted);
  const image = images[number - 1];
  if (image === undefined)
    throw new ToolFailed('invalid_arguments', `image must be from 1 to ${images.length}, the number of images sent.`);
  if (image.length > MAX_BASE64_LENGTH)
    throw new ToolFailed('invalid_arguments', 'The image is larger than 4 MB. Ask for a smaller one, or an image_url.');
  return image;
}

function dataOf(part: ContentPart): string[] {
  const url = part.type === 'image_url' ? part.image_url.url : part.type === 'file' ? part.file.file_data : '';
  if (url.startsWith('data:')) return [url.slice(url.indexOf(',') + 1)];
  return part.type === 'file' ? [url] : [];
}
