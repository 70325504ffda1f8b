import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Route } from '../../functions/shared/http/route.ts';
import { proxyEvent } from '../../gateway/proxy-event.ts';
import { type Example, examplesOf } from './examples.ts';

/** Stands for the key of a workspace: no event holds a real one, `npm run invoke` fills in the demo workspace's. */
export const API_KEY_TOKEN = '{{apiKey}}';

export interface EventFile {
  readonly name: string;
  readonly event: APIGatewayProxyEvent;
}

/** One file or more for every route, the same ones at every run. */
export async function buildEvents(routes: readonly Route[]): Promise<EventFile[]> {
  const files: EventFile[] = [];
  for (const route of routes) {
    for (const example of await examplesOf(route)) {
      const suffix = example.name === undefined ? '' : `-${example.name}`;
      files.push({ name: `${route.id}${suffix}.json`, event: eventOf(route, example) });
    }
  }
  return files;
}

function eventOf(route: Route, example: Example): APIGatewayProxyEvent {
  const { pathParameters = null, query = '', body } = example;
  const headers: Record<string, string> = {
    Accept: 'application/json',
    Host: '127.0.0.1:3000',
    'User-Agent': 'tripod-events',
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(route.auth.includes('api-key') && { 'x-api-key': API_KEY_TOKEN }),
    ...example.headers,
  };
  return proxyEvent(route, {
    requestId: '00000000-0000-4000-8000-000000000000',
    receivedAtMs: Date.UTC(2026, 10, 1),
    method: route.method,
    path: filled(route, pathParameters),
    query,
    rawHeaders: Object.entries(headers).flat(),
    peerAddress: '127.0.0.1',
    port: 3000,
    trustedProxy: 'none',
    pathParameters,
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
  });
}

function filled({ id, path }: Route, pathParameters: Readonly<Record<string, string>> | null): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = pathParameters?.[name];
    if (value === undefined) throw new Error(`The example of ${id} lacks the path parameter ${name}`);
    return value;
  });
}

/** The text of an event's file. */
export function eventText(event: APIGatewayProxyEvent): string {
  return `${JSON.stringify(event, null, 2)}\n`;
}
