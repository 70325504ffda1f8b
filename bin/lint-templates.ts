/** Lints the synthesized templates with cfn-lint, where Python has it: see the last part of `npm run synth`. */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

const templates = globSync('cdk.out/*.template.json');
const { status, error } = spawnSync('cfn-lint', ['--', ...templates], { stdio: 'inherit' });
if (error)
  console.log('The templates were not linted: there is no cfn-lint here. Install it with pip install cfn-lint.');
else console.log(`cfn-lint: ${templates.length} templates, ${status === 0 ? 'no findings' : 'findings above'}.`);
process.exitCode = error ? 0 : (status ?? 1);
