import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { routes } from '../functions/routes.ts';
import type { Route } from '../functions/shared/http/route.ts';
import { loadHandler } from '../gateway/handler-modules.ts';
import { lambdaContext } from '../gateway/lambda-context.ts';
import { httpResult } from '../gateway/proxy-result.ts';
import { installLambdaGlobal, isStreaming } from '../gateway/response-stream.ts';
import { withTimeout } from '../gateway/with-timeout.ts';
import { startBackend } from './backend.ts';
import { readCredentials } from './credentials.ts';
import { DataDirectoryInUse } from './data-directory-in-use.ts';
import { applyEnvironment } from './environment.ts';
import { API_KEY_TOKEN } from './events/build-events.ts';
import { announced } from './running-service.ts';
import type { LocalSettings } from './settings.ts';

/** A mistake of the person at the keyboard; the message says what to do. */
export class InvocationError extends Error {}

/** @throws InvocationError that lists the ids when there is no such route. */
export function routeById(id: string): Route {
  const route = routes.find((each) => each.id === id);
  if (route === undefined) {
    throw new InvocationError(
      `There is no route ${id}. The routes are:\n  ${routes.map((each) => each.id).join('\n  ')}`,
    );
  }
  return route;
}

/** The event of a file's text, with the demo workspace's key in the place of `{{apiKey}}`. */
export function parseEvent(text: string, apiKey: string): object {
  const event: unknown = JSON.parse(text.replaceAll(API_KEY_TOKEN, apiKey));
  if (typeof event !== 'object' || event === null) throw new InvocationError('The event is not a JSON object');
  return event;
}

export interface Occasion {
  readonly apiKey: string;
  close(): Promise<void>;
}

/**
 * Makes this process's environment that of the functions: of the service that runs on the data directory, or else of
 * embedded servers started for the occasion.
 */
export async function openEnvironment(settings: LocalSettings): Promise<Occasion> {
  try {
    const backend = await startBackend(settings);
    const { apiKey } = await backend.demoWorkspace(settings.publicUrl ?? `http://${settings.host}:${settings.port}`);
    return { apiKey, close: () => backend.stop() };
  } catch (error) {
    if (!(error instanceof DataDirectoryInUse)) throw error;
    const running = await announced(settings.dataDirectory);
    const credentials = await readCredentials(settings.dataDirectory);
    if (running === undefined || credentials === undefined) {
      throw new InvocationError(`Another process is starting or ending on ${settings.dataDirectory}; try again`);
    }
    applyEnvironment(running.environment);
    return { apiKey: credentials.apiKey, close: async () => undefined };
  }
}

/** Runs a route's handler on an event as Lambda would, and gives its answer as text. */
export async function invoke(route: Route, event: object): Promise<{ status: number; text: string }> {
  installLambdaGlobal();
  const timeoutMs = route.limits.timeoutSeconds * 1000;
  const context = lambdaContext(route, randomUUID(), Date.now() + timeoutMs);
  const handler = await loadHandler(route);
  const expired = () => new Error(`${route.id} took longer than its ${route.limits.timeoutSeconds} s`);
  if (isStreaming(handler)) {
    const sink = new Sink();
    await withTimeout(Promise.resolve(handler(event, sink, context)), timeoutMs, expired);
    return { status: sink.prelude.statusCode ?? 200, text: present(sink.prelude.headers ?? {}, sink.text()) };
  }
  const { status, headers, body } = httpResult(
    await withTimeout(Promise.resolve(handler(event, context)), timeoutMs, expired),
  );
  return { status, text: present(headers, body.toString()) };
}

function present(headers: object, body: string): string {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [...head, '', indented(body)].join('\n');
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Collects what a streaming handler writes. */
class Sink extends Writable {
  readonly #chunks: Buffer[] = [];
  prelude: { statusCode?: number; headers?: Record<string, string> } = {};

  setContentType(contentType: string): void {
    this.prelude = { headers: { 'content-type': contentType } };
  }

  setPrelude(prelude: { statusCode?: number; headers?: Record<string, string> }): void {
    this.prelude = prelude;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}
