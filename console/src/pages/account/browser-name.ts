/** Later ones contain the names of earlier ones: Edge calls itself Chrome, and Chrome Safari. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bWhale\//, 'Whale'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];
const MAX_SHOWN = 40;

/** Browser and system by the header User-Agent, as in "Firefox · Windows"; of other programs the start of the header. */
export function browserName(userAgent: string): string {
  const named = [BROWSERS, SYSTEMS].flatMap((all) => all.find(([mark]) => mark.test(userAgent))?.[1] ?? []);
  return named.length > 0 ? named.join(' · ') : userAgent.slice(0, MAX_SHOWN);
}
