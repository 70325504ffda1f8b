import type { GrantMaker } from './grant.ts';

/** Settings of the circuit breakers; the breakers themselves are in the table of channels. */
export const grantBreakers: GrantMaker = ({ config }) => [
  {
    environment: {
      BREAKER_ERROR_THRESHOLD: String(config.breakerErrorThreshold),
      BREAKER_ERROR_WINDOW_SECONDS: String(config.breakerErrorWindowSeconds),
      BREAKER_RECOVERY_TIMEOUT_SECONDS: String(config.breakerRecoveryTimeoutSeconds),
      BREAKER_PROBE_INTERVAL_SECONDS: String(config.breakerProbeIntervalSeconds),
    },
  },
];
