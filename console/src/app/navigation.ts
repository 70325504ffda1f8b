export const NAVIGATION = [
  { to: '/', text: 'nav.home' },
  { to: '/read', text: 'nav.read' },
  { to: '/extractions', text: 'nav.extractions' },
  { to: '/account', text: 'nav.account' },
] as const;
