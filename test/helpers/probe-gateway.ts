import type { Route } from '../../functions/shared/http/route.ts';
import { type Gateway, startGateway } from '../../gateway/gateway.ts';
import type { Handler } from '../../gateway/handler-modules.ts';

/** A gateway over routes of the test's own, each with its handler. */
export interface Probe {
  readonly url: string;
  readonly gateway: Gateway;
}

export type ProbeRoute = Partial<Omit<Route, 'limits'>> &
  Pick<Route, 'path'> & { readonly limits?: Partial<Route['limits']>; readonly run: Handler };

/** A public route whose input and output are its handler's. */
export const probeRoute = {
  id: 'system.probe',
  method: 'GET',
  path: '/',
  auth: [],
  errors: 'extraction',
  doc: { summary: 'A route of a test' },
  responses: {},
  limits: { timeoutSeconds: 10, memoryMb: 128 },
  access: [],
} as const satisfies Route;

export async function startProbe(probes: readonly ProbeRoute[]): Promise<Probe> {
  const handlers = new Map<Route, Handler>();
  const routes = probes.map(({ run, ...probe }, index): Route => {
    const limits = { ...probeRoute.limits, ...probe.limits };
    const route = { ...probeRoute, id: `system.probe-${index}` as const, ...probe, limits };
    handlers.set(route, run);
    return route;
  });
  const gateway = await startGateway({
    routes,
    host: '127.0.0.1',
    port: 0,
    loadHandler: async (route) => handlers.get(route) as Handler,
  });
  return { gateway, url: `http://127.0.0.1:${gateway.port}` };
}
