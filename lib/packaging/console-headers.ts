/**
 * Headers of every response with a part of the console.
 * @param origins of pictures and uploads, in addition to its own.
 */
export function consoleSecurityHeaders(origins: readonly string[]): Readonly<Record<string, string>> {
  return {
    'content-security-policy': contentSecurityPolicy(origins),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'permissions-policy': 'geolocation=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
  };
}

/** Nothing inline, nothing from elsewhere. Pictures that a person drops are shown from blob: addresses. */
export function contentSecurityPolicy(origins: readonly string[]): string {
  const [self, others] = ["'self'", origins.map((origin) => ` ${origin}`).join('')];
  return [
    "default-src 'none'",
    `script-src ${self}`,
    `style-src ${self}`,
    `img-src ${self} blob: data:${others}`,
    `connect-src ${self}${others}`,
    `font-src ${self}`,
    `manifest-src ${self}`,
    "base-uri 'none'",
    `form-action ${self}`,
    "frame-ancestors 'none'",
  ].join('; ');
}
