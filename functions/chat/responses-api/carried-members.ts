import { boundedJson } from '../../shared/bounded-json.ts';
import type { AssistantMessage } from '../domain/answer.ts';
import { modelDigest } from '../domain/application.ts';
import type { ModelPart } from '../domain/chat-model.ts';
import { MAX_OPAQUE_LENGTH, type OpaqueMembers, OpaqueSum } from '../domain/opaque-members.ts';

/**
 * Opaque members of an answer in `encrypted_content` of a reasoning item, where clients that keep the conversation themselves return them:
 * items of messages and calls have no place for them.
 */
interface Carried {
  /** Digest of the model that gave them. */
  readonly model: string;
  readonly members: OpaqueMembers;
  /** By the id of the call. */
  readonly calls: Readonly<Record<string, OpaqueMembers>>;
}

/** A message and its calls, each with at most the largest member. */
const MAX_CARRIED_LENGTH = 4 * MAX_OPAQUE_LENGTH;
const PREFIX = 'tripod.';

export class CarriedMembers {
  #model = '';
  readonly #members = new OpaqueSum();
  readonly #calls = new Map<string, OpaqueSum>();
  /** Ids of calls, which only the first fragment has. */
  readonly #ids = new Map<number, string>();

  add(part: ModelPart): void {
    if (part.kind !== 'opaque' && part.kind !== 'tool_calls') return;
    this.#model = part.model ?? this.#model;
    if (part.kind === 'opaque') {
      this.#members.add(part.members);
      return;
    }
    for (const { index, id, opaque } of part.calls) {
      if (id) this.#ids.set(index, id);
      const known = this.#ids.get(index);
      if (!opaque || known === undefined) continue;
      const sum = this.#calls.get(known) ?? new OpaqueSum();
      sum.add(opaque);
      this.#calls.set(known, sum);
    }
  }

  /** @returns null where there is nothing to carry. */
  get text(): string | null {
    const calls = [...this.#calls].flatMap(([id, { members }]) => (members ? [[id, members] as const] : []));
    const { members } = this.#members;
    if (members === null && calls.length === 0) return null;
    const carried: Carried = {
      model: modelDigest(this.#model),
      members: members ?? {},
      calls: Object.fromEntries(calls),
    };
    return PREFIX + Buffer.from(JSON.stringify(carried)).toString('base64url');
  }
}

/** A message with the members that a client has returned; contents of another service are ignored. */
export function withCarried(message: AssistantMessage, text: string): AssistantMessage {
  const carried = carriedIn(text);
  if (carried === null) return message;
  const { model, members, calls } = carried;
  const tool_calls = message.tool_calls?.map((call) => {
    const opaque = Object.hasOwn(calls, call.id) ? calls[call.id] : undefined;
    return opaque ? { ...call, opaque } : call;
  });
  return {
    ...message,
    reasoning_origin: { model },
    ...(Object.keys(members).length > 0 && { opaque: members }),
    ...(tool_calls && { tool_calls }),
  };
}

function carriedIn(text: string): Carried | null {
  if (!text.startsWith(PREFIX) || text.length > 2 * MAX_CARRIED_LENGTH) return null;
  try {
    const { model, members, calls } = boundedJson(
      Buffer.from(text.slice(PREFIX.length), 'base64url').toString(),
    ) as Carried;
    const isSound =
      typeof model === 'string' && isMembers(members) && isMembers(calls) && Object.values(calls).every(isMembers);
    return isSound ? { model, members, calls } : null;
  } catch {
    return null;
  }
}

const isMembers = (value: unknown): value is OpaqueMembers =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
