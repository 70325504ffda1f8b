import { useMutation } from '@tanstack/react-query';
import { api, dataOf } from '../api/client.ts';

/** Survives the way to the provider and back, in this tab. */
const PAGE = 'tripod-page-after-sign-in';

/** Sends the browser to the identity provider of an address's company. @param page to show after the sign-in */
export function useCompanySignIn(page: () => string) {
  return useMutation({
    mutationFn: async (email: string) => {
      const { data } = await dataOf(api.POST('/api/v1/auth/sso', { body: { email } }));
      sessionStorage.setItem(PAGE, page());
      location.assign(data.authorization_url);
    },
  });
}

export function takePageAfterSignIn(): string {
  const page = sessionStorage.getItem(PAGE) ?? '/';
  sessionStorage.removeItem(PAGE);
  return page;
}
