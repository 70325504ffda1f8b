import { afterAll, describe, expect, it } from 'vitest';
import { call } from '../helpers/api.ts';
import { useBrowser } from '../helpers/browser.ts';
import { accessibilityFaults, eventually, expectNoSidewaysScroll, visitConsole } from '../helpers/console.ts';
import { accept, mailTo, tokenOf } from '../helpers/members.ts';
import { createWorkspace, type TestWorkspace } from '../helpers/workspace.ts';
import { CLIENT, playTextRecords, type RunningProvider, startOidcProvider } from '../support/identity-providers.ts';

/** The console, oidc-provider and Chromium. */

const DOMAIN = 'ganada.example';
const dns = playTextRecords();
let provider: RunningProvider;
let owner: TestWorkspace;

const browsing = useBrowser(async ({ service }) => {
  provider = await startOidcProvider([`${service.baseUrl}/sso`]);
  owner = await createWorkspace();
});
afterAll(async () => {
  dns.spy.mockRestore();
  await provider?.stop();
});
const { service } = browsing;

describe('single sign-on in the console', () => {
  it('is configured by an owner, who proves the domain by the record that is shown', async () => {
    const { page, context, complaints } = await visitConsole(browsing.browser, service, owner);
    await page.goto('/account?tab=security');
    await page.getByText(`${service.baseUrl}/sso`).waitFor();
    await page.getByLabel('Issuer').fill(provider.issuer);
    await page.getByLabel('Client ID').fill(CLIENT.client_id);
    await page.getByLabel('Client secret').fill(CLIENT.client_secret);
    await page.getByLabel('E-mail domains').fill(DOMAIN);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('not proved').waitFor();
    await page.getByRole('button', { name: 'Check the records' }).click();
    await page.getByText('is not proved: publish the TXT record').waitFor();
    const value = await page.getByText(/^tripod-sso=/).innerText();
    dns.records.set(`_tripod-sso.${DOMAIN}`, [value.trim()]);
    await page.getByRole('button', { name: 'Check the records' }).click();
    await page.getByText(/proved since/).waitFor();
    await page.setViewportSize({ width: 375, height: 900 });
    await expectNoSidewaysScroll(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('leads from the login to the provider, and back to the page that was wanted', async () => {
    provider.people.set('ann', { sub: 'ann', email: `ann@${DOMAIN}`, email_verified: true });
    const context = await browsing.browser.newContext({ locale: 'ko-KR', baseURL: service.baseUrl });
    const page = await context.newPage();
    await page.goto('/extractions');
    await page.getByLabel('이메일').fill(`ann@${DOMAIN}`);
    await page.getByRole('button', { name: '회사 계정으로 로그인' }).click();
    await page.waitForURL(`${provider.issuer}/**`);
    await page.locator('input[name=login]').fill('ann');
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.waitForURL(`${service.baseUrl}/extractions`);
    await page.getByText(`ann@${DOMAIN}`).first().waitFor({ state: 'attached' });
    // Cookies of other ports of a machine come along.
    const cookies = (await context.cookies(service.baseUrl)).map(({ name }) => name);
    expect(cookies.filter((name) => name.startsWith('tripod')).toSorted()).toEqual(['tripod_csrf', 'tripod_session']);
    // Neither code nor state is left in the history.
    await page.goBack();
    expect(page.url()).not.toMatch(/[?&](code|state)=/);
    await context.close();
  });

  it('says why a sign-in failed, and leads back to the login', async () => {
    const context = await browsing.browser.newContext({ locale: 'en-US', baseURL: service.baseUrl });
    const page = await context.newPage();
    await page.goto('/sso?state=invented&code=invented');
    await page.getByRole('alert').getByText('started in another browser').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByLabel('E-mail').fill('ann@unknown.example');
    await page.getByRole('button', { name: 'Sign in with your company' }).click();
    await page.getByRole('alert').getByText('No workspace has set up single sign-on').waitFor();
    await context.close();
  });

  it('takes the place of the password where it is required, without asking for a code', async () => {
    const email = `bert@${DOMAIN}`;
    const as = { ...service, apiKey: owner.apiKey };
    await call(as, 'POST', '/api/v1/members', { body: { email, role: 'viewer' } });
    expect(await accept(service, tokenOf(await mailTo(service, email)))).toMatchObject({ status: 200 });
    const { page, context } = await visitConsole(browsing.browser, service, owner);
    await page.goto('/account?tab=security');
    await page.getByLabel(/cannot log in by password/).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await context.close();

    const other = await browsing.browser.newContext({ locale: 'en-US', baseURL: service.baseUrl });
    const login = await other.newPage();
    await login.goto('/login');
    await login.getByLabel('E-mail').fill(email);
    await login.getByLabel('Password').fill('another long password');
    await login.getByRole('button', { name: 'Log in', exact: true }).click();
    await login.getByRole('alert').getByText('requires single sign-on').waitFor();
    await eventually(() => login.getByLabel('Code').count()).toBe(0);
    await other.close();
  });
});
