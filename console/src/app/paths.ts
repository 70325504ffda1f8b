/** First parts of the console's paths. Whoever serves it knows by them which paths are its own. */
export const CONSOLE_PAGES = [
  '',
  'login',
  'register',
  'read',
  'review',
  'extractions',
  'applications',
  'knowledge',
  'workflows',
  'runs',
  'channels',
  'sandbox',
  'account',
  'guides',
] as const;
