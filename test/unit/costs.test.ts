import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { costOf } from '../../bin/costs/legs.ts';
import { costReport } from '../../bin/costs/report.ts';
import { routes } from '../../functions/routes.ts';

it('docs/costs.md is what the command prints: after a change of routes or memory, npm run costs -- --write', async () => {
  expect(await readFile('docs/costs.md', 'utf8')).toBe(costReport(1_000_000));
});

it.each(routes.map((route) => [route.id, route] as const))(
  '%s has its row, with every part of its price',
  (_, route) => {
    const cost = costOf(route);
    expect(cost, 'measure it: npm run costs:measure -- <its HTTP test>').not.toBeNull();
    for (const leg of ['gateway', 'lambda', 'logs', 'out'] as const) expect(cost!.legs[leg]).toBeGreaterThan(0);
    expect(costReport(1_000_000)).toContain(`| \`${route.method} ${route.path}\` | ${cost!.ms} |`);
  },
);
