import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { routelessBody } from '../../functions/shared/http/error-formats.ts';

export interface GatewayResponse {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** API Gateway fills this in, in bodies and headers of its own responses. */
const REQUEST_ID = '$context.requestId';

export const bodyTooLarge: GatewayResponse = {
  status: 413,
  code: 'request_too_large',
  message:
    'The request body is too large for this address. Send a smaller one, of at most about 6 MB; an image goes to the address that POST /api/v1/uploads gives, and then to the extraction as imageUrl or to a chat as image_url.',
};
const noRoute: GatewayResponse = {
  status: 404,
  code: 'not_found',
  message: 'There is no resource at this path for this method; GET /api/v1/openapi.json lists them all',
};
const badRequest: GatewayResponse = {
  status: 400,
  code: 'invalid_request',
  message: 'API Gateway cannot take this request: check its path, headers and body',
};
const handlerFailed: GatewayResponse = {
  status: 502,
  code: 'internal_error',
  message: `Internal server error. Quote request ${REQUEST_ID} when you report it`,
};
const tooMany: GatewayResponse = {
  status: 429,
  code: 'rate_limited',
  message: 'Rate limit exceeded. Retry after 1 seconds.',
  headers: { 'retry-after': "'1'" },
};
const forbidden: GatewayResponse = { status: 403, code: 'forbidden', message: 'This request is not allowed' };

/** Responses that API Gateway makes by itself, without a handler. */
const responses: readonly (readonly [ResponseType, GatewayResponse])[] = [
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

/**
 * API Gateway's own responses as it imports them, with a body that the clients of every service can read: it does not say for which route it
 * is. @param corsOrigins a page reads these responses where it is the only one: API Gateway cannot choose among several here.
 */
export function gatewayResponses(corsOrigins: readonly string[]): object {
  const [origin] = corsOrigins;
  const cors = corsOrigins.length === 1 ? { 'access-control-allow-origin': `'${origin}'`, vary: "'origin'" } : {};
  return Object.fromEntries(
    responses.map(([type, { status, code, message, headers }]) => {
      const sent = Object.entries({ 'x-request-id': 'context.requestId', ...cors, ...headers });
      return [
        type.responseType,
        {
          statusCode: status,
          responseParameters: Object.fromEntries(
            sent.map(([name, value]) => [`gatewayresponse.header.${name}`, value]),
          ),
          responseTemplates: {
            'application/json': JSON.stringify(routelessBody({ status, code, message }, REQUEST_ID)),
          },
        },
      ];
    }),
  );
}
