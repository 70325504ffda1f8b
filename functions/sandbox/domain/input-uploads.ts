import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { lastUlidTimeMs } from '../../shared/ulid-time.ts';
import type { ExecutionRequest } from './execution.ts';
import { ExecutionRefused } from './execution-refused.ts';
import type { InputFile } from './run.ts';

/** A file of a request that was uploaded before. */
export interface UploadedFile {
  readonly path: string;
  /** Address that the upload was sent to, or of a file in an earlier result. */
  readonly uploadUrl: string;
}

export interface SentRequest extends Omit<ExecutionRequest, 'files'> {
  readonly files?: readonly (InputFile | UploadedFile)[];
}

/** Files in the bucket of executions. */
export interface InputUploads {
  /** The key behind an address of the bucket; null: it is no such address. Nothing is looked up. */
  keyOf(address: string): Promise<string | null>;
  /** @returns null when there is no object */
  sizeOf(key: string): Promise<number | null>;
}

export interface InputUploadPorts {
  readonly uploads: InputUploads;
  readonly clock: Clock;
}

/** An address for a PUT. */
export interface InputUploadLinks {
  putLink(key: string, contentType: undefined, contentLength: number, expiresIn: number): Promise<string>;
}

/** All files of a request; runners take no more. */
export const MAX_INPUT_BYTES = 24 * 1024 * 1024;
export const UPLOAD_SECONDS = 15 * 60;
/** From the start of the upload on. */
const KEPT_MS = 24 * 60 * 60 * 1000;

export async function createInputUpload(
  { workspaceId, size }: { readonly workspaceId: string; readonly size: number },
  { links, ids }: { readonly links: InputUploadLinks; readonly ids: Ids },
): Promise<string> {
  return links.putLink(`${workspaceId}/uploads/${ids.next('upl')}`, undefined, size, UPLOAD_SECONDS);
}

/**
 * Requests with the keys and sizes of their uploads, in the order of the requests: a runner that has accepted a program gets the
 * contents. Only files of the workspace are named, in the bucket itself: an address never leads to the network.
 * @throws ExecutionRefused
 */
export async function withUploads(
  requests: readonly SentRequest[],
  workspaceId: string,
  ports: InputUploadPorts,
): Promise<ExecutionRequest[]> {
  let leftBytes = MAX_INPUT_BYTES;
  const loaded: ExecutionRequest[] = [];
  for (const [index, { files, ...request }] of requests.entries()) {
    if (files === undefined) {
      loaded.push(request);
      continue;
    }
    const place = requests.length === 1 ? 'files' : `${index}.files`;
    const read: InputFile[] = [];
    for (const [number, file] of files.entries()) {
      const field = `${place}.${number}`;
      const ready = 'uploadUrl' in file ? await uploaded(file, { workspaceId, field }, ports) : file;
      leftBytes -= bytesOf(ready);
      if (leftBytes < 0) throw refused(field, TOO_MUCH);
      read.push(ready);
    }
    if (read.reduce((sum, file) => sum + bytesOf(file), 0) > (request.resources.diskMb * 2 ** 20) / 2)
      throw refused(place, 'must be at most half of disk_mb');
    loaded.push({ ...request, files: read });
  }
  return loaded;
}

async function uploaded(
  { path, uploadUrl }: UploadedFile,
  { workspaceId, field }: { readonly workspaceId: string; readonly field: string },
  { uploads, clock }: InputUploadPorts,
): Promise<InputFile> {
  const key = await uploads.keyOf(uploadUrl);
  if (key === null || !isFileOf(workspaceId, key))
    throw refused(
      `${field}.upload_url`,
      'must be an upload_url of POST /api/v1/execute/uploads, or the url of a result',
    );
  const createdMs = lastUlidTimeMs(key);
  if (createdMs === null || createdMs + KEPT_MS <= clock.now())
    throw refused(`${field}.upload_url`, 'is older than 24 hours; upload the file again');
  const size = await uploads.sizeOf(key);
  if (size === null) throw refused(`${field}.upload_url`, 'has no file; PUT it there first');
  return { path, object: key, size };
}

/** An upload, or a file of a result, of this workspace. */
function isFileOf(workspaceId: string, key: string): boolean {
  const [owner, ...rest] = key.split('/');
  return owner === workspaceId && FILE_KEY.test(rest.join('/'));
}

const FILE_KEY = /^(?:uploads\/upl_[0-9A-Z]{26}|exec_[0-9A-Z]{26}\/files\/\d{1,2})$/;
const TOO_MUCH = `must be at most ${MAX_INPUT_BYTES / 2 ** 20} MiB in all, uploads included`;

const bytesOf = (file: InputFile): number =>
  file.base64 === undefined ? file.size : Math.floor((file.base64.length * 3) / 4);

function refused(field: string, rule: string): ExecutionRefused {
  return new ExecutionRefused('invalid_request', `${field} ${rule}.`);
}
