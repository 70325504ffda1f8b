import { CannotStart } from './cannot-start.ts';
import { openDataDirectory } from './data-directory.ts';
import { endWithNpm } from './end-with-npm.ts';
import { requireHealth } from './require-health.ts';
import { InvalidSetting, readSettings } from './settings.ts';

/** Readers take a core for a second to start: those who waited for the service are answered first. A page that comes sooner starts them. */
const READERS_AFTER_MS = 500;
/** The console's build takes a second or two of a core. */
const CONSOLE_AFTER_MS = 1_500;

/** Starts the service by the environment's settings, and ends the process with a sentence where it cannot. */
export async function start(): Promise<void> {
  try {
    const settings = readSettings(process.env);
    let stop = async () => {};
    const ending = new Ending(() => stop());
    await endWithNpm(() => ending.begin());
    const stores = openDataDirectory(settings);
    stores.catch(() => undefined);
    // What takes longest to load, while the stores are being opened.
    const { startLocalService } = await import('./service.ts');
    const service = await startLocalService(settings, { stores });
    stop = service.stop;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => ending.hurry());
    // If npm is gone, the reader of the output may be gone too.
    for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
    await requireHealth(service.url).catch(async (error: unknown) => {
      await service.stop();
      throw error;
    });
    console.log(`Tripod is ready: ${service.url}`);
    const { credentialsFile } = await import('./credentials.ts');
    console.log(welcome(service.url, credentialsFile(settings.dataDirectory)));
    const { pageJudge } = await import('../functions/wiring/extraction/extraction.ts');
    const warm = () => pageJudge().catch((error: unknown) => console.error('Pages cannot be read:', error));
    setTimeout(warm, READERS_AFTER_MS).unref();
    // Only after a change of its sources; a visitor that opens it sooner waits for the same build.
    const { builtConsole } = await import('./console.ts');
    setTimeout(() => builtConsole().catch(() => undefined), CONSOLE_AFTER_MS).unref();
  } catch (error) {
    const expected = error instanceof CannotStart || error instanceof InvalidSetting;
    console.error(expected ? error.message : error);
    process.exit(1);
  }
}

function welcome(url: string, credentials: string): string {
  return `
  The demo workspace's API key, e-mail and password are in ${credentials}

  Try it:
    KEY=$(node -p 'require("${credentials}").apiKey')
    curl -H "x-api-key: $KEY" ${url}/api/v1/balance
    (echo -n '{"image":"'; base64 < docs/sample-page.png | tr -d '\\n'; echo '"}') |
      curl -H "x-api-key: $KEY" -H 'content-type: application/json' -d @- ${url}/api/v1/edi-extract-lite/extract

  Or open the console in a browser: ${url}/

  Everything else: ${url}/api/v1/openapi.json. Ctrl-C ends it; the data stays.
`;
}

/** The end of the service, which is asked for from several sides at once: Ctrl-C ends npm as well. */
class Ending {
  readonly #stop: () => Promise<void>;
  #hasBegun = false;

  constructor(stop: () => Promise<void>) {
    this.#stop = stop;
  }

  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('Tripod could not end cleanly:', error);
        process.exit(1);
      },
    );
  }

  /** The first signal ends the service cleanly, a second one at once. */
  hurry(): void {
    if (this.#hasBegun) process.exit(1);
    this.begin();
  }
}
