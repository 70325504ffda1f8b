import { ModelFailed, type ModelPart, type ModelRequest } from '../../chat/domain/chat-model.ts';
import { type Document, extractiveAnswer } from '../../chat/domain/embedded-answer.ts';
import type { ContentPart, FilePart } from '../../chat/domain/messages.ts';
import { sourceOf } from '../../chat/domain/retrieve-knowledge.ts';
import { estimateTokens, messageTokens } from '../../chat/domain/tokens.ts';

/** The model that needs no network: it quotes the text files of the conversation and the passages found for it. @throws ModelFailed */
export function* embeddedAnswer(request: ModelRequest): Generator<ModelPart> {
  refuseWhatItCannot(request);
  const { knowledge } = request;
  const passages = (knowledge?.hits ?? []).map(
    (hit): Document => ({
      ...{ title: sourceOf(hit), text: hit.text, termShare: hit.termShare },
    }),
  );
  const documents = [...documentsOf(request), ...passages];
  const answer = extractiveAnswer(request.messages, documents, knowledge?.query);
  // In words, as other models answer.
  for (const text of answer.match(/\S+\s*/g) ?? []) yield { kind: 'text', text };
  const prompt = request.messages.reduce((sum, message) => sum + messageTokens(message), 0);
  const completion = estimateTokens(answer);
  yield { kind: 'finish', reason: 'stop' };
  yield {
    kind: 'usage',
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  };
}

function refuseWhatItCannot({ responseFormat, toolChoice }: ModelRequest): void {
  const wanted =
    responseFormat !== null && responseFormat.type !== 'text'
      ? 'response_format'
      : toolChoice === 'required' || typeof toolChoice === 'object'
        ? toolChoice && 'tool_choice'
        : null;
  if (wanted)
    throw new ModelFailed(
      'invalid_request',
      `${wanted}: the embedded model quotes documents, and makes neither JSON nor tool calls. Connect the application to a language model.`,
    );
}

function documentsOf({ messages }: ModelRequest): Document[] {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as ContentPart[]) : []));
  const files = parts.flatMap((part) => (part.type === 'file' ? [part.file] : []));
  return files.flatMap((file, index): Document[] => {
    const text = fileText(file);
    return text === null ? [] : [{ title: file.filename ?? `file ${index + 1}`, text }];
  });
}

/** @returns null for a file that is not text. */
function fileText({ file_data }: FilePart): string | null {
  const base64 = file_data.slice(file_data.startsWith('data:') ? file_data.indexOf(',') + 1 : 0);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
