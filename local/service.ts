import { join } from 'node:path';
import { routes } from '../functions/routes.ts';
import type { Route } from '../functions/shared/http/route.ts';
import { publicHttp } from '../functions/wiring/chat/chat.ts';
import { allAuthenticators, httpPorts } from '../functions/wiring/shared/http.ts';
import { type Gateway, startGateway } from '../gateway/gateway.ts';
import { knownHosts } from '../gateway/known-hosts.ts';
import { screenLargeBodies } from '../intake/screen-large-bodies.ts';
import { type Backend, startBackend } from './backend.ts';
import { batchWorkers } from './batch-workers.ts';
import { CannotStart } from './cannot-start.ts';
import { channelWorkers } from './channel-workers.ts';
import { consolePages } from './console.ts';
import { crawlWorkers } from './crawl-workers.ts';
import type { Credentials } from './credentials.ts';
import { DataDirectoryInUse } from './data-directory-in-use.ts';
import { documentationPage } from './documentation.ts';
import type { EmbeddedAws } from './embedded/aws.ts';
import type { Stores } from './embedded/stores.ts';
import { MAIL_FOLDER } from './environment.ts';
import { eraseRepeatedly } from './erasure.ts';
import { executionWorkers } from './execution-workers.ts';
import { knowledgeWorkers } from './knowledge-workers.ts';
import { deliverMails } from './mail-delivery.ts';
import { runQueueWorkers } from './queue-workers.ts';
import { repeat } from './repeating.ts';
import { runWorkers } from './run-workers.ts';
import { announce, announced, withdraw } from './running-service.ts';
import { fireSchedulesRepeatedly } from './schedules.ts';
import type { LocalSettings } from './settings.ts';

/** Expired items are treated as absent until they are removed. */
const EXPIRY_PAUSE_MS = 10 * 60_000;
/** The sweep scans every item, and must delay neither the start nor the first requests. */
const FIRST_EXPIRY_MS = 60_000;
/** Ten bodies of the largest size; each takes three times as much memory until its image is decoded. */
const BODY_BUDGET_BYTES = 10 * 26 * 1024 * 1024;

export interface LocalService {
  readonly url: string;
  readonly credentials: Credentials;
  readonly aws: EmbeddedAws;
  stop(): Promise<void>;
}

/**
 * The whole service in this process: embedded AWS, gateway and handlers. It owns the data directory until it stops, and
 * makes the process's environment that of the functions.
 * @param options.stores those of the data directory, where they are being opened already. @throws CannotStart
 */
export async function startLocalService(
  settings: LocalSettings,
  { served = routes, stores }: { readonly served?: readonly Route[]; readonly stores?: Promise<Stores> } = {},
): Promise<LocalService> {
  const { dataDirectory } = settings;
  const [backend] = await Promise.all([openBackend(settings, stores), loadWirings()]);
  let gateway: Gateway | undefined;
  // The port is open before the rest is there: only then its number is known. Who calls meanwhile waits.
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined);
  try {
    gateway = await openGateway(settings, served, ready.promise, backend.aws);
    const url = urlOf(settings.host, gateway.port);
    // Links that leave the service start with it: never with the Host header of a request, which anyone may choose.
    process.env.SERVICE_URL = settings.publicUrl ?? url;
    // Links in mails lead to the console, which this service has.
    process.env.WEB_URL = settings.webUrl ?? settings.publicUrl ?? url;
    const credentials = await backend.demoWorkspace(settings.publicUrl ?? url);
    await announce(dataDirectory, { pid: process.pid, url, environment: backend.environment });
    const mails = deliverMails(join(dataDirectory, MAIL_FOLDER), { showsLinks: settings.publicUrl === undefined });
    const erasure = eraseRepeatedly();
    const schedules = fireSchedulesRepeatedly();
    const expiry = repeat(() => backend.aws.removeExpired(Date.now()), {
      firstAfterMs: FIRST_EXPIRY_MS,
      pauseMs: EXPIRY_PAUSE_MS,
    });
    const { activeRequests } = gateway;
    const queued = await Promise.all(
      [
        await batchWorkers(),
        await executionWorkers(),
        await knowledgeWorkers(),
        await crawlWorkers(),
        ...(await channelWorkers()),
        await runWorkers(),
      ].map((workers) => runQueueWorkers(workers, backend.aws, activeRequests)),
    );
    ready.resolve();
    const { stop: close } = gateway;
    return {
      url,
      credentials,
      aws: backend.aws,
      async stop() {
        await Promise.all([
          close(),
          mails.stop(),
          expiry.stop(),
          erasure.stop(),
          schedules.stop(),
          ...queued.map((workers) => workers.stop()),
        ]);
        await withdraw(dataDirectory);
        await backend.stop();
      },
    };
  } catch (error) {
    ready.reject(error);
    await gateway?.stop();
    await backend.stop();
    throw error;
  }
}

/**
 * The handlers' wirings, loaded while the stores are being opened: handlers themselves read the environment, which comes with the stores.
 */
function loadWirings(): Promise<unknown> {
  return Promise.all([
    import('../functions/wiring/accounts/accounts.ts'),
    import('../functions/wiring/channels/channels.ts'),
    import('../functions/wiring/extraction/extraction.ts'),
    import('../functions/wiring/sandbox/sandbox.ts'),
    import('../functions/wiring/workflows/workflows.ts'),
  ]);
}

async function openBackend(settings: LocalSettings, stores?: Promise<Stores>): Promise<Backend> {
  const { dataDirectory } = settings;
  try {
    return await startBackend(settings, stores);
  } catch (error) {
    if (!(error instanceof DataDirectoryInUse)) throw error;
    const other = await announced(dataDirectory);
    const who = other === undefined ? 'another process' : `the service at ${other.url} (process ${other.pid})`;
    throw new CannotStart(
      `The data directory ${dataDirectory} is in use by ${who}. Stop that one, or set TRIPOD_DATA_DIR to another directory.`,
    );
  }
}

async function openGateway(
  { host, port, debug, publicUrl }: LocalSettings,
  served: readonly Route[],
  ready: Promise<void>,
  { sockets, environment }: Pick<EmbeddedAws, 'sockets' | 'environment'>,
): Promise<Gateway> {
  const pages = consolePages(process.env.S3_PUBLIC_URL ?? environment.AWS_ENDPOINT_URL_S3 ?? '');
  try {
    return await startGateway({
      routes: served,
      host,
      port,
      ready,
      isKnownHost: publicUrl === undefined ? knownHosts(host) : undefined,
      trustedProxy: publicUrl === undefined ? 'none' : 'load-balancer',
      upgrade: (...request) => sockets.upgrade(...request),
      page: async (path, encodings) => (debug ? await documentationPage(path) : null) ?? (await pages(path, encodings)),
      corsOrigins: httpPorts.corsOrigins(),
      bodyBudgetBytes: BODY_BUDGET_BYTES,
      screen: screenLargeBodies(
        { ...allAuthenticators(), 'path-token': publicHttp.authenticators['path-token']() },
        httpPorts.limits(),
      ),
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    switch (code) {
      case 'EADDRINUSE':
        throw new CannotStart(
          `Port ${port} on ${host} is in use by another program. Stop that one, or set PORT to a free port.`,
        );
      case 'EACCES':
        throw new CannotStart(`PORT: this user may not listen on port ${port}. Set PORT to one above 1023.`);
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        throw new CannotStart(`HOST: ${host} is not an address of this machine (${message}).`);
      default:
        throw error;
    }
  }
}

/** Where a client on this machine reaches the service. */
function urlOf(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${reachable}:${port}`;
}
