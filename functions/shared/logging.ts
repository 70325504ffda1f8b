import { Logger } from '@aws-lambda-powertools/logger';
import { environment } from './environment.ts';

let shared: Logger | undefined;

/**
 * One JSON line an event. What goes in is chosen field by field: never headers, bodies or keys.
 * A local service logs warnings and worse only, since its terminal is for people.
 */
export function logger(): Logger {
  if (shared === undefined) {
    const { LOG_LEVEL, TRIPOD_LOCAL } = environment('LOG_LEVEL', 'TRIPOD_LOCAL');
    shared = new Logger({ serviceName: 'tripod', logLevel: LOG_LEVEL ?? (TRIPOD_LOCAL ? 'WARN' : 'INFO') });
  }
  return shared;
}
