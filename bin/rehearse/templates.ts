import { spawnSync } from 'node:child_process';

/** Templates by the last part of their stack's name, in the order in which they are deployed. */
export type Templates = readonly (readonly [part: string, template: object])[];

/** Synthesizes without the code of the functions, and without checks. */
const SYNTHESIS = `
  const { synthesize } = await import('./test/stack/synthesized.ts');
  const { templates } = synthesize({}, undefined, { isChecked: false });
  console.log(JSON.stringify([...templates].map(([part, template]) => [part, template.toJSON()])));
`;

/** @param folder of this version or of a previous one, with packages. @throws Error with what synthesis printed */
export function templatesOf(folder: string): Templates {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', SYNTHESIS], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`The templates of ${folder} were not synthesized: ${stderr}`);
  return JSON.parse(stdout.slice(stdout.indexOf('[[')));
}
