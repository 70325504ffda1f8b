/** What a file name of an upload may look like: no path, nothing that a file system could take for one. */
const UPLOAD_NAME = /^\w[\w.-]{0,127}$/;

/** Where an upload lies in the bucket: every workspace has a folder of its own. */
export function uploadKey(workspaceId: string, name: string): string {
  if (!UPLOAD_NAME.test(name)) throw new Error(`${JSON.stringify(name)} cannot name an upload`);
  return `${workspaceId}/${name}`;
}

export function isUploadOf(workspaceId: string, key: string): boolean {
  const folder = `${workspaceId}/`;
  return key.startsWith(folder) && UPLOAD_NAME.test(key.slice(folder.length));
}
