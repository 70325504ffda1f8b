import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { extractionBody } from '../../functions/shared/http/problem-body.ts';

export interface GatewayAnswer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** API Gateway fills this in, in bodies and headers of its own answers. */
const REQUEST_ID = '$context.requestId';

export const bodyTooLarge: GatewayAnswer = {
  status: 413,
  code: 'request_too_large',
  message:
    'The request body is too large. Upload the image to the address that POST /api/v1/uploads gives, and send imageUrl instead of image',
};
const noRoute: GatewayAnswer = {
  status: 404,
  code: 'not_found',
  message: 'There is no resource at this path for this method; GET /api/v1/openapi.json lists them all',
};
const badRequest: GatewayAnswer = {
  status: 400,
  code: 'invalid_request',
  message: 'API Gateway cannot take this request: check its path, headers and body',
};
const handlerFailed: GatewayAnswer = {
  status: 502,
  code: 'internal_error',
  message: `Internal server error. Quote request ${REQUEST_ID} when you report it`,
};
const tooMany: GatewayAnswer = {
  status: 429,
  code: 'rate_limited',
  message: 'Rate limit exceeded. Retry after 1 seconds.',
  headers: { 'retry-after': "'1'" },
};
const forbidden: GatewayAnswer = { status: 403, code: 'forbidden', message: 'This request is not allowed' };

/** What API Gateway answers by itself, when no handler does. */
const answers: readonly (readonly [ResponseType, GatewayAnswer])[] = [
  // Set for the day that API Gateway honours it: so far it answers in its own words (status 413 all the same) to bodies
  // beyond its 10 MB or Lambda's 6 MB. The firewall, where there is one, is before it.
  [ResponseType.REQUEST_TOO_LARGE, bodyTooLarge],
  // API Gateway's word for a path or method that it does not know.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, noRoute],
  [ResponseType.RESOURCE_NOT_FOUND, noRoute],
  [ResponseType.BAD_REQUEST_BODY, badRequest],
  [ResponseType.BAD_REQUEST_PARAMETERS, badRequest],
  [
    ResponseType.UNSUPPORTED_MEDIA_TYPE,
    { status: 415, code: 'unsupported_media_type', message: 'Send JSON, as content-type application/json' },
  ],
  [ResponseType.THROTTLED, tooMany],
  [ResponseType.QUOTA_EXCEEDED, tooMany],
  [ResponseType.WAF_FILTERED, forbidden],
  [ResponseType.ACCESS_DENIED, forbidden],
  [
    ResponseType.INTEGRATION_TIMEOUT,
    { status: 504, code: 'timeout', message: `Endpoint request timed out. It was request ${REQUEST_ID}` },
  ],
  [ResponseType.INTEGRATION_FAILURE, handlerFailed],
  [ResponseType.API_CONFIGURATION_ERROR, handlerFailed],
  [ResponseType.DEFAULT_4XX, badRequest],
  [ResponseType.DEFAULT_5XX, { ...handlerFailed, status: 500 }],
];

/** Gives API Gateway's own answers the service's error envelope, whoever made the mistake. */
export function addGatewayResponses(api: RestApi): void {
  for (const [type, { status, code, message, headers }] of answers)
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(status),
      responseHeaders: { 'x-request-id': 'context.requestId', ...headers },
      templates: { 'application/json': JSON.stringify(extractionBody({ status, code, message }, REQUEST_ID)) },
    });
}
