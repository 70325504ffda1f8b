import { objectField, textField } from '../../graph/fields.ts';
import type { JsonObject } from '../../graph/graph.ts';
import { noted } from '../note-texts.ts';
import { builtInTool } from './built-in-tools.ts';
import type { Conversion, Converted, Converter } from './conversion.ts';
import { parameterValue } from './values.ts';

/** A tool of a plugin. Its parameters are kept: the node runs once an application has a tool of its name. */
export const tool: Converter = ({ data }, conversion) => {
  const given = { ...objectField(data, 'tool_configurations'), ...objectField(data, 'tool_parameters') };
  const args = Object.fromEntries(
    Object.entries(given)
      .map(([name, parameter]) => [name, parameterValue(parameter, conversion.names)] as const)
      .filter(([, value]) => value !== null && value !== ''),
  );
  const name = textField(data, 'tool_name');
  const provider = textField(data, 'provider_name') || textField(data, 'provider_id');
  if (name === 'current_time' && /(^|\/)time$/.test(provider)) return currentTime(args);
  const named = { tool: name, provider, arguments: args };
  return builtInTool(named, conversion) ?? unconnectedTool(named, conversion);
};

/** The clock tool needs no plugin here: a program returns the time in the zone and the form that the file names. */
function currentTime({ timezone = 'UTC', format = '%Y-%m-%d %H:%M:%S' }: JsonObject): Converted {
  return {
    type: 'code',
    config: { language: 'python', code: CLOCK, outputs: { text: 'text', json: 'list', files: 'list' } },
    inputs: { timezone, format },
  };
}

const CLOCK = `import json
import sys
from datetime import datetime
from zoneinfo import ZoneInfo

given = json.load(sys.stdin)
text = datetime.now(ZoneInfo(given["timezone"])).strftime(given["format"])
print(json.dumps({"text": text, "json": [], "files": []}))
`;

export function unconnectedTool(
  {
    tool: name,
    provider,
    arguments: args,
  }: { readonly tool: string; readonly provider: string; readonly arguments: JsonObject },
  { note }: Pick<Conversion, 'note'>,
): Converted {
  const own = toolName(name);
  note(
    'connect',
    noted('tool', { name: JSON.stringify(name), provider: JSON.stringify(provider), own: JSON.stringify(own) }),
  );
  return { type: 'tool', config: { tool: own, arguments: args, imported_from: `${provider}/${name}`.slice(0, 500) } };
}

/** Names of tools are letters, digits, _ and - here. */
export function toolName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'tool';
}
