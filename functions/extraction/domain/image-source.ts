/** Gets the bytes behind an `imageUrl` that a caller sent: an address that nobody may trust. */
export interface ImageSource {
  /**
   * @param workspaceId whose call this is: its own uploads may be read without asking the web.
   * @throws ImageFetchFailed; ImageRefused('image_too_large') when there is more than an image may have.
   */
  fetch(url: string, workspaceId: string): Promise<Uint8Array>;
}

/** The image could not be had. The message is for the caller and tells nothing of our network. */
export class ImageFetchFailed extends Error {
  override name = 'ImageFetchFailed';
}
