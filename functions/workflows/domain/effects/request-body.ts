import { createHash } from 'node:crypto';
import { textField } from '../graph/fields.ts';
import { isFile } from '../graph/files.ts';
import { isObject, type Json } from '../graph/graph.ts';
import { textOf } from '../graph/references.ts';
import { effectKey, type NodeCall, NodeFailed } from '../run/node-effects.ts';
import type { EffectPorts } from './effect-ports.ts';
import { fileOf, readFile } from './read-files.ts';

export interface RequestBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly isMultipart?: true;
}

/** The body of a request, in the form that config.body_type names; null where it has none. @throws NodeFailed */
export async function requestBody(
  call: NodeCall,
  signal: AbortSignal,
  ports: Pick<EffectPorts, 'web'>,
): Promise<RequestBody | null> {
  const { config } = call;
  const body = config.body ?? null;
  if (body === null) return null;
  switch (textField(config, 'body_type') || (typeof body === 'string' ? 'text' : 'json')) {
    case 'text':
      return { bytes: Buffer.from(textOf(body)), contentType: 'text/plain; charset=utf-8' };
    case 'form': {
      const form = new URLSearchParams();
      for (const [name, value] of entriesOf(body)) form.append(name, textOf(value));
      return { bytes: Buffer.from(form.toString()), contentType: 'application/x-www-form-urlencoded' };
    }
    case 'multipart':
      return multipart(body, call, signal, ports);
    case 'binary': {
      const { bytes, mimeType } = await readFile(fileOf(body, 'config.body'), signal, ports);
      return { bytes, contentType: mimeType };
    }
    default:
      // A text is JSON already, as an author has written it.
      return {
        bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
        contentType: 'application/json',
      };
  }
}

function entriesOf(body: Json): readonly (readonly [string, Json])[] {
  if (!isObject(body))
    throw new NodeFailed('invalid_body', 'config.body must be an object with the fields of the form.');
  return Object.entries(body).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as readonly Json[]) : [value]).map((each) => [name, each] as const),
  );
}

/** The boundary is the same for each attempt: receivers may compare what they get under one Idempotency-Key. */
async function multipart(
  body: Json,
  call: NodeCall,
  signal: AbortSignal,
  ports: Pick<EffectPorts, 'web'>,
): Promise<RequestBody> {
  const boundary = `tripod-${createHash('sha256').update(effectKey(call)).digest('hex').slice(0, 32)}`;
  const pieces: Uint8Array[] = [];
  for (const [name, value] of entriesOf(body)) {
    const field = `form-data; name="${headerText(name)}"`;
    if (isFile(value)) {
      const { bytes, mimeType } = await readFile(value, signal, ports);
      const head = `--${boundary}\r\nContent-Disposition: ${field}; filename="${headerText(value.name)}"\r\nContent-Type: ${mimeType}\r\n\r\n`;
      pieces.push(Buffer.from(head), bytes, Buffer.from('\r\n'));
    } else pieces.push(Buffer.from(`--${boundary}\r\nContent-Disposition: ${field}\r\n\r\n${textOf(value)}\r\n`));
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    bytes: Buffer.concat(pieces),
    contentType: `multipart/form-data; boundary=${boundary}`,
    isMultipart: true,
  };
}

function headerText(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
