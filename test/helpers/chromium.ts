import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Chromium has no sandbox for root; the pages are ours. */
export const SANDBOX_ARGUMENTS = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** A real browser without a window; null where this machine has none. Where the project is checked as a whole, it must be there. */
export async function launchChromium(): Promise<Browser | null> {
  const executablePath = chromiumPath();
  if (executablePath !== undefined) return chromium.launch({ executablePath, args: SANDBOX_ARGUMENTS });
  if (process.env.CI) throw new Error(`None of ${NAMES.join(', ')} is installed, and nothing else tests it here.`);
  return null;
}

/** undefined where none is installed. */
export function chromiumPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
