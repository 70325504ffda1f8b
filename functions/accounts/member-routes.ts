import { table } from '../shared/access.ts';
import { ANY_CREDENTIAL, type Route } from '../shared/http/route.ts';
import type { RateLimit } from '../shared/limits/rate-limit.ts';
import { invitationResult, inviteBody, memberChange, memberList, memberParams, memberResult } from './auth-schemas.ts';

const QUICK = { timeoutSeconds: 10, memoryMb: 256 } as const;

export const invitationsPerPrincipal: RateLimit = { name: 'invitations', burst: 50, refillMs: 60_000 };

export const listMembersRoute = {
  id: 'accounts.list-members',
  method: 'GET',
  path: '/api/v1/members',
  auth: ANY_CREDENTIAL,
  scope: 'all',
  errors: 'envelope',
  doc: { summary: 'Members of the workspace, and invitations that wait' },
  responses: { 200: { description: 'Members and invitations', schema: memberList } },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'GetItem', 'Query')],
} as const satisfies Route;

export const inviteMemberRoute = {
  id: 'accounts.invite-member',
  method: 'POST',
  path: '/api/v1/members',
  auth: ANY_CREDENTIAL,
  role: 'owner',
  errors: 'envelope',
  doc: {
    summary: 'Invite a new member by e-mail',
    description: 'The mail has a link that is good once, for seven days.',
  },
  body: inviteBody,
  rateLimits: [{ limit: invitationsPerPrincipal, per: 'principal' }],
  responses: {
    201: { description: 'The invitation', schema: invitationResult },
    409: { description: 'email_taken: the address has an account already' },
  },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem')],
} as const satisfies Route;

const lastOwner = {
  409: { description: 'last_owner: a workspace keeps one; or member_changed: another change came first' },
} as const;

export const changeMemberRoute = {
  id: 'accounts.change-member',
  method: 'PATCH',
  path: '/api/v1/members/{id}',
  auth: ANY_CREDENTIAL,
  role: 'owner',
  errors: 'envelope',
  doc: { summary: 'Give a member another role', description: 'It counts from the next request on.' },
  params: memberParams,
  body: memberChange,
  responses: { 200: { description: 'The member', schema: memberResult }, ...lastOwner },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem')],
} as const satisfies Route;

export const removeMemberRoute = {
  id: 'accounts.remove-member',
  method: 'DELETE',
  path: '/api/v1/members/{id}',
  auth: ANY_CREDENTIAL,
  role: 'owner',
  errors: 'envelope',
  doc: {
    summary: 'Remove a member, or withdraw an invitation',
    description:
      'Their tokens and cookies are refused from the next request on. API keys stay: they are the workspace’s.',
  },
  params: memberParams,
  responses: { 204: { description: 'The member is removed, or the invitation withdrawn' }, ...lastOwner },
  limits: QUICK,
  access: [table('accounts', 'BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem')],
} as const satisfies Route;

export const memberRoutes: readonly Route[] = [
  listMembersRoute,
  inviteMemberRoute,
  changeMemberRoute,
  removeMemberRoute,
];
