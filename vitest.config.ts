import { randomInt } from 'node:crypto';
import { availableParallelism, constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

// As the readers of pages do, which wait for a core behind everything of a higher priority: two workers would starve them.
setPriority(constants.priority.PRIORITY_LOW);

// A process a file compiles the same packages again and again: a tenth of the processor time of files that start services.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('./node_modules/.cache/compile', import.meta.url));

// Chooses the calls at which walks over faults let them happen; given again, it repeats a run.
if (process.env.FAULT_SEED === undefined) {
  process.env.FAULT_SEED = String(randomInt(1_000_000));
  console.log(`FAULT_SEED=${process.env.FAULT_SEED}`);
}

/** Of thousands of tests with real processes, one may meet a machine that stands still; the report says which were tried twice. */
const RETRIES = process.env.CI ? 1 : 0;

/** Tests of what knows no environment, client or clock: nothing of one file can reach another. */
const PURE = [
  'accounts',
  'bench',
  'chat',
  'console',
  'extraction',
  'gateway',
  'knowledge',
  'lib',
  'sandbox',
  'show',
  'system',
  'workflows',
].map((folder) => `test/unit/${folder}/**/*.test.ts`);

/** Tests that make what they use themselves, databases and clients included, and leave nothing in the process. */
const OWN_WORLD = [
  'test/contract/{accounts,channels,dynamodb,extraction,shared}/**/*.test.ts',
  'test/fault/**/*-faults.test.ts',
  'test/property/**/*.test.ts',
  'test/unit/{adapters,channels,local,shared}/**/*.test.ts',
];

/**
 * Tests that call a service that others call too: `useService` starts one a process. The others need their own environment, limits or
 * mocks.
 */
const SHARED_SERVICE = [
  'test/http/!(erasure).test.ts',
  'test/http/accounts/!(prices|refresh|top-up).test.ts',
  'test/http/extraction/!(extract-batch-async-of-100.202|extract-overload.503|extract.429|extract.503).test.ts',
  'test/http/sandbox/!(execute.503).test.ts',
  'test/http/channels/!(webhooks.404).test.ts',
  'test/http/workflows/!(run-shares).test.ts',
  'test/http/{chat,knowledge,mcp,system}/*.test.ts',
  'test/browser/!(screenshots|session).test.ts',
];

/** Tests of templates alone: what one file has synthesized, another one of the same process need not. The others start services. */
const STACKS = 'test/stack/!(ocr-layer|rights).test.ts';

export default defineConfig({
  test: {
    // Node runs the sources as it does for users, from its cache of compiled code: nothing is transformed.
    experimental: { viteModuleRunner: false },
    // A report of what failed, and of nothing else.
    setupFiles: ['test/support/output-by-test.ts'],
    silent: 'passed-only',
    // Some suites start whole services or read real pages; a slow machine is not a failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Most suites wait for processes that they started: of two cores, two workers leave a third of the time unused.
    maxWorkers: Math.max(3, Math.floor(availableParallelism() / 2)),
    // Tests ask more often than people, and those of the limits set them back; they log in more often too.
    env: { USER_LIMIT_PER_MINUTE: '0', ADDRESS_LIMIT_PER_MINUTE: '0', PASSWORD_LOG2_COST: '10' },
    projects: [
      // `npm run test:quick` runs the projects of this prefix.
      // A process a file costs more than most of these files.
      // A test of pure code that takes seconds hangs; the few that work on whole pages say so themselves.
      { extends: true, test: { name: 'quick: pure', include: PURE, isolate: false, testTimeout: 30_000 } },
      { extends: true, test: { name: 'quick: own world', include: OWN_WORLD, isolate: false } },
      {
        extends: true,
        test: {
          name: 'full: shared service',
          include: SHARED_SERVICE,
          isolate: false,
          retry: RETRIES,
        },
      },
      {
        extends: true,
        test: {
          name: 'full: stacks',
          include: [STACKS],
          isolate: false,
          // They wait for nothing, and each further process makes again what the others have: a quarter more time for a third.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'full: all else',
          // Each has a separate process. Vitest's runner has always loaded them; Node's has been tried with the other projects.
          experimental: { viteModuleRunner: true },
          globalSetup: 'test/helpers/go-library.ts',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...PURE, ...OWN_WORLD, ...SHARED_SERVICE, STACKS],
          retry: RETRIES,
        },
      },
    ],
  },
});
