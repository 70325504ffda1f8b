import { afterAll, beforeAll, beforeEach } from 'vitest';
import { applicationOn, type ShownApplication } from '../helpers/chat.ts';
import { refillLimits } from '../helpers/limits.ts';
import { type ScriptedProvider, scriptedProvider } from '../helpers/scripted-provider.ts';
import type { UsedService } from '../helpers/service.ts';

/** A provider that plays scripts, and an application that asks it, for the tests of a file. */
export function useScriptedApplication(
  service: UsedService,
  config: NonNullable<Parameters<typeof applicationOn>[2]> = {},
) {
  let running: ScriptedProvider;
  let made: ShownApplication;
  beforeAll(async () => {
    running = await scriptedProvider();
    made = await applicationOn(service, running.baseUrl, config);
  });
  afterAll(() => running.stop());
  beforeEach(refillLimits);

  const provider: Omit<ScriptedProvider, 'stop'> = {
    get baseUrl() {
      return running.baseUrl;
    },
    get requests() {
      return running.requests;
    },
    plays: (...scripts) => running.plays(...scripts),
  };
  const application: Pick<ShownApplication, 'id'> = {
    get id() {
      return made.id;
    },
  };
  return { provider, application };
}
