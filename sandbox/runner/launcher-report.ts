import type { Readable } from 'node:stream';
import type { OutputFile, SkippedFile } from '../../functions/sandbox/domain/run.ts';

/** A launcher's report: lines, and between them the files that a program has left. */
export interface LauncherReport {
  line(line: string): void;
  file(file: OutputFile): void;
  skipped(file: SkippedFile): void;
}

/** By the numbers of sandbox/launcher/outputs.h. */
const REASONS: readonly string[] = [
  '',
  'not a plain file: links, pipes and devices are left out',
  'more than 20 files',
  'larger than the rest of 24 MiB for all files of a run',
  'too many directories deep, or the path is too long',
  'cannot be read',
];
const NO_UTF8 = 'its name is not UTF-8';

type Frame =
  | { readonly kind: 'F'; readonly pathBytes: number; readonly bytes: number }
  | { readonly kind: 'N'; readonly pathBytes: number; readonly bytes: 0; readonly reason: number };

/** Reads a report as it comes; what it buffers is bounded by what the launcher sends. */
export function readLauncherReport(stream: Readable, report: LauncherReport): void {
  let chunks: Buffer[] = [];
  let length = 0;
  let frame: Frame | null = null;
  const take = (): Buffer => {
    const all = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length);
    chunks = [];
    length = 0;
    return all;
  };
  const keep = (rest: Buffer) => {
    if (rest.length === 0) return;
    chunks.push(rest);
    length += rest.length;
  };
  const read = () => {
    for (;;) {
      if (frame !== null) {
        const wanted: number = frame.pathBytes + frame.bytes;
        if (length < wanted) return;
        const all = take();
        receive(frame, all.subarray(0, wanted), report);
        frame = null;
        keep(all.subarray(wanted));
        continue;
      }
      if (length === 0) return;
      const all = take();
      const end = all.indexOf(0x0a);
      if (end === -1) return keep(all);
      const line = all.toString('utf8', 0, end);
      keep(all.subarray(end + 1));
      frame = frameOf(line);
      if (frame === null) report.line(line);
    }
  };
  stream.on('data', (chunk: Buffer) => {
    keep(chunk);
    read();
  });
  stream.on('error', () => undefined);
}

function frameOf(line: string): Frame | null {
  const [kind, ...numbers] = line.split(' ');
  const [pathBytes = 0, value = 0] = numbers.map(Number);
  if (kind === 'F') return { kind, pathBytes, bytes: value };
  if (kind === 'N') return { kind, pathBytes, bytes: 0, reason: value };
  return null;
}

function receive(frame: Frame, bytes: Buffer, report: LauncherReport): void {
  const name = bytes.subarray(0, frame.pathBytes);
  const path = name.toString('utf8');
  const isUtf8 = Buffer.from(path).equals(name);
  if (frame.kind === 'N') report.skipped({ path, reason: REASONS[frame.reason] ?? 'it was left out' });
  else if (!isUtf8) report.skipped({ path, reason: NO_UTF8 });
  else {
    const content = bytes.subarray(frame.pathBytes);
    report.file({ path, size: content.length, base64: content.toString('base64') });
  }
}
