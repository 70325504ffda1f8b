import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api/client.ts';
import { mayCall, type RestrictedCall, type Role } from './permissions.ts';

export interface Session {
  readonly email: string;
  readonly workspace: { readonly id: string; readonly name: string };
  readonly role: Role;
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session> => {
    const { data } = await dataOf(api.GET('/api/v1/auth/me'));
    return { email: data.user?.email ?? '', workspace: data.workspace, role: data.role };
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

export function useMay(): (call: RestrictedCall) => boolean {
  const { role } = useSession();
  return (call) => mayCall(role, call);
}
