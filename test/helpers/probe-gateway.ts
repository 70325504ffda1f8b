import type { Route } from '../../functions/shared/http/route.ts';
import { type Gateway, startGateway } from '../../local/gateway/gateway.ts';
import type { Handler } from '../../local/gateway/handler-modules.ts';

/** A gateway over routes of the test's own, each with its handler. */
export interface Probe {
  readonly url: string;
  readonly gateway: Gateway;
}

export type ProbeRoute = Partial<Omit<Route, 'id' | 'handler' | 'limits'>> &
  Pick<Route, 'path'> & { readonly limits?: Partial<Route['limits']>; readonly run: Handler };

export async function startProbe(probes: readonly ProbeRoute[]): Promise<Probe> {
  const handlers = new Map(probes.map(({ run }, index) => [`handler-${index}`, run]));
  const routes = probes.map(({ run: _, ...probe }, index): Route => {
    const limits = { timeoutSeconds: 10, memoryMb: 128, ...probe.limits };
    return {
      method: 'GET',
      auth: 'none',
      doc: { summary: 'A route of a test' },
      responses: {},
      access: {},
      ...probe,
      id: `system.probe-${index}`,
      handler: `handler-${index}`,
      limits,
    };
  });
  const gateway = await startGateway({
    routes,
    host: '127.0.0.1',
    port: 0,
    loadHandler: async ({ handler }) => {
      const found = handlers.get(handler);
      if (found === undefined) throw new Error(`no handler ${handler}`);
      return found;
    },
  });
  return { gateway, url: `http://127.0.0.1:${gateway.port}` };
}
