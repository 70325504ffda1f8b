import { type BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { listsAsTables } from '../../extraction/domain/interpret/lists-as-tables.ts';
import { confirmTables } from '../../extraction/domain/reading/confirm-tables.ts';
import type { ImageDecoder } from '../../extraction/domain/reading/decoded-image.ts';
import { preparePage } from '../../extraction/domain/reading/page/prepare-page.ts';
import type { PageModels } from '../../extraction/domain/reading/page-models.ts';
import type { Raster } from '../../extraction/domain/reading/raster.ts';
import { readPrepared } from '../../extraction/domain/reading/read-prepared.ts';
import type {
  PageReading,
  ReadingService,
  ReadOptions,
  TableReader,
} from '../../extraction/domain/reading/table-reader.ts';
import type { Template } from '../../extraction/domain/reading/template.ts';
import { answerOf, DEFAULT_PROMPT, type ModelAnswer, SYSTEM_PROMPT, toolConfig } from './bedrock-tables.ts';
import { encodePage } from './encode-page.ts';

export interface BedrockReaderParts extends PageModels {
  readonly client: BedrockRuntimeClient;
  /** Id or ARN of a vision model, or of an inference profile. */
  readonly modelId: string;
  readonly decode: ImageDecoder;
  /** Called when only our own recogniser has read a page, with the reason. */
  readonly onUnusableAnswer: (why: string) => void;
  /** Called with an error of Bedrock's for which that happened. */
  readonly onFallback?: (error: unknown) => Promise<void>;
}

/** Limits of a picture in a Converse request. */
const MAX_BYTES = 3.75 * 1024 * 1024;
const MAX_SIDE = 8000;
/** Forty rows of eight cells take about 4,000. */
const MAX_TOKENS = 8192;

const THROTTLED = new Set(['ThrottlingException', 'ServiceQuotaExceededException', 'ServiceUnavailableException']);
/** Failures that only the operator can fix. */
const MISCONFIGURED = new Set(['AccessDeniedException', 'ResourceNotFoundException', 'ValidationException']);
/** The model failed on this page, or was too slow with it, and would again. */
const NO_ANSWER = new Set(['ModelErrorException', 'ModelTimeoutException', 'AbortError', 'TimeoutError']);

const by = (outcome: ReadingService['outcome']) => ({ service: { name: 'bedrock', outcome } }) as const;

/**
 * Reads tables with a vision model on Amazon Bedrock, which reads well and invents as well as it reads: a value counts as
 * read only where our own recogniser finds the same at the same place. Where the model gives nothing that can be used, the
 * page is what our own recogniser makes of it.
 */
export class BedrockReader implements TableReader {
  readonly #parts: BedrockReaderParts;

  constructor(parts: BedrockReaderParts) {
    this.#parts = parts;
  }

  async read(image: Uint8Array, template: Template, { deadlineMs, page }: ReadOptions = {}): Promise<PageReading> {
    const { decode, recogniser, onUnusableAnswer, layouts } = this.#parts;
    const prepared = await preparePage(await decode(image, page), { recogniser, layouts });
    if (!prepared.image.readable) return { ...(await readPrepared(prepared, recogniser)), ...by('not_asked') };
    const [answer, own] = await Promise.all([
      this.#answered(prepared.page, template, deadlineMs),
      readPrepared(prepared, recogniser),
    ]);
    if ('tables' in answer) {
      const tabular = listsAsTables(own, template);
      return { ...tabular, ...by('read'), tables: confirmTables(answer.tables, tabular) };
    }
    onUnusableAnswer(answer.unusable);
    return { ...own, ...by(answer.isThrottled ? 'throttled' : 'failed') };
  }

  /** The answer of the model; an error of the service is one that cannot be used. */
  async #answered(
    page: Raster,
    template: Template,
    deadlineMs?: number,
  ): Promise<ModelAnswer & { readonly isThrottled?: boolean }> {
    try {
      return await this.#ask(page, template, deadlineMs);
    } catch (error) {
      await this.#parts.onFallback?.(error);
      const { name, message } = error as Error;
      return { unusable: `${name}: ${message}`, isThrottled: THROTTLED.has(name) };
    }
  }

  /** @throws Error of the service; one that names the setting where the deployment lacks a right or a setting. */
  async #ask(page: Raster, { prompt = DEFAULT_PROMPT }: Template, deadlineMs?: number): Promise<ModelAnswer> {
    const { client, modelId } = this.#parts;
    const { format, bytes } = await encodePage(page, { maxSide: MAX_SIDE, maxBytes: MAX_BYTES });
    const command = new ConverseCommand({
      modelId,
      system: [{ text: SYSTEM_PROMPT }],
      messages: [{ role: 'user', content: [{ image: { format, source: { bytes } } }, { text: prompt }] }],
      inferenceConfig: { maxTokens: MAX_TOKENS, temperature: 0 },
      toolConfig,
    });
    const signal = deadlineMs === undefined ? null : AbortSignal.timeout(Math.max(0, deadlineMs - Date.now()));
    try {
      return answerOf(await client.send(command, signal ? { abortSignal: signal } : {}));
    } catch (error) {
      return this.#failed(error as Error);
    }
  }

  #failed(error: Error): ModelAnswer {
    const { name, message } = error;
    if (MISCONFIGURED.has(name))
      throw new Error(
        `Amazon Bedrock refuses the model ${this.#parts.modelId} (${name}: ${message}). Check that it is enabled for this account and region, takes pictures and tools, and that -c bedrockModel names it rightly.`,
        { cause: error },
      );
    if (NO_ANSWER.has(name)) return { unusable: `there was none (${name}: ${message})` };
    throw error;
  }
}
