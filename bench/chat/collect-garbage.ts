/** Loaded before a service that a benchmark measures: a signal has it collect its garbage, so that what is measured is what stays. */
process.on('SIGUSR2', () => void globalThis.gc?.());
