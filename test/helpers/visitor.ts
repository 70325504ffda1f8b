import { request } from 'node:http';
import { completionPath, type Service } from './chat.ts';

export interface VisitorAnswer {
  readonly status: number;
  readonly text: string;
}

/** The response to a visitor with a public token from a separate address: all of 127.0.0.0/8 is this machine. */
export function askFrom(
  { baseUrl }: Pick<Service, 'baseUrl'>,
  localAddress: string,
  token: string,
  body: object = {},
): Promise<VisitorAnswer> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', localAddress, headers: { 'content-type': 'application/json' } };
    const sent = request(baseUrl + completionPath(token), options, async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve({ status: response.statusCode!, text });
    });
    sent.once('error', reject);
    sent.end(JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], ...body }));
  });
}
