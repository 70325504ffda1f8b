import fc from 'fast-check';
import { expect, it } from 'vitest';
import { routes } from '../../../functions/routes.ts';
import { router } from '../../../gateway/routing.ts';

const match = router(routes);

it('finds every route of the table by its own method and path', () => {
  for (const route of routes) {
    const found = match(route.method, route.path.replaceAll(/\{\w+\}/g, 'x'));
    expect(found).toMatchObject({ kind: 'route', route: { id: route.id } });
  }
});

it('gives back any text in the place of a parameter', () => {
  const segment = fc.string({ minLength: 1 }).map(encodeURIComponent);
  fc.assert(
    fc.property(segment, (id) => {
      expect(match('GET', `/api/v1/extractions/${id}`)).toMatchObject({ kind: 'route', pathParameters: { id } });
    }),
  );
});

it('never throws, and never finds a route for a path of another shape', () => {
  fc.assert(
    fc.property(fc.string(), fc.webPath(), (method, path) => {
      const found = match(method, path);
      if (found.kind === 'route') expect(found.route.path.split('/')).toHaveLength(path.split('/').length);
    }),
  );
});
