/** Every benchmark, by the name of its file, and what it measures. */
export const BENCHMARKS: Readonly<Record<string, string>> = {
  batch: 'pages a minute of a batch, against single calls',
  charges: '200 charges of one account that end at the same moment',
  chat: 'what the service adds to the tokens and the first byte of a model',
  cold: 'import time and code size of every function',
  delivery: 'webhooks and deliveries, with and without an outage of the platform',
  extract: 'accuracy on the pages of `npm run corpus`',
  fairness: 'what a workspace waits for while another one floods a service',
  gateway: 'GET /api/v1/balance, idle and while pages are read',
  'hot-account': 'charges of one busy workspace over a simulated store',
  knowledge: 'recall and time of searches in Korean passages',
  login: 'what a login costs besides its password hash',
  real: 'accuracy on a folder of your own pages',
  restart: 'time from `kill -9` to the first response',
  'round-trips': 'calls to DynamoDB that each endpoint makes, and how many in turn',
  sandbox: 'hello world through the sandbox, against the bare interpreter',
  workflow: 'what the workflow engine costs for each node',
};
