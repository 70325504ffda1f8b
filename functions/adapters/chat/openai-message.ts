import * as z from 'zod';
import {
  type Annotation,
  type Attachments,
  ModelFailed,
  type ModelPart,
  type ToolCallDelta,
} from '../../chat/domain/chat-model.ts';
import { opaqueMembersOf } from '../../chat/domain/opaque-members.ts';
import type { CallDelta, SaidMessage } from './openai-chunk.ts';
import { garbage } from './provider-failures.ts';

/** The parts of a message, or of a piece of one. */
export function* partsOfMessage(said: Partial<SaidMessage>, logprobs: object | undefined): Generator<ModelPart> {
  const { content, refusal, reasoning_content, reasoning, tool_calls, function_call, audio } = said;
  if (audio !== null && audio !== undefined) throw notUnderstood('audio');
  const members = opaqueMembersOf(said);
  if (members) yield { kind: 'opaque', members };
  const thought = reasoning_content ?? reasoning;
  if (thought) yield { kind: 'reasoning', text: thought };
  const parts = [...partsOfContent(content)];
  if (logprobs && parts.length === 0) parts.push({ kind: 'text', text: '' });
  for (const [index, part] of parts.entries())
    yield part.kind === 'text' && logprobs && index === parts.length - 1 ? { ...part, logprobs } : part;
  if (refusal) yield { kind: 'refusal', text: refusal };
  const attached = attachmentsOf(said);
  if (attached) yield { kind: 'attachments', members: attached };
  if (tool_calls && tool_calls.length > 0) yield { kind: 'tool_calls', calls: tool_calls.map(toDelta) };
  if (function_call) yield { kind: 'tool_calls', calls: [toDelta({ function: function_call }, 0)] };
}

/** A text, one part, or several. */
function* partsOfContent(content: unknown): Generator<ModelPart> {
  if (content === null || content === undefined || content === '') return;
  if (typeof content === 'string') yield { kind: 'text', text: content };
  else if (Array.isArray(content)) for (const part of content) yield* partsOfContent(part);
  else yield* partOfObject(contentPart(content));
}

const anyText = z.union([
  z.string(),
  z.array(z.object({ text: z.string() })).transform((parts) => parts.map(({ text }) => text).join('')),
]);
const contentPartSchema = z.looseObject({
  type: z.string().default('text'),
  text: anyText.nullish(),
  refusal: z.string().nullish(),
  thinking: anyText.nullish(),
  reasoning: anyText.nullish(),
});

function contentPart(content: unknown): z.output<typeof contentPartSchema> {
  const { data, error } = contentPartSchema.safeParse(content);
  if (error) throw garbage(error);
  return data;
}

function* partOfObject({ type, ...part }: z.output<typeof contentPartSchema>): Generator<ModelPart> {
  switch (type) {
    case 'text':
    case 'output_text': {
      if (part.text === undefined || part.text === null) throw notUnderstood(type);
      if (part.text !== '') yield { kind: 'text', text: part.text };
      return;
    }
    case 'thinking':
    case 'reasoning': {
      const text = part.thinking ?? part.reasoning ?? part.text;
      if (text) yield { kind: 'reasoning', text };
      return;
    }
    case 'refusal':
      if (part.refusal) yield { kind: 'refusal', text: part.refusal };
      return;
    case 'image_url':
      yield { kind: 'attachments', members: { images: [shownImage({ type, ...part })] } };
      return;
    // Places that the text before it comes from.
    case 'reference':
      return;
    default:
      throw notUnderstood(type);
  }
}

function notUnderstood(type: string): ModelFailed {
  const shown = JSON.stringify(type.slice(0, 50));
  return new ModelFailed(
    'provider_error',
    `The model provider answered with content of the type ${shown}, which is not supported.`,
  );
}

function attachmentsOf({ images, annotations }: Partial<SaidMessage>): Attachments | null {
  const shown = (images ?? []).map(shownImage);
  const cited = (annotations ?? []).flatMap(shownAnnotation);
  if (shown.length === 0 && cited.length === 0) return null;
  return { ...(shown.length > 0 && { images: shown }), ...(cited.length > 0 && { annotations: cited }) };
}

const WEB = /^https?:\/\//i;
const picture = z.object({ image_url: z.union([z.string(), z.object({ url: z.string() })]) });

/** @throws ModelFailed for a picture that clients must not open: an answer without it would pass for a whole one. */
function shownImage(sent: unknown): NonNullable<Attachments['images']>[number] {
  const { data } = picture.safeParse(sent);
  const url = typeof data?.image_url === 'string' ? data.image_url : data?.image_url.url;
  if (
    url === undefined ||
    !(WEB.test(url) || /^data:image\/(png|jpe?g|gif|webp);base64,/i.test(url)) ||
    !URL.canParse(url)
  )
    throw notUnderstood('image_url');
  return { type: 'image_url', image_url: { url } };
}

const place = z.int().nonnegative().catch(0);
const citedSource = z.object({ url: z.string(), title: z.string().catch(''), start_index: place, end_index: place });

/** Sources on the web, in the one form that strict clients know; others are left out, as are addresses that run a script. */
function shownAnnotation(sent: unknown): readonly Annotation[] {
  const { url_citation, ...flat } = Object(sent) as Record<string, unknown>;
  if (flat.type !== 'url_citation') return [];
  const { data } = citedSource.safeParse(url_citation ?? flat);
  return data ? annotationsOf([data]) : [];
}

export function annotationsOf(
  sources: readonly { url: string; title?: string | null | undefined; start_index?: number; end_index?: number }[],
): readonly Annotation[] {
  return sources
    .filter(({ url }) => WEB.test(url) && URL.canParse(url))
    .map(({ url, title, start_index = 0, end_index = 0 }) => ({
      type: 'url_citation',
      url_citation: { url, title: title || url, start_index, end_index },
    }));
}

/** Without the members that are null: clients take a null id or name for a new one. */
function toDelta(
  { index, id, type, function: called, custom, ...rest }: Partial<CallDelta>,
  position: number,
): ToolCallDelta {
  const opaque = opaqueMembersOf(rest);
  return {
    // A server that gives none sends whole calls.
    index: index ?? position,
    ...(id && { id }),
    ...(type && { type }),
    ...(called && {
      function: { ...(called.name && { name: called.name }), ...(called.arguments && { arguments: called.arguments }) },
    }),
    ...(custom && {
      custom: { ...(custom.name && { name: custom.name }), ...(custom.input && { input: custom.input }) },
    }),
    ...(opaque && { opaque }),
  };
}
