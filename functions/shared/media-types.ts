/** Media types of documents by the endings of names, for files whose type is not said. */
export const DOCUMENT_MEDIA_TYPES: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  csv: 'text/csv',
  json: 'application/json',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  hwp: 'application/x-hwp',
  hwpx: 'application/hwp+zip',
  odt: 'application/vnd.oasis.opendocument.text',
  rtf: 'application/rtf',
  doc: 'application/msword',
  epub: 'application/epub+zip',
  eml: 'message/rfc822',
};

/** The media type of a document that a name suggests by its ending; null where it suggests none. */
export function mediaTypeOfName(name: string): string | null {
  const ending = /\.([a-z]{2,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(DOCUMENT_MEDIA_TYPES, ending) ? DOCUMENT_MEDIA_TYPES[ending]! : null;
}

/** The media type of a text that says none: that of Markdown if its name does. */
export function textTypeOfName(name: string): string {
  const suggested = mediaTypeOfName(name);
  return suggested === 'text/markdown' ? suggested : 'text/plain';
}
