import { routes } from '../../functions/routes.ts';
import { configurationPage } from './configuration.ts';
import { errorsPage, koreanErrorsPage } from './errors.ts';
import { limitsPage } from './limits.ts';
import { rolesPage } from './roles.ts';
import { eventsPage } from './workflow-events.ts';
import { nodePages } from './workflow-nodes/node-pages.ts';

/** The generated pages of docs/, by name. */
export const generatedPages: Readonly<Record<string, () => string>> = {
  configuration: configurationPage,
  errors: () => errorsPage(routes),
  'ko/errors': koreanErrorsPage,
  limits: () => limitsPage(routes),
  roles: () => rolesPage(routes),
  'workflows/events': eventsPage,
  ...nodePages,
};
