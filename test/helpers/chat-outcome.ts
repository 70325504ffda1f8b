import { chatRefusalOf, complete, completionOf, type Service, stream } from './chat.ts';

/** The two ways to ask for an answer. */
export type Way = 'whole' | 'streamed';

type Members = Readonly<Record<string, unknown>>;

interface OutcomeCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly members: Members;
}

export interface Outcome {
  readonly text: string | null;
  readonly reasoning: string;
  readonly refusal: string | null;
  readonly calls: readonly OutcomeCall[];
  /** Other members of the message; lists of a stream one behind the other. */
  readonly members: Members;
  readonly finish: string | null;
  readonly usage: object | null;
  readonly citations: readonly object[] | null;
  /** Null: it did not fail. With a stream that has started the status is 200 all the same. */
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly status: number;
  readonly headers: Headers;
}

const NOTHING = {
  ...{ text: null, reasoning: '', refusal: null, calls: [], members: {}, finish: null, usage: null, citations: null },
  failure: null,
} as const;

/** The answer to a request, in one form for both ways. */
export async function outcomeOf(
  way: Way,
  service: Service,
  application: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Outcome> {
  if (way === 'whole') return wholeOutcome(await complete(service, application, body, { headers }));
  const asked = { stream_options: { include_usage: true }, ...body };
  try {
    return streamedOutcome(await stream(service, application, asked, { headers }));
  } catch (error) {
    // Refused before it started.
    if (error instanceof Error && error.cause) return wholeOutcome(error.cause as never);
    throw error;
  }
}

function wholeOutcome(answer: Awaited<ReturnType<typeof complete>>): Outcome {
  const { status, headers } = answer;
  if (status !== 200) {
    const { code, message } = chatRefusalOf(answer);
    return { ...NOTHING, failure: { code: code!, message }, status, headers };
  }
  const { choices, usage, citations = null } = completionOf(answer);
  const { message, finish_reason: finish } = choices[0]!;
  return {
    ...{ text: message.content, reasoning: message.reasoning_content ?? '', refusal: message.refusal },
    calls: (message.tool_calls ?? []).map(({ id, function: called, custom, type: _, ...members }) => ({
      ...{ id, name: (called ?? custom)!.name, arguments: called?.arguments ?? custom!.input, members },
    })),
    members: otherMembers(message),
    ...{ finish, usage, citations, failure: null, status, headers },
  };
}

function streamedOutcome({ chunks, failure, status, headers }: Awaited<ReturnType<typeof stream>>): Outcome {
  const calls: (OutcomeCall & { arguments: string; members: object })[] = [];
  const members: Record<string, unknown> = {};
  const sums = { text: '', reasoning: '', refusal: '' };
  let finish: string | null = null;
  for (const { choices } of chunks)
    for (const { delta, finish_reason } of choices) {
      sums.text += delta.content ?? '';
      sums.reasoning += delta.reasoning_content ?? '';
      sums.refusal += delta.refusal ?? '';
      for (const each of (delta.tool_calls ?? []) as Fragment[]) {
        const { index, id = '', function: called, custom, type: _, ...rest } = each;
        const { name = '', arguments: args, input } = { ...called, ...custom };
        calls[index] ??= { id, name, arguments: '', members: {} };
        calls[index].arguments += args ?? input ?? '';
        Object.assign(calls[index].members, rest);
      }
      for (const [name, value] of Object.entries(otherMembers(delta)))
        members[name] = Array.isArray(value) ? [...((members[name] as unknown[]) ?? []), ...value] : value;
      finish = finish_reason ?? finish;
    }
  const last = chunks.at(-1);
  return {
    ...{ ...sums, text: sums.text === '' && (calls.length > 0 || sums.refusal !== '') ? null : sums.text },
    refusal: sums.refusal === '' ? null : sums.refusal,
    ...{
      calls,
      members,
      finish,
      usage: last?.usage ?? null,
      citations: last?.citations ?? null,
      failure,
      status,
      headers,
    },
  };
}

const KNOWN = ['role', 'content', 'refusal', 'reasoning_content', 'tool_calls'];

function otherMembers(message: Members): Members {
  return Object.fromEntries(Object.entries(message).filter(([name]) => !KNOWN.includes(name)));
}

interface Fragment {
  readonly index: number;
  readonly id?: string;
  readonly type?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
  readonly custom?: { readonly name?: string; readonly input?: string };
}
