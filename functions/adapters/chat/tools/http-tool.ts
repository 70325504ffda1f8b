import { requestOf } from '../../../chat/domain/tools/openapi-operation.ts';
import { type Tool, ToolFailed, type ToolResult } from '../../../chat/domain/tools/tool.ts';
import type { HttpToolConfig } from '../../../chat/domain/tools/tool-config.ts';
import { FetchRefused } from '../../web/fetch-refused.ts';
import type { SafeFetch, SafeResponse } from '../../web/safe-fetch.ts';
import { bodyBeginning } from './bounded-body.ts';
import { failureOfFetch, redacted } from './tool-failures.ts';

/** More than any model receives. */
const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 60_000;
const TEXT = /^(text\/|application\/([\w.+-]*\+)?(json|xml|yaml|x-www-form-urlencoded|javascript|graphql))/i;

/** One operation of a server. @param headers those of the configuration, opened with the first call. */
export function httpTool(
  { name, description, server, operation }: HttpToolConfig,
  headers: () => Promise<Readonly<Record<string, string>>>,
  web: SafeFetch,
): Tool {
  return {
    name,
    description,
    parameters: operation.schema,
    async run(args, { signal }) {
      const { url, method, headers: own, body } = requestOf(server, operation, args);
      const configured = await headers();
      const lowerCase = Object.fromEntries(
        Object.entries(configured).map(([header, value]) => [header.toLowerCase(), value]),
      );
      try {
        const response = await web.fetch(url, {
          method,
          headers: { ...own, ...lowerCase },
          ...(body !== null && { body: Buffer.from(body) }),
          timeoutMs: TIMEOUT_MS,
          signal,
        });
        return await resultOf(response, Object.values(configured));
      } catch (error) {
        if (error instanceof FetchRefused) throw failureOfFetch(error);
        throw error;
      }
    },
  };
}

async function resultOf(response: SafeResponse, secrets: readonly string[]): Promise<ToolResult> {
  const { status, headers } = response;
  const type = headers['content-type'] ?? 'text/plain';
  const { bytes, isCut } = await bodyBeginning(response, MAX_BYTES);
  const isText = TEXT.test(type) && (headers['content-encoding'] ?? 'identity') === 'identity';
  const text = isText
    ? redacted(Buffer.from(bytes).toString('utf8'), secrets)
    : bytes.length === 0
      ? ''
      : `[${isCut ? 'more than ' : ''}${bytes.length} bytes of ${type.slice(0, 100)}]`;
  if (status >= 300) throw new ToolFailed('refused', `The server answered with status ${status}. ${text}`.trim());
  return { text: text === '' ? `The server answered with status ${status} and no content.` : text, isCut };
}
