/** The arguments are wrong: the usage is shown with it. */
export class UsageError extends Error {}

/** As `fetch`. @throws Error in words for the person at the terminal when nothing answers at the address */
export async function fetchFrom(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    const { origin = url } = URL.parse(url) ?? {};
    throw new Error(
      `${origin} does not answer (${code ?? message}). Is the service running? npm start starts the local one.`,
    );
  }
}

/** Runs a command-line program; an error is printed as a sentence, without a stack trace. */
export async function runCommand(usage: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    console.error((error as Error).message);
    if (error instanceof UsageError) console.error(`\n${usage}`);
    process.exitCode = 1;
  }
}
