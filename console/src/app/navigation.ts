export const NAVIGATION = [
  { to: '/', text: 'nav.home' },
  { to: '/account', text: 'nav.account' },
] as const;
