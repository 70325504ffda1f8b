import { hasMark, secretMark, secretsOf, withoutMarks, withSecrets } from '../engine/secret-marks.ts';
import type { Json, JsonObject } from '../graph/graph.ts';
import { type HiddenText, type NodeEffects, NodeFailed, type NodeResult } from '../run/node-effects.ts';

/** Opens the secrets of a workflow. */
export interface Secrets {
  open(sealed: string, workflow: { readonly workspaceId: string; readonly workflowId: string }): Promise<string>;
}

/**
 * Inserts secrets where a node uses them, and marks them again in its outputs: a run stores and shows only the marks. A secret is found
 * verbatim, and as JSON, addresses and base64 encode it.
 */
export function maskingSecrets(effects: NodeEffects, { open }: Secrets): NodeEffects {
  return {
    async perform(call, surroundings) {
      const declared = secretsOf(call.environment);
      if (declared.length === 0) return effects.perform(call, surroundings);
      const opened = await Promise.all(
        declared.map(async ({ name, sealed }) => [name, sealed === null ? '' : await open(sealed, call.run)] as const),
      );
      const secrets = new Map(opened);
      if (call.node.type === 'sub_workflow') requireNoMarks(call.config);
      const hidden = hiddenTexts(secrets);
      const mask: Mask = (shown) => hidden.reduce((all, each) => all.replaceAll(each.text, each.shown), shown);
      const text = maskedStream(mask, surroundings.text, secrets);
      try {
        const result = await effects.perform(
          {
            ...call,
            config: withSecrets(call.config, secrets),
            inputs: withSecrets(call.inputs, secrets),
            hidden,
          },
          {
            ...surroundings,
            text: text.push,
            progress: (event, payload) =>
              surroundings.progress(event, maskedValue(payload as Json, mask) as typeof payload),
          },
        );
        text.end();
        return { ...result, outputs: maskedValue(withoutMarks(result.outputs), mask) as NodeResult['outputs'] };
      } catch (error) {
        if (!(error instanceof NodeFailed)) throw maskedError(error, mask);
        const { failure, isPassing, cost } = error;
        throw new NodeFailed(failure.code, mask(failure.message), { isPassing, ...(cost && { cost }) });
      }
    },
  };
}

type Mask = (text: string) => string;

/** The run of another workflow would store a secret as an input like any other. */
function requireNoMarks(config: JsonObject): void {
  if (!hasMark(config)) return;
  throw new NodeFailed(
    'secret_not_passed',
    'config.inputs: a secret is not handed to another workflow, whose run would store it. Declare it there as well.',
  );
}

/** An internal error, which is logged. */
function maskedError(error: unknown, mask: Mask): unknown {
  if (!(error instanceof Error)) return error;
  const masked = new Error(mask(error.message));
  masked.name = error.name;
  masked.stack = mask(error.stack ?? '');
  return masked;
}

function hiddenTexts(secrets: ReadonlyMap<string, string>): readonly HiddenText[] {
  const texts = [...secrets].flatMap(([name, value]) =>
    value === ''
      ? []
      : [
          ...new Set([
            value,
            JSON.stringify(value).slice(1, -1),
            encodeURIComponent(value),
            Buffer.from(value).toString('base64'),
            ...withinBase64(value),
          ]),
        ].map((text) => ({ text, shown: secretMark(name) })),
  );
  // The longest first: one secret may be a part of another.
  return texts.sort((a, b) => b.text.length - a.text.length);
}

/** Characters of a text in base64 at any place of a longer encoded text, such as the credentials of a request. */
function withinBase64(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const certain = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    // Fewer characters may occur by chance.
    return certain.length < MIN_BASE64_LENGTH ? [] : [certain];
  });
}

const MIN_BASE64_LENGTH = 8;

function maskedValue(value: Json, mask: Mask): Json {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((each: Json) => maskedValue(each, mask));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([name, each]) => [mask(name), maskedValue(each, mask)]),
    );
  return value;
}

/** A stream of text may break a secret in two: its newest characters wait until they cannot be the start of one. */
function maskedStream(mask: Mask, show: (text: string) => void, secrets: ReadonlyMap<string, string>) {
  const values = [...secrets.values()].filter((value) => value !== '');
  let held = '';
  return {
    push(text: string) {
      const all = mask(held + text);
      const kept = Math.max(0, ...values.map((value) => overlap(all, value)));
      held = all.slice(all.length - kept);
      if (all.length > kept) show(all.slice(0, all.length - kept));
    },
    end() {
      if (held !== '') show(held);
      held = '';
    },
  };
}

/** Characters at the end of a text that a secret starts with. */
function overlap(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length--)
    if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}
