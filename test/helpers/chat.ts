import { afterAll, beforeAll } from 'vitest';
import * as z from 'zod';
import { application, newAccessToken } from '../../functions/chat/schemas.ts';
import { envelopeOf } from '../../functions/shared/http/envelope.ts';
import { errorFormats } from '../../functions/shared/http/error-formats.ts';
import { type ApiAnswer, call } from './api.ts';
import { type InProcessService, startService, type TestService } from './service.ts';

export type Service = Pick<TestService, 'baseUrl' | 'apiKey' | 'workspaceId'>;

/** A started service for the tests of a file. */
export function chatService(): Service & Pick<InProcessService, 'dataDir'> {
  let service: InProcessService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  return {
    get baseUrl() {
      return service.baseUrl;
    },
    get apiKey() {
      return service.apiKey;
    },
    get workspaceId() {
      return service.workspaceId;
    },
    get dataDir() {
      return service.dataDir;
    },
  };
}

export const APPLICATIONS_PATH = '/api/v1/applications';
export const applicationPath = (id: string) => `${APPLICATIONS_PATH}/${id}`;
export const tokensPath = (id: string) => `${applicationPath(id)}/access-tokens`;

export type ShownApplication = z.output<typeof application>;
type Caller = Pick<Service, 'baseUrl' | 'apiKey'>;

export const createCall = (service: Caller, body: unknown) => call(service, 'POST', APPLICATIONS_PATH, { body });
export const changeCall = (service: Caller, id: string, body: unknown, headers: Record<string, string> = {}) =>
  call(service, 'PATCH', applicationPath(id), { body, headers });

let applicationsMade = 0;

/** A new application with a name of its own. */
export async function createApplication(service: Caller, body: object = {}): Promise<ShownApplication> {
  applicationsMade += 1;
  return applicationOf(await createCall(service, { name: `Application ${applicationsMade}`, type: 'chat', ...body }));
}

/** The application of a response, after a check that it is exactly of the documented form. */
export function applicationOf(answer: ApiAnswer): ShownApplication {
  return dataOf(answer, application.strict());
}

export async function createToken(service: Caller, id: string, body: object = {}) {
  return dataOf(await call(service, 'POST', tokensPath(id), { body }), newAccessToken.strict());
}

/** The data of a successful response, after a check of its envelope. */
export function dataOf<Data extends z.ZodType>(answer: ApiAnswer, data: Data): z.output<Data> {
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.json)}`);
  const body = envelopeOf(data).strict().parse(answer.json) as { data: unknown; code: number };
  if (body.code !== answer.status) throw new Error(`The body says ${body.code}, the status line ${answer.status}.`);
  return body.data as z.output<Data>;
}

/** Status and text of a refusal, after a check that its body is exactly the documented envelope. */
export function refusalOf(answer: ApiAnswer): [status: number, message: string] {
  const { code, message } = z.strictObject(errorFormats.envelope.schema.shape).parse(answer.json);
  if (code !== answer.status) throw new Error(`The body says ${code}, the status line ${answer.status}.`);
  return [answer.status, message];
}
