import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { Problem } from '../api/problem.ts';
import { resultsSearch } from '../pages/extractions/listed.ts';
import { Home } from '../pages/home.tsx';
import { Login } from '../pages/login.tsx';
import { Loading } from '../ui/controls.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { NotFound } from './not-found.tsx';
import { PageAnnouncement } from './page-title.tsx';
import { sessionQuery } from './session.ts';
import { Shell } from './shell.tsx';

const root = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFound,
});

function Root() {
  return (
    <>
      <Outlet />
      <PageAnnouncement />
    </>
  );
}

/** Where to go after the login; other sites are not a place to go. */
export const loginSearch = ({ to }: Record<string, unknown>): { to?: string } =>
  typeof to === 'string' && /^\/(?![/\\])/.test(to) ? { to } : {};

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: Login,
  validateSearch: loginSearch,
});
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sso',
  component: lazyRouteComponent(() => import('../pages/sign-in.tsx'), 'SignIn'),
});
const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  component: lazyRouteComponent(() => import('../pages/register.tsx'), 'Register'),
});

const mailLinks = {
  acceptInvitation: createRoute({
    getParentRoute: () => root,
    path: '/accept-invitation',
    component: lazyRouteComponent(() => import('../pages/mail-links.tsx'), 'AcceptInvitation'),
  }),
  confirmEmail: createRoute({
    getParentRoute: () => root,
    path: '/confirm-email',
    component: lazyRouteComponent(() => import('../pages/mail-links.tsx'), 'ConfirmEmail'),
  }),
  resetPassword: createRoute({
    getParentRoute: () => root,
    path: '/reset-password',
    component: lazyRouteComponent(() => import('../pages/mail-links.tsx'), 'ResetPassword'),
  }),
  forgotPassword: createRoute({
    getParentRoute: () => root,
    path: '/forgot-password',
    component: lazyRouteComponent(() => import('../pages/mail-links.tsx'), 'ForgotPassword'),
  }),
};

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  async beforeLoad({ context: { queries }, location: { href } }) {
    try {
      await queries.ensureQueryData(sessionQuery);
    } catch (error) {
      if (error instanceof Problem && error.status === 401)
        throw redirect({ to: '/login', search: href === '/' ? {} : { to: href } });
      throw error;
    }
  },
});

const home = createRoute({ getParentRoute: () => shell, path: '/', component: Home });
const read = createRoute({
  getParentRoute: () => shell,
  path: '/read',
  validateSearch: ({ job }: Record<string, unknown>): { job?: string } => (typeof job === 'string' ? { job } : {}),
  component: lazyRouteComponent(() => import('../pages/read/read.tsx'), 'Read'),
});
const extractions = createRoute({
  getParentRoute: () => shell,
  path: '/extractions',
  validateSearch: resultsSearch,
  component: lazyRouteComponent(() => import('../pages/extractions/extractions.tsx'), 'Extractions'),
});
const review = createRoute({
  getParentRoute: () => shell,
  path: '/review/$id',
  component: lazyRouteComponent(() => import('../pages/review/review.tsx'), 'Review'),
});
const ACCOUNT_TABS = ['money', 'usage', 'keys', 'members', 'data', 'security', 'audit'] as const;
const account = createRoute({
  getParentRoute: () => shell,
  path: '/account',
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: (typeof ACCOUNT_TABS)[number] } => {
    const known = ACCOUNT_TABS.find((each) => each === tab);
    return known === undefined ? {} : { tab: known };
  },
  component: lazyRouteComponent(() => import('../pages/account/account.tsx'), 'Account'),
});
const applications = createRoute({
  getParentRoute: () => shell,
  path: '/applications',
  component: lazyRouteComponent(() => import('../pages/applications/applications.tsx'), 'Applications'),
});
const application = createRoute({
  getParentRoute: () => shell,
  path: '/applications/$id',
  component: lazyRouteComponent(() => import('../pages/applications/application.tsx'), 'ApplicationPage'),
});
const knowledge = createRoute({
  getParentRoute: () => shell,
  path: '/knowledge',
  component: lazyRouteComponent(() => import('../pages/knowledge/knowledge.tsx'), 'Knowledge'),
});
const base = createRoute({
  getParentRoute: () => shell,
  path: '/knowledge/$id',
  component: lazyRouteComponent(() => import('../pages/knowledge/base.tsx'), 'Base'),
});
const channels = createRoute({
  getParentRoute: () => shell,
  path: '/channels',
  component: lazyRouteComponent(() => import('../pages/channels/channels.tsx'), 'Channels'),
});
const workflows = createRoute({
  getParentRoute: () => shell,
  path: '/workflows',
  component: lazyRouteComponent(() => import('../pages/workflows/workflows.tsx'), 'Workflows'),
});
const workflow = createRoute({
  getParentRoute: () => shell,
  path: '/workflows/$id',
  validateSearch: ({ run }: Record<string, unknown>): { run?: string } => (typeof run === 'string' ? { run } : {}),
  component: lazyRouteComponent(() => import('../pages/workflows/workflow.tsx'), 'WorkflowPage'),
});
const waiting = createRoute({
  getParentRoute: () => shell,
  path: '/workflows/waiting',
  component: lazyRouteComponent(() => import('../pages/workflows/waiting.tsx'), 'Waiting'),
});
const unknown = createRoute({ getParentRoute: () => shell, path: '$', component: NotFound });
const sandbox = createRoute({
  getParentRoute: () => shell,
  path: '/sandbox',
  component: lazyRouteComponent(() => import('../pages/sandbox/sandbox.tsx'), 'Sandbox'),
});
const guidesPage = lazyRouteComponent(() => import('../pages/guides/guides.tsx'), 'Guides');
const guides = createRoute({ getParentRoute: () => shell, path: '/guides', component: guidesPage });
const guide = createRoute({ getParentRoute: () => shell, path: '/guides/$', component: guidesPage });

export function makeRouter(queries: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([
      login,
      signIn,
      register,
      mailLinks.acceptInvitation,
      mailLinks.confirmEmail,
      mailLinks.resetPassword,
      mailLinks.forgotPassword,
      shell.addChildren([
        home,
        read,
        extractions,
        review,
        account,
        applications,
        application,
        knowledge,
        base,
        workflows,
        workflow,
        waiting,
        channels,
        sandbox,
        guides,
        guide,
        unknown,
      ]),
    ]),
    context: { queries },
    defaultPendingComponent: Loading,
    defaultErrorComponent: ({ error }) => <ProblemNote error={error} />,
    defaultNotFoundComponent: NotFound,
    defaultPreload: 'intent',
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
