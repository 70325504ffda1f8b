import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumPath, SANDBOX_ARGUMENTS } from '../../test/helpers/chromium.ts';

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly workspaceId: string;
  readonly apiKey: string;
}

export interface Bench {
  readonly url: string;
  /** Owner of the workspace. */
  readonly person: Person;
  /** Runs of Lighthouse for each page; the median counts. */
  readonly runs: number;
}

/** A line of the report. */
export interface Figure {
  readonly what: string;
  readonly figure: string;
  readonly bar: string;
  readonly isMet: boolean;
}

/** The console's main pages. */
export const PAGES = [
  '/',
  '/read',
  '/extractions',
  '/applications',
  '/knowledge',
  '/workflows',
  '/channels',
  '/sandbox',
  '/account',
  '/guides',
] as const;

/** Opens a browser with a separate profile, kept in `folder` if one is named. */
export function openBrowser(folder = '', args: readonly string[] = []): Promise<BrowserContext> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('No Chromium is installed: apt-get install chromium');
  const options = { executablePath, args: [...SANDBOX_ARGUMENTS, ...args], locale: 'en-US' };
  return chromium.launchPersistentContext(folder, { ...options, viewport: { width: 1440, height: 900 } });
}

export async function logIn(page: Page, { url, person }: Bench): Promise<void> {
  await page.goto(url);
  await page.locator('input[type=email]').fill(person.email);
  await page.locator('input[type=password]').fill(person.password);
  await page.locator('button[type=submit]').click();
  await page.locator('nav').first().waitFor({ state: 'attached' });
}

/** Calls the API as the person's key. */
export async function callApi<Json>(
  { url, person }: Bench,
  method: string,
  path: string,
  body?: object,
): Promise<Json> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { 'x-api-key': person.apiKey, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json = (await response.json()) as Json;
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(json)}`);
  return json;
}
