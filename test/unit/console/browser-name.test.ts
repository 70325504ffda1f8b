import { expect, it } from 'vitest';
import { browserName } from '../../../console/src/pages/account/browser-name.ts';

const MOZILLA = 'Mozilla/5.0';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';

it.each([
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/140.0.0.0`, 'Edge · Windows'],
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${CHROME} Whale/4.33 Safari/537.36`, 'Whale · Windows'],
  [
    `${MOZILLA} (Linux; Android 15; SM-S921N) ${CHROME} SamsungBrowser/28.0 Mobile Safari/537.36`,
    'Samsung Internet · Android',
  ],
  [`${MOZILLA} (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`, 'Chrome · ChromeOS'],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1`,
    'Safari · iPhone',
  ],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 10.15; rv:142.0) Gecko/20100101 Firefox/142.0`, 'Firefox · macOS'],
])('names browser and system of %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});

it('shows how the header of another program starts', () => {
  expect(browserName('billing-import/2.1 '.repeat(10))).toBe('billing-import/2.1 billing-import/2.1 bi');
});
