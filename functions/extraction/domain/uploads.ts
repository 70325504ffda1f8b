/** Images in the bucket of uploads. */
export interface StoredImages {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** @throws ImageFetchFailed when there is none any more. */
  get(key: string): Promise<Uint8Array>;
  /** Leaves out those that are not there. */
  remove(keys: readonly string[]): Promise<void>;
}

/** Addresses at which pictures of the bucket of uploads can be seen without a key. */
export interface PictureLinks {
  /** @returns null where there is no such picture any more. */
  pictureLink(key: string, expiresIn: number): Promise<{ readonly url: string; readonly contentType: string } | null>;
}

/** File names of uploads: no path, and nothing that a file system could take for one. */
const UPLOAD_NAME = /^\w[\w.-]{0,127}$/;

/** Key of an upload in the bucket: every workspace has its own folder. */
export function uploadKey(workspaceId: string, name: string): string {
  if (!UPLOAD_NAME.test(name)) throw new Error(`${JSON.stringify(name)} cannot name an upload`);
  return `${workspaceId}/${name}`;
}

export function isUploadOf(workspaceId: string, key: string): boolean {
  const folder = `${workspaceId}/`;
  return key.startsWith(folder) && UPLOAD_NAME.test(key.slice(folder.length));
}

/** Prefix of the names of images that came within a call and were kept: they are those of their extractions. */
export const INLINE_IMAGES = 'ext_';
