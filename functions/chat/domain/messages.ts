import type { OpaqueMembers } from './opaque-members.ts';

/** Messages in the form of OpenAI's chat completions, which is also what most providers speak. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'refusal'; readonly refusal: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string; readonly detail?: string | undefined } }
  | { readonly type: 'input_audio'; readonly input_audio: { readonly data: string; readonly format: string } }
  | { readonly type: 'file'; readonly file: FilePart };

export interface FilePart {
  /** A data: URL, or plain base64. */
  readonly file_data: string;
  readonly filename?: string | undefined;
}

export type Content = string | readonly ContentPart[];

export interface ToolCall {
  readonly id: string;
  readonly type: 'function' | 'custom';
  readonly function?: { readonly name: string; readonly arguments: string } | undefined;
  readonly custom?: { readonly name: string; readonly input: string } | undefined;
  /** For the model that gave the call only, as the message's reasoning. */
  readonly opaque?: OpaqueMembers | undefined;
}

export interface SignedReasoning {
  readonly text: string;
  readonly signature: string;
}

export interface ReasoningOrigin {
  /** Identity of the model that gave the reasoning and the opaque members. */
  readonly model: string;
  /** The parts of the reasoning that the provider has signed: it takes them back with their signatures only. */
  readonly signed?: readonly SignedReasoning[] | undefined;
}

export type ChatMessage =
  | { readonly role: 'system' | 'developer' | 'user'; readonly content: Content; readonly name?: string | undefined }
  | {
      readonly role: 'assistant';
      readonly content?: Content | null | undefined;
      readonly refusal?: string | null | undefined;
      readonly name?: string | undefined;
      readonly tool_calls?: readonly ToolCall[] | undefined;
      /** Reasoning of a thinking model before it, for the same model only. */
      readonly reasoning_content?: string | undefined;
      readonly opaque?: OpaqueMembers | undefined;
      /** Absent where a client brings the reasoning and the opaque members back. */
      readonly reasoning_origin?: ReasoningOrigin | undefined;
    }
  | { readonly role: 'tool'; readonly content: Content; readonly tool_call_id: string };

/** The text of a message, without its images and files. */
export function textOf({ content }: Pick<ChatMessage, 'content'>): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Messages whose https images are data: URLs. @param fetchImage gives the data: URL of an image's address. */
export function withInlineImages(
  messages: readonly ChatMessage[],
  fetchImage: (url: string) => Promise<string>,
): Promise<readonly ChatMessage[]> {
  const inlinePart = async (part: ContentPart): Promise<ContentPart> => {
    if (part.type !== 'image_url' || part.image_url.url.startsWith('data:')) return part;
    return { ...part, image_url: { ...part.image_url, url: await fetchImage(part.image_url.url) } };
  };
  return Promise.all(
    messages.map(async (message) => {
      if (!Array.isArray(message.content)) return message;
      return { ...message, content: await Promise.all(message.content.map(inlinePart)) } as ChatMessage;
    }),
  );
}

/** Addresses of images that are not in the messages themselves. */
export function imageAddresses(messages: readonly ChatMessage[]): readonly string[] {
  return messages.flatMap(({ content }) => {
    if (!Array.isArray(content)) return [];
    return (content as readonly ContentPart[]).flatMap((part) =>
      part.type === 'image_url' && !part.image_url.url.startsWith('data:') ? [part.image_url.url] : [],
    );
  });
}
