import type * as z from 'zod';
import type { Execution, ExecutionResult } from './domain/execution.ts';
import type { SentRequest, UploadedFile } from './domain/input-uploads.ts';
import type { Output } from './domain/output.ts';
import { mediaTypeOf, type OutputFileLinks } from './domain/output-files.ts';
import { DEFAULT_RESOURCES, type InputFile, type OutputFile, type ShownTable } from './domain/run.ts';
import type {
  execution,
  executionRequest,
  executionResult,
  executionSummary,
  inputFile,
  outputFile,
  shownTable,
} from './schemas.ts';

const DEFAULT_TIMEOUT_SECONDS = 30;

export function toSentRequest(body: z.output<typeof executionRequest>): SentRequest {
  const { resources, files, main } = body;
  return {
    language: body.language,
    code: body.code ?? '',
    stdin: body.stdin ?? '',
    environment: body.environment ?? {},
    timeoutSeconds: body.timeout ?? DEFAULT_TIMEOUT_SECONDS,
    sessionId: body.session_id ?? null,
    resources: resources
      ? { cpu: resources.cpu, memoryMb: resources.memory_mb, diskMb: resources.disk_mb }
      : DEFAULT_RESOURCES,
    ...(resources && { reportsUse: true }),
    ...(body.args && { arguments: body.args }),
    ...(files && { files: files.map(toInputFile) }),
    ...(main && { main }),
    ...(body.session?.keep && body.session_id && { keptSession: body.session_id }),
  };
}

function toInputFile({
  path,
  content,
  content_base64,
  upload_url,
}: z.output<typeof inputFile>): InputFile | UploadedFile {
  if (upload_url !== undefined) return { path, uploadUrl: upload_url };
  return { path, base64: content_base64 ?? Buffer.from(content ?? '').toString('base64') };
}

/** @param links of files that are too large for it */
export async function toResultResponse(
  result: ExecutionResult,
  links: OutputFileLinks,
): Promise<z.output<typeof executionResult>> {
  const { outputs, used, value, html, table, session } = result;
  return {
    execution_id: result.executionId,
    stdout: result.stdout,
    stderr: result.stderr,
    exit_code: result.exitCode,
    execution_time: result.seconds,
    language: result.language,
    session_id: result.sessionId,
    ...(used && {
      resources: {
        cpu_time: used.cpuSeconds,
        memory_peak: used.memoryPeakBytes,
        signal: used.signal,
        limit: used.limit,
      },
    }),
    ...(value !== undefined && { value }),
    ...(html !== undefined && { value_html: html }),
    ...(table && { value_table: toTableResponse(table) }),
    ...(session && { session: { new: session.isNew, kept: session.isKept } }),
    ...(outputs && {
      files: await Promise.all(outputs.files.map((file) => toFileResponse(file, links))),
      skipped_files: [...outputs.skipped],
    }),
  };
}

function toTableResponse({ columns, rows, rowCount, columnCount }: ShownTable): z.output<typeof shownTable> {
  return {
    columns: [...columns],
    rows: rows.map((row) => [...row]),
    row_count: rowCount,
    column_count: columnCount,
  };
}

async function toFileResponse(file: OutputFile, links: OutputFileLinks): Promise<z.output<typeof outputFile>> {
  const { path, size, base64, object } = file;
  return {
    path,
    size,
    media_type: mediaTypeOf(path),
    ...(base64 === undefined ? { url: await links.link(object) } : { content_base64: base64 }),
  };
}

/** @param output null before the end. */
export async function toExecutionResponse(
  { executionId, status, createdAt, startedAt, completedAt, ...rest }: Execution,
  output: Output | null,
  links: OutputFileLinks,
): Promise<z.output<typeof execution>> {
  const { language, sessionId, exitCode, seconds } = rest;
  return {
    execution_id: executionId,
    status,
    created_at: createdAt,
    started_at: startedAt,
    completed_at: completedAt,
    result:
      exitCode === null || seconds === null
        ? null
        : await toResultResponse(
            { executionId, language, sessionId, exitCode, seconds, ...(output ?? LOST_OUTPUT) },
            links,
          ),
  };
}

/** The object expired before its record: the bucket counts its own days. */
const LOST_OUTPUT: Output = { stdout: '', stderr: 'The output is no longer there.' };

export function toSummaryResponse(summarised: Execution): z.output<typeof executionSummary> {
  const { executionId, language, status, createdAt, startedAt, completedAt, exitCode, seconds } = summarised;
  return {
    execution_id: executionId,
    language,
    status,
    created_at: createdAt,
    started_at: startedAt,
    completed_at: completedAt,
    exit_code: exitCode,
    execution_time: seconds,
  };
}
