import { bucket, table } from '../shared/access.ts';
import { ANY_CREDENTIAL, type Route } from '../shared/http/route.ts';
import { extractionParams, picture, pictureQuery } from './schemas.ts';

export const getPictureRoute = {
  id: 'extraction.get-picture',
  method: 'GET',
  path: '/api/v1/extractions/{id}/picture',
  auth: ANY_CREDENTIAL,
  scope: 'extraction',
  errors: 'extraction',
  doc: {
    summary: 'Where the picture of an extraction can be seen',
    description:
      'The upload as it was sent, while it is kept: an image that came through POST /api/v1/uploads, and each inline image of a batch, for 7 days. ' +
      'With drawn=1 the page of a PDF or TIFF that was read comes as a JPEG, with thumbnail=1 any page as a small one. ' +
      'Images from elsewhere, and inline images of single calls, are not kept.',
  },
  params: extractionParams,
  query: pictureQuery,
  responses: {
    200: { description: 'An address for a few minutes', schema: picture },
    404: { description: 'not_found: no such extraction, or its picture is not kept' },
  },
  limits: { timeoutSeconds: 29, memoryMb: 1769 },
  access: [
    table('accounts', 'BatchGetItem', 'GetItem'),
    table('extractions', 'BatchGetItem', 'GetItem'),
    bucket('uploads', 'GetObject'),
    'pdf',
  ],
} as const satisfies Route;

export const removePictureRoute = {
  id: 'extraction.remove-picture',
  method: 'DELETE',
  path: '/api/v1/extractions/{id}/picture',
  auth: ANY_CREDENTIAL,
  scope: 'extraction',
  role: 'admin',
  errors: 'extraction',
  doc: {
    summary: 'Delete the picture of an extraction',
    description:
      'The extraction stays, with its lines and its review. An upload that several extractions were made of is gone for all of them. ' +
      'The audit trail keeps the id.',
  },
  params: extractionParams,
  responses: {
    204: { description: 'Deleted' },
    404: { description: 'not_found: no such extraction, or its picture is not kept' },
  },
  limits: { timeoutSeconds: 10, memoryMb: 256 },
  access: [
    table('extractions', 'BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    bucket('uploads', 'DeleteObject'),
    'audit',
  ],
} as const satisfies Route;

export const pictureRoutes: readonly Route[] = [getPictureRoute, removePictureRoute];
