/** One question to the chatbot, and its answer as a stream. */

export type Failure = 'busy' | 'usedUp' | 'refused' | 'tooLong' | 'failed' | 'offline';

export class AskFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure);
    this.failure = failure;
  }
}

export interface Question {
  /** Of the chat's completions. */
  readonly url: string;
  readonly text: string;
  /** Null: a new conversation starts. */
  readonly session: string | null;
  readonly signal: AbortSignal;
  readonly onSession: (session: string) => void;
  readonly onText: (text: string) => void;
}

/** @throws AskFailed; an AbortError when the signal is aborted. */
export async function ask(question: Question): Promise<void> {
  let response = await send(question, question.session);
  let error = response.ok ? null : await codeOf(response);
  // It has expired, or the token was replaced: the conversation starts anew.
  if (error === 'invalid_session' && question.session !== null) {
    response = await send(question, null);
    error = response.ok ? null : await codeOf(response);
  }
  if (error !== null) throw new AskFailed(failureOf(response.status, error));
  const session = response.headers.get('x-session-id');
  if (session !== null) question.onSession(session);
  await readStream(response, question);
}

async function send({ url, text, signal }: Question, session: string | null): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      credentials: 'omit',
      headers: {
        'content-type': 'application/json',
        'x-session-id': session ?? 'new',
        'x-stream-events': 'none',
        // The next message can be written at once.
        'x-stream-wait': '0',
      },
      body: JSON.stringify({ stream: true, messages: [{ role: 'user', content: text }] }),
      signal,
    });
  } catch {
    signal.throwIfAborted();
    throw new AskFailed('offline');
  }
}

async function codeOf(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { error?: { code?: string } };
    return error?.code ?? '';
  } catch {
    return '';
  }
}

function failureOf(status: number, code: string): Failure {
  if (code === 'budget_used_up') return 'usedUp';
  if (status === 429) return 'busy';
  if (status === 401 || status === 403 || status === 404) return 'refused';
  if (status === 413 || code === 'context_overflow') return 'tooLong';
  return 'failed';
}

async function readStream(response: Response, { onText, signal }: Question): Promise<void> {
  const reader = response.body?.getReader();
  if (reader === undefined) throw new AskFailed('failed');
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      signal.throwIfAborted();
      throw new AskFailed('offline');
    });
    if (done) throw new AskFailed('failed');
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      const data = lines.flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : [])).join('\n');
      if (data === '[DONE]') return;
      if (data === '') continue;
      if (lines.includes('event: error')) {
        const { code = '' } = JSON.parse(data) as { code?: string };
        throw new AskFailed(failureOf(code === 'rate_limit' ? 429 : 500, code));
      }
      const { choices } = JSON.parse(data) as { choices?: { delta?: { content?: string; refusal?: string } }[] };
      const { content, refusal } = choices?.[0]?.delta ?? {};
      if (content || refusal) onText(content || refusal || '');
    }
  }
}
