import { mediaTypeOfName } from '../../../shared/media-types.ts';
import type { PrefixObjects } from './source-ports.ts';
import { isCrawled, type KnownPages, type Visit } from './visits.ts';

/** A function holds one document in memory. */
const MAX_OBJECT_BYTES = 20 * 2 ** 20;

/** Visits the objects below a prefix. One whose ETag is known is not read. */
export async function* walkPrefix(
  workspaceId: string,
  { prefix }: { readonly prefix: string },
  known: KnownPages,
  { objects }: { readonly objects: PrefixObjects },
): AsyncGenerator<Visit> {
  for await (const { key, etag, bytes } of objects.list(workspaceId, prefix)) {
    const externalId = `s3:${key}`;
    if (key.endsWith('/') || known.visited(externalId) !== null) continue;
    const found = { externalId, links: [], etag, lastModified: null } as const;
    if ((await known.readable(externalId))?.etag === etag) {
      yield { ...found, kind: 'unchanged' };
      continue;
    }
    const content = bytes > MAX_OBJECT_BYTES ? null : await objects.get(workspaceId, key);
    const mediaType = content && typeOf(key, content.mediaType);
    if (content === null || mediaType === null) yield { ...found, kind: 'skipped' };
    else yield { ...found, kind: 'content', title: key.split('/').at(-1)!, content: { ...content, mediaType } };
  }
}

/** Objects stored without a type have one of S3's own. */
function typeOf(key: string, mediaType: string): string | null {
  return isCrawled(mediaType) ? mediaType : mediaTypeOfName(key);
}
