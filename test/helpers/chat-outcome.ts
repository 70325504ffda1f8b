import { chatRefusalOf, complete, completionOf, type Service, stream } from './chat.ts';

/** The two ways to ask for an answer. */
export type Way = 'whole' | 'streamed';

export interface Outcome {
  readonly text: string | null;
  readonly reasoning: string;
  readonly refusal: string | null;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly finish: string | null;
  readonly usage: object | null;
  readonly citations: readonly object[] | null;
  /** Null: it did not fail. With a stream that has begun the status is 200 all the same. */
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly status: number;
  readonly headers: Headers;
}

const NOTHING = {
  ...{ text: null, reasoning: '', refusal: null, calls: [], finish: null, usage: null, citations: null },
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
    // Refused before it began.
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
    calls: (message.tool_calls ?? []).map(({ id, function: called, custom }) => ({
      ...{ id, name: (called ?? custom)!.name, arguments: called?.arguments ?? custom!.input },
    })),
    ...{ finish, usage, citations, failure: null, status, headers },
  };
}

function streamedOutcome({ chunks, failure, status, headers }: Awaited<ReturnType<typeof stream>>): Outcome {
  const calls: { id: string; name: string; arguments: string }[] = [];
  const sums = { text: '', reasoning: '', refusal: '' };
  let finish: string | null = null;
  for (const { choices } of chunks)
    for (const { delta, finish_reason } of choices) {
      sums.text += delta.content ?? '';
      sums.reasoning += delta.reasoning_content ?? '';
      sums.refusal += delta.refusal ?? '';
      for (const each of (delta.tool_calls ?? []) as Fragment[]) {
        const { name, arguments: args, input } = { ...each.function, ...each.custom };
        calls[each.index] ??= { id: each.id ?? '', name: name ?? '', arguments: '' };
        calls[each.index]!.arguments += args ?? input ?? '';
      }
      finish = finish_reason ?? finish;
    }
  const last = chunks.at(-1);
  return {
    ...{ ...sums, text: sums.text === '' && (calls.length > 0 || sums.refusal !== '') ? null : sums.text },
    refusal: sums.refusal === '' ? null : sums.refusal,
    ...{ calls, finish, usage: last?.usage ?? null, citations: last?.citations ?? null, failure, status, headers },
  };
}

interface Fragment {
  readonly index: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
  readonly custom?: { readonly name?: string; readonly input?: string };
}
