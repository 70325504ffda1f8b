import { afterEach, expect, it, vi } from 'vitest';
import { logger } from '../../../functions/shared/logging.ts';

afterEach(() => void vi.restoreAllMocks());

it('the log and lines of metrics reach the console, whose lines Vitest shows for failed tests only', () => {
  const error = vi.spyOn(console, 'error').mockReturnValue();
  const log = vi.spyOn(console, 'log').mockReturnValue();
  logger().error('The disk is full');
  process.stdout.write('{"_aws":{}}\n');
  expect(error.mock.lastCall?.[0]).toContain('The disk is full');
  expect(log.mock.lastCall).toEqual(['{"_aws":{}}']);
});
