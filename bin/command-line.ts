/** The arguments are wrong: the usage is shown with it. */
export class UsageError extends Error {}

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
