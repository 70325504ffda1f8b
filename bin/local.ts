/** `npm start`: the whole service on this machine. Settings: PORT, HOST, TRIPOD_DATA_DIR, DEBUG. */
import { CannotStart, startLocalService } from '../local/service.ts';
import { InvalidSetting, readSettings } from '../local/settings.ts';

try {
  const settings = readSettings(process.env);
  const service = await startLocalService(settings);
  console.log(`Tripod is ready: ${service.url}`);
  endOn(['SIGTERM', 'SIGINT'], () => service.stop());
} catch (error) {
  const expected = error instanceof CannotStart || error instanceof InvalidSetting;
  console.error(expected ? error.message : error);
  process.exit(1);
}

/** The first signal ends the service cleanly, a second one at once. */
function endOn(signals: readonly NodeJS.Signals[], stop: () => Promise<void>): void {
  let ending = false;
  for (const signal of signals) {
    process.on(signal, () => {
      if (ending) process.exit(1);
      ending = true;
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error('Tripod could not end cleanly:', error);
          process.exit(1);
        },
      );
    });
  }
}
