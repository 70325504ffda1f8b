export type Role = 'viewer' | 'admin' | 'owner';

/**
 * The lowest role for each restricted call, so that no button is shown that would be refused. A test compares them with the route tables.
 */
export const NEEDED_ROLES = {
  'POST /api/v1/edi-extract-lite/extract': 'admin',
  'POST /api/v1/edi-extract-lite/extract-batch-async': 'admin',
  'PUT /api/v1/extractions/{id}/review': 'admin',
  'DELETE /api/v1/extractions/{id}': 'admin',
  'DELETE /api/v1/extractions/{id}/picture': 'admin',
  'GET /api/v1/dead-letters': 'admin',
  'PATCH /api/v1/balance': 'owner',
  'POST /api/v1/balance/top-ups': 'owner',
  'PATCH /api/v1/workspace': 'owner',
  'PUT /api/v1/workspace/sso': 'owner',
  'POST /api/v1/api-keys': 'owner',
  'DELETE /api/v1/api-keys/{id}': 'owner',
  'POST /api/v1/members': 'owner',
  'PATCH /api/v1/members/{id}': 'owner',
  'DELETE /api/v1/members/{id}': 'owner',
  'POST /api/v1/execute': 'admin',
  'POST /api/v1/applications': 'admin',
  'PATCH /api/v1/applications/{id}': 'admin',
  'DELETE /api/v1/applications/{id}': 'owner',
  'POST /api/v1/applications/{id}/access-tokens': 'admin',
  'POST /api/v1/chat/{application_id}/chat/completions': 'admin',
  'GET /api/v1/applications/{id}/conversations': 'admin',
  'POST /api/v1/knowledge-bases': 'admin',
  'DELETE /api/v1/knowledge-bases/{id}': 'owner',
  'POST /api/v1/knowledge-bases/{id}/documents': 'admin',
  'DELETE /api/v1/knowledge-bases/{id}/documents/{document_id}': 'admin',
  'POST /api/v1/workflows': 'admin',
  'PATCH /api/v1/workflows/{id}': 'admin',
  'DELETE /api/v1/workflows/{id}': 'owner',
  'POST /api/v1/workflows/{id}/run': 'admin',
  'POST /api/v1/runs/{id}/approve': 'admin',
  'POST /api/v1/channels': 'admin',
  'PATCH /api/v1/channels/{id}': 'admin',
  'POST /api/v1/channels/{id}/test': 'admin',
  'DELETE /api/v1/channels/{id}': 'owner',
} as const satisfies Readonly<Record<string, Role>>;

export type RestrictedCall = keyof typeof NEEDED_ROLES;

const ORDER: readonly Role[] = ['viewer', 'admin', 'owner'];

export function mayCall(role: Role, call: RestrictedCall): boolean {
  return ORDER.indexOf(role) >= ORDER.indexOf(NEEDED_ROLES[call]);
}
