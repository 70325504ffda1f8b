export const NAVIGATION = [
  { to: '/', text: 'nav.home' },
  { to: '/read', text: 'nav.read' },
  { to: '/extractions', text: 'nav.extractions' },
  { to: '/applications', text: 'nav.applications' },
  { to: '/knowledge', text: 'nav.knowledge' },
  { to: '/workflows', text: 'nav.workflows' },
  { to: '/channels', text: 'nav.channels' },
  { to: '/sandbox', text: 'nav.sandbox' },
  { to: '/account', text: 'nav.account' },
  { to: '/guides', text: 'nav.guides' },
] as const;
