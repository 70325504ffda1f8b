import { boundedJson } from '../../shared/bounded-json.ts';

/** Errors of model providers, in the forms that servers with OpenAI's API give them. */
export interface SaidError {
  readonly message: string;
  /** Codes, types and statuses, in lower case; those of MiniMax with the prefix `minimax_`, since they are its own numbers. */
  readonly codes: readonly string[];
  /** An HTTP status in the body; null: none. */
  readonly status: number | null;
  /** The pause that the body asks for, in seconds. */
  readonly retryAfterSeconds: number | null;
}

type Members = Readonly<Record<string, unknown>>;

const MESSAGES = ['message', 'msg', 'detail', 'error_msg', 'errorMessage', 'error_description', 'status_msg', 'title'];
const CODES = ['code', 'type', 'status', 'status_code', 'error_code', 'errorCode', 'reason', '__type', 'error'];

/**
 * The error in the place of an answer, or in the middle of one; undefined where there is none. Apart from `error` it is the error of a choice
 * (OpenRouter), `base_resp` (MiniMax), or the whole body: `{"code", "message"}` (SiliconFlow, Qwen), `{"detail"}` (FastAPI),
 * `{"object": "error"}` (vLLM), `{"type": "error"}` (Anthropic), each of them also in a list (Gemini).
 */
export function errorIn(body: unknown): unknown {
  if (Array.isArray(body)) return body.length > 0 ? errorIn(body[0]) : undefined;
  if (!isObject(body)) return undefined;
  const { error, choices, base_resp, usage } = body;
  if (error !== null && error !== undefined && error !== false && error !== '') return body;
  const ofChoice = Array.isArray(choices) && isObject(choices[0]) ? choices[0].error : undefined;
  if (isObject(ofChoice) || (typeof ofChoice === 'string' && ofChoice !== '')) return { error: ofChoice };
  if (isObject(base_resp) && base_resp.status_code !== 0 && base_resp.status_code !== undefined) return body;
  if (Array.isArray(choices)) return undefined;
  const isError =
    body.type === 'error' || body.object === 'error' || (!isObject(usage) && MESSAGES.some((name) => body[name]));
  return isError ? body : undefined;
}

/** The words of an error body of any form. */
export function saidError(body: unknown): SaidError {
  const layers = layersOf(body);
  const messages = layers.flatMap((layer) => MESSAGES.map((name) => textIn(layer[name])).filter((text) => text !== ''));
  const plain = [body, ...layers.map(({ error }) => error)].find((each) => typeof each === 'string' && each !== '');
  const codes = layers.flatMap((layer) =>
    CODES.flatMap((name) => {
      const value = layer[name];
      if (typeof value !== 'string' && typeof value !== 'number') return [];
      return [`${'status_msg' in layer ? 'minimax_' : ''}${value}`.toLowerCase()];
    }),
  );
  return {
    message: [...new Set(messages)].join(': ') || String(plain ?? ''),
    codes: codes.filter((code) => code.length <= 100),
    status: Number(codes.find((code) => /^[45]\d\d$/.test(code)) ?? Number.NaN) || null,
    retryAfterSeconds: retryDelayIn(layers),
  };
}

/** The body, the error inside it, and the error of the provider behind a gateway. */
function layersOf(body: unknown): readonly Members[] {
  const layers: Members[] = [];
  let open: unknown[] = [body];
  for (let depth = 0; depth < 5 && open.length > 0; depth++) {
    const objects = open.flatMap((each) => (Array.isArray(each) ? each.slice(0, 5) : [each])).filter(isObject);
    layers.push(...objects);
    open = objects.flatMap(({ error, errors, base_resp, innererror, metadata, detail, details }) => [
      ...[error, errors, base_resp, innererror, detail, details, isObject(metadata) ? jsonOr(metadata.raw) : undefined],
    ]);
  }
  return layers;
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The error of the provider that OpenRouter quotes. */
function jsonOr(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const parsed: unknown = boundedJson(value);
    return isObject(parsed) || Array.isArray(parsed) ? parsed : { message: value };
  } catch {
    return { message: value };
  }
}

/** Gemini: `{"@type": "…RetryInfo", "retryDelay": "33s"}`. */
function retryDelayIn(layers: readonly Members[]): number | null {
  const delay = layers.map(({ retryDelay }) => retryDelay).find((each) => typeof each === 'string');
  const [, seconds] = /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(String(delay ?? '')) ?? [];
  return seconds === undefined ? null : Number(seconds);
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
