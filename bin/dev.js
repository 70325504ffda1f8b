/** `npm run dev`: the local service with interactive documentation at /docs, restarted by Node's watch mode when a file changes. */
process.env.DEBUG ??= '1';
await import('./local.js');
