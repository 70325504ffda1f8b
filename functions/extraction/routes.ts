import type { Route } from '../shared/http/route.ts';

/** Images of up to 18 MB arrive as base64 in JSON: a third larger, plus the envelope. */
const MAX_EXTRACT_BODY_BYTES = 26 * 1024 * 1024;

export const extractionRoutes: readonly Route[] = [
  {
    id: 'extraction.extract',
    method: 'POST',
    path: '/api/v1/edi-extract-lite/extract',
    auth: 'api-key',
    scope: 'extraction',
    handler: 'extraction/handlers/extract',
    doc: { summary: 'Read the drug lines of one image' },
    responses: { 200: { description: 'The extraction' } },
    limits: { timeoutSeconds: 29, memoryMb: 3008, maxBodyBytes: MAX_EXTRACT_BODY_BYTES },
    access: {
      tables: { accounts: 'read-write', extractions: 'read-write', idempotency: 'read-write' },
      uploads: 'read',
      textract: true,
      ocr: true,
      master: true,
    },
  },
  {
    id: 'extraction.get-extraction',
    method: 'GET',
    path: '/api/v1/extractions/{id}',
    auth: 'api-key',
    scope: 'extraction',
    handler: 'extraction/handlers/get-extraction',
    doc: { summary: 'One extraction of the workspace' },
    responses: { 200: { description: 'The extraction' } },
    limits: { timeoutSeconds: 10, memoryMb: 256 },
    access: { tables: { accounts: 'read', extractions: 'read' } },
  },
];
