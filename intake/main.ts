/**
 * The container intake: the routes of specification 1 over HTTP, for images that are too large for API Gateway and Lambda. It runs on AWS
 * behind a load balancer and keeps no state; on one machine `npm start` takes such images anyway. Settings: PORT, and those of the
 * functions.
 */
import { specification1Routes } from '../functions/routes.ts';
import { allAuthenticators, httpPorts } from '../functions/wiring/shared/http.ts';
import { startGateway } from '../gateway/gateway.ts';
import { screenLargeBodies } from './screen-large-bodies.ts';

/** Ten bodies of the largest size; each takes three times as much memory until its image is decoded. */
const BODY_BUDGET_BYTES = 10 * 26 * 1024 * 1024;
/** The container is killed 30 s after SIGTERM; no request takes longer than this. */
const GRACE_SECONDS = 29;

const gateway = await startGateway({
  routes: specification1Routes,
  host: '0.0.0.0',
  port: Number(process.env.PORT ?? 8080),
  trustedProxy: 'load-balancer',
  corsOrigins: httpPorts.corsOrigins(),
  bodyBudgetBytes: BODY_BUDGET_BYTES,
  screen: screenLargeBodies(allAuthenticators(), httpPorts.limits()),
});
process.once('SIGTERM', () => {
  gateway.stop(GRACE_SECONDS).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error('The intake could not end cleanly:', error);
      process.exit(1);
    },
  );
});
console.log(`Tripod intake is ready: port ${gateway.port}`);
