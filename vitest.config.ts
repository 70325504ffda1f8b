import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Some suites start whole services or read real pages; a slow machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
