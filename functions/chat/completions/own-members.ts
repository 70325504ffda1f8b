import type { CompletionPart } from '../domain/complete.ts';

/**
 * Parts without the opaque members of other models than the given one. Clients bring them back without their origin, so that those of a
 * fallback would go to the wrong model; sessions keep them.
 */
export async function* withOwnMembers(
  parts: AsyncIterable<CompletionPart>,
  model: string,
): AsyncGenerator<CompletionPart> {
  for await (const part of parts)
    if ((part.kind !== 'opaque' && part.kind !== 'tool_calls') || (part.model ?? model) === model) yield part;
    else if (part.kind === 'tool_calls')
      yield { kind: 'tool_calls', calls: part.calls.map(({ opaque: _, ...call }) => call) };
}
