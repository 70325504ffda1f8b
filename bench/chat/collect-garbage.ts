/** Loaded before a service that a benchmark measures: a signal starts garbage collection, so that only retained memory is measured. */
process.on('SIGUSR2', () => void globalThis.gc?.());
