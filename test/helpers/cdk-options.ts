/** In the place of `cdk` for the snippets of the documentation: fails where a command or an option of it does not exist. */
import { readConfig } from '../../lib/config.ts';

const COMMANDS = ['bootstrap', 'deploy', 'destroy', 'diff', 'synth'];

const [, command = '', ...words] = process.argv.slice(2);
if (!COMMANDS.includes(command)) throw new Error(`cdk has no command ${command}.`);
const context = new Map<string, string>();
for (const [index, word] of words.entries())
  if (word === '-c' || word === '--context') {
    const [name = '', value = ''] = (words[index + 1] ?? '').split(/=(.*)/s);
    context.set(name, value);
  }
const known = new Set<string>();
readConfig((name) => {
  known.add(name);
  return context.get(name);
});
const unknown = [...context.keys()].filter((name) => !known.has(name) && !name.startsWith('@aws-cdk/'));
if (unknown.length > 0) throw new Error(`There is no option ${unknown.join(', ')}.`);
console.log(`cdk ${command}`);
