import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Every service, and where it may import others: the starts of paths. A service imports only services above it in this list. */
const SERVICES = {
  accounts: [],
  // Money, usage and the audit trail are what all services share.
  extraction: ['accounts/domain/', 'accounts/audit-origin.ts'],
  sandbox: ['accounts/domain/'],
  knowledge: ['accounts/domain/'],
  // Answers cite passages, and tools invoke functions of other services.
  chat: [
    ...['accounts/domain/', 'accounts/audit-origin.ts', 'knowledge/domain/'],
    ...['extraction/domain/read-table.ts', 'sandbox/domain/make-file.ts', 'sandbox/domain/run-program.ts'],
  ],
  // Nodes ask models and tools of chat applications, and search knowledge.
  workflows: [
    ...['accounts/domain/', 'chat/domain/', 'chat/answer-access.ts', 'chat/completions/wire.ts'],
    'knowledge/domain/',
  ],
  // Channels ask chat applications, and send their answers.
  channels: ['chat/answer-access.ts', 'chat/completions/wire.ts', 'chat/domain/'],
  // A door to routes of services: its tools have their schemas, credentials, limits and access. Its wiring calls them.
  mcp: [
    ...['chat/completions/routes.ts', 'chat/completions/schemas.ts', 'chat/domain/application.ts'],
    ...['extraction/routes.ts', 'extraction/schemas.ts'],
    ...['knowledge/bases/routes.ts', 'knowledge/bases/schemas.ts'],
    ...['sandbox/execute-request.ts', 'sandbox/routes.ts', 'sandbox/schemas.ts'],
  ],
  // Health says whether there is a drug list, and whether programs can be run.
  system: ['extraction/domain/master/', 'sandbox/domain/sandbox-pool.ts'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
type Service = keyof typeof SERVICES;
const ORDER = Object.keys(SERVICES) as Service[];

/** Every layer, and the ones that it may import in addition to itself. Only wiring knows adapters, and only handlers know wiring. */
const LAYERS = {
  shared: [],
  domain: ['shared'],
  adapters: ['domain', 'shared'],
  service: ['domain', 'shared'],
  wiring: ['adapters', 'domain', 'service', 'shared'],
  handlers: ['domain', 'lists', 'service', 'shared', 'wiring'],
  lists: ['service', 'shared'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
type Layer = keyof typeof LAYERS;

interface Module {
  readonly path: string;
  readonly layer: Layer;
  /** null: belongs to none. */
  readonly service: Service | null;
}

function moduleOf(path: string): Module {
  if (path === 'functions/routes.ts' || path === 'functions/workers.ts') return { path, layer: 'lists', service: null };
  const [folder, first, second] = path.split('/') as [string, string, string];
  if (folder !== 'functions') throw new Error(`${path} is imported from functions/, and is not a part of it.`);
  const named = ORDER.find((service) => service === (first === 'wiring' ? second : first)) ?? null;
  if (first === 'shared' || first === 'adapters' || first === 'wiring') return { path, layer: first, service: named };
  if (named === null) throw new Error(`${path} belongs to no service. Add the service to this test.`);
  return { path, layer: second === 'domain' || second === 'handlers' ? second : 'service', service: named };
}

/** Modules of functions/ and what each imports, types included. */
function imports(): readonly (readonly [from: Module, to: Module])[] {
  return globSync('functions/**/*.ts', { cwd: ROOT }).flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    const found = source.matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g);
    return [...found].map(([, from, lazy]) => [moduleOf(file), moduleOf(join(dirname(file), from ?? lazy!))] as const);
  });
}

const found = imports();
const print = (pairs: typeof found) => pairs.map(([from, to]) => `${from.path} → ${to.path}`);

/** A service's own code that imports another service. Wiring and adapters may; each belongs to no single service. */
const foreign = found.filter(
  ([from, to]) =>
    from.layer !== 'wiring' &&
    from.layer !== 'adapters' &&
    to.layer !== 'wiring' &&
    to.layer !== 'adapters' &&
    from.service !== null &&
    to.service !== null &&
    from.service !== to.service,
);
const allows = (from: Module, to: Module) =>
  (SERVICES[from.service!] as readonly string[]).filter((path) => to.path.startsWith(`functions/${path}`));

describe('imports in functions/', () => {
  it('are many, so that the tests below judge something', () => {
    expect(found.length).toBeGreaterThan(5_000);
    expect(foreign.length).toBeGreaterThan(100);
  });

  it('lead from each layer to the layers below it alone', () => {
    const upward = found.filter(
      ([from, to]) => from.layer !== to.layer && !(LAYERS[from.layer] as readonly string[]).includes(to.layer),
    );
    expect(print(upward)).toEqual([]);
  });

  it('lead from one service to another only where this test lists it', () => {
    expect(print(foreign.filter(([from, to]) => allows(from, to).length === 0))).toEqual([]);
  });

  it('of a service lead only to services above it in the list, so that services form no circle', () => {
    const backward = foreign.filter(([from, to]) => ORDER.indexOf(from.service!) < ORDER.indexOf(to.service!));
    expect(print(backward)).toEqual([]);
  });

  it('use every exception that this test lists', () => {
    const listed = ORDER.flatMap((service) => SERVICES[service].map((path) => `${service} → ${path}`));
    const used = foreign.flatMap(([from, to]) => allows(from, to).map((path) => `${from.service} → ${path}`));
    expect(listed.filter((each) => !used.includes(each))).toEqual([]);
  });

  it('of handlers reach only the wiring of their own service, and that of all services', () => {
    const others = found.filter(
      ([from, to]) =>
        from.layer === 'handlers' && to.layer === 'wiring' && to.service !== null && to.service !== from.service,
    );
    expect(print(others)).toEqual([]);
  });
});
