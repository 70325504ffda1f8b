import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { encode } from 'uqr';
import { expect, it } from 'vitest';
import { useBrowser } from '../helpers/browser.ts';
import { accessibilityFaults, eventually, expectNoSidewaysScroll, visitConsole } from '../helpers/console.ts';
import { joinedMember } from '../helpers/members.ts';
import { createWorkspace } from '../helpers/workspace.ts';

const browsing = useBrowser();

/** @param steps later than now */
const codeFrom = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Enrols on the page of the account. @returns the secret, and the recovery codes that the page shows */
async function enrol(page: Page, password: string) {
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Enrol a second factor' }).click();
  const drawing = page.getByRole('img', { name: 'QR code for the authenticator app' });
  await drawing.waitFor();
  const secret = await page.locator('code').first().innerText();
  const path = await drawing.locator('path').getAttribute('d');
  await page.getByRole('textbox', { name: 'Code' }).fill(codeFrom(secret, -1));
  await page.getByRole('button', { name: 'Switch it on' }).click();
  await page.getByText('Recovery codes.').waitFor();
  return { secret, path, codes: (await page.locator('code').first().innerText()).split('\n') };
}

async function logIn(page: Page, { email, password }: { readonly email: string; readonly password: string }) {
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

it('the console enrols a second factor with a QR code that it draws itself, asks for it at the login, and takes a recovery code', async () => {
  const owner = await createWorkspace();
  const { page, context, complaints } = await visitConsole(browsing.browser, browsing.service, owner);
  await page.goto('/account?tab=security');
  const { secret, path, codes } = await enrol(page, owner.password);
  expect(codes).toHaveLength(10);
  // The drawing is the address that the secret is a part of.
  const label = encodeURIComponent(owner.email);
  const uri = `otpauth://totp/Tripod:${label}?issuer=Tripod&secret=${secret}&algorithm=SHA1&digits=6&period=30`;
  const { data } = encode(uri, { ecc: 'M', border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  expect(path).toBe(dark.join(''));
  await page.getByText('10 recovery codes are left').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 375, height: 900 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await context.clearCookies();
  await logIn(page, owner);
  await page.getByRole('textbox', { name: 'Code' }).fill('000000');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('The code is wrong').waitFor();
  await page.getByRole('textbox', { name: 'Code' }).fill(codeFrom(secret));
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();

  await context.clearCookies();
  await logIn(page, owner);
  await page.getByRole('textbox', { name: 'Code' }).fill(codes[0]!);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.goto('/account?tab=security');
  await page.getByText('9 recovery codes are left').waitFor();
  await page.getByRole('textbox', { name: 'Code' }).fill(codes[1]!);
  await page.getByLabel('Your password').fill(owner.password);
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Enrol a second factor' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

it('the console leads a member of a workspace that requires a second factor to enrol one, and then lets them in', async () => {
  const owner = await createWorkspace();
  const member = await joinedMember(browsing.service, owner, 'admin');
  const { page, context, complaints } = await visitConsole(browsing.browser, browsing.service, owner);
  await page.goto('/account?tab=security');
  await enrol(page, owner.password);
  await page.getByRole('button', { name: 'Require a second factor' }).click();
  await page.getByRole('button', { name: 'No longer require it' }).waitFor();

  await context.clearCookies();
  await logIn(page, member);
  await page.getByText('Your workspace requires a second factor').waitFor();
  await enrol(page, member.password);
  await page.goto('/applications');
  await page.getByRole('heading', { name: 'Applications' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

it('the console lists where a person is signed in, and signs out another browser', async () => {
  const owner = await createWorkspace();
  const phone = await visitConsole(browsing.browser, browsing.service, owner, { width: 375 });
  const { page, context, complaints } = await visitConsole(browsing.browser, browsing.service, owner);
  await page.goto('/account?tab=security');
  const sessions = page.getByRole('region', { name: 'Signed-in sessions' });
  await eventually(() => sessions.getByRole('listitem').count()).toBe(2);
  expect(await sessions.getByRole('listitem').first().innerText()).toContain('This session');
  await sessions.getByRole('button', { name: /^Sign out Chrome/ }).click();
  await eventually(() => sessions.getByRole('listitem').count()).toBe(1);
  const status = await phone.page.evaluate<number>("fetch('/api/v1/auth/me').then(({ status }) => status)");
  expect(status).toBe(401);
  await page.reload();
  await sessions.getByText('This session').waitFor();
  expect(complaints).toEqual([]);
  await Promise.all([context.close(), phone.context.close()]);
});
