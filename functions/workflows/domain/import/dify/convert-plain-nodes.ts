import { listField, objectField, textField } from '../../graph/fields.ts';
import { isObject, type Json, type JsonObject } from '../../graph/graph.ts';
import { noted } from '../note-texts.ts';
import { conditions, memberConditions } from './comparisons.ts';
import type { Converter } from './conversion.ts';
import { fitting, parsed } from './convert-start.ts';
import { entryTypeOf, valueType } from './dify-file.ts';
import { idOf } from './names.ts';
import { constant, namedValues, numberOf } from './values.ts';

export const end: Converter = ({ data }, { names }) => {
  const outputs = listField(data, 'outputs').filter(isObject);
  const inputs = Object.fromEntries(
    outputs
      .filter((each) => textField(each, 'variable') !== '')
      .map((each) => [textField(each, 'variable'), names.selected(each.value_selector)]),
  );
  return { type: 'answer', config: { text: Object.values(inputs).filter(Boolean).map(String).join('\n') }, inputs };
};

export const answer: Converter = ({ data }, { names }) => ({
  type: 'answer',
  config: { text: names.text(textField(data, 'answer')) },
});

export const ifElse: Converter = ({ data }, conversion) => {
  const given = listField(data, 'cases').filter(isObject);
  // Files of before version 0.1.1 have one case, without an id.
  const cases =
    given.length > 0
      ? given
      : [{ case_id: 'true', logical_operator: data.logical_operator ?? 'and', conditions: data.conditions ?? [] }];
  const usable = cases.filter((each) => listField(each, 'conditions').length > 0);
  return {
    type: 'condition',
    config: {
      cases: (usable.length > 0 ? usable : cases).map((each) => ({
        id: textField(each, 'case_id') || 'true',
        ...conditions(each, conversion),
      })),
    },
  };
};

export const code: Converter = ({ data }, { names, note }) => {
  const isPython = textField(data, 'code_language') !== 'javascript';
  const program = textField(data, 'code');
  if (!/\bmain\b/.test(program)) note('changed', noted('no_main'));
  const imported = isPython ? importedModules(program) : [];
  const online = NEED_NETWORK.filter((name) => isAmong(name, imported));
  const missing = Object.keys(NOT_SELECTED).filter((name) => isAmong(name, imported));
  const selected = SELECTED.filter((name) => isAmong(name, imported));
  if (online.length > 0) note('changed', noted('needs_network', { packages: online.join(', ') }));
  if (missing.length > 0)
    note(
      'changed',
      noted('package_missing', {
        packages: missing.join(', '),
        distributions: missing.map((name) => NOT_SELECTED[name]).join(', '),
      }),
    );
  if (selected.length > 0) note('connect', noted('package', { packages: selected.join(', ') }));
  const declared = Object.entries(objectField(data, 'outputs')).map(
    ([name, output]) => [name, isObject(output) ? textField(output, 'type') : ''] as const,
  );
  const entries = declared
    .map(([name, type]) => [name, entryTypeOf(type)] as const)
    .filter(([, type]) => type !== 'any' && type !== 'file');
  const numbers = declared.filter(([, type]) => /^(number|array\[number\])$/.test(type)).map(([name]) => name);
  return {
    type: 'code',
    config: {
      language: isPython ? 'python' : 'javascript',
      code: isPython ? pythonProgram(program, numbers) : javascriptProgram(program),
      outputs: Object.fromEntries(declared.map(([name, type]) => [name, valueType(type)])),
      ...(entries.length > 0 && { entry_types: Object.fromEntries(entries) }),
    },
    inputs: namedValues(data, names),
  };
};

/** Modules whose use needs a network. */
const NEED_NETWORK = [
  ...[
    'requests',
    'httpx',
    'aiohttp',
    'urllib3',
    'urllib.request',
    'http.client',
    'smtplib',
    'ftplib',
    'socket',
    'openai',
  ],
  ...['pymysql', 'psycopg2', 'sqlalchemy', 'redis', 'boto3', 'oss2', 'akshare', 'feedparser'],
];
/** Modules of the packages that `npm run sandbox:packages` installs. */
const SELECTED = ['pandas', 'numpy', 'matplotlib', 'scipy', 'sympy', 'openpyxl', 'pypdf', 'PIL'];
/** Other modules that programs of such files use, with the names of their packages. */
const NOT_SELECTED: Readonly<Record<string, string>> = {
  ...{ sklearn: 'scikit-learn', cv2: 'opencv-python-headless', jieba: 'jieba', bs4: 'beautifulsoup4', lxml: 'lxml' },
  ...{ yaml: 'PyYAML', docx: 'python-docx', pptx: 'python-pptx', PyPDF2: 'PyPDF2', fitz: 'PyMuPDF' },
  ...{ markdown: 'Markdown', jinja2: 'Jinja2', pytz: 'pytz', pydantic: 'pydantic', qrcode: 'qrcode' },
  ...{
    json_repair: 'json-repair',
    tiktoken: 'tiktoken',
    seaborn: 'seaborn',
    plotly: 'plotly',
    xlsxwriter: 'XlsxWriter',
  },
};

function isAmong(name: string, imported: readonly string[]): boolean {
  return imported.some((each) => each === name || each.startsWith(`${name}.`));
}

function importedModules(program: string): readonly string[] {
  return program.split('\n').flatMap((line) => {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word !== 'import' && word !== 'from') return [];
    const modules = word === 'from' ? rest.slice(0, 1) : rest.join(' ').split(',');
    return modules.map((module) => module.trim().split(' ', 1)[0]!);
  });
}

/** As there, json and b64decode need no import, the program's prints are not its result, and True is 1 for a number. */
function pythonProgram(program: string, numbers: readonly string[]): string {
  const counted = `
    def _counted(value):
        if isinstance(value, list):
            return [_counted(each) for each in value]
        return int(value) if isinstance(value, bool) else value

    _result.update({name: _counted(_result[name]) for name in ${JSON.stringify(numbers)} if name in _result})`;
  return `import json
from base64 import b64decode

${program}


if __name__ == "__main__":
    import sys as _sys

    _out, _sys.stdout = _sys.stdout, _sys.stderr
    _result = main(**json.load(_sys.stdin))${numbers.length > 0 ? counted : ''}
    _out.write(json.dumps(_result))
`;
}

function javascriptProgram(program: string): string {
  return `console.log = console.info = console.debug = console.error;

${program}

Promise.resolve(main(JSON.parse(require('node:fs').readFileSync(0, 'utf8')))).then((result) =>
  process.stdout.write(JSON.stringify(result)),
);
`;
}

/** A node's template has at least one character. */
const EMPTY_TEMPLATE = '{{ "" }}';

export const template: Converter = ({ data }, { names }) => ({
  type: 'template',
  config: { template: textField(data, 'template') || EMPTY_TEMPLATE, syntax: 'jinja2' },
  inputs: namedValues(data, names),
});

export const aggregator: Converter = ({ data }, { names }) => {
  const settings = objectField(data, 'advanced_settings');
  const groups = settings.group_enabled === true ? listField(settings, 'groups').filter(isObject) : [];
  const first = (list: readonly Json[]): Json => {
    const sources = list.map((each) => names.sourceOf(each)).filter((each) => each !== null);
    return sources.length > 0 ? `{{${sources.join(' | ')}}}` : null;
  };
  const values =
    groups.length > 0
      ? Object.fromEntries(
          groups.map((group) => [textField(group, 'group_name'), { output: first(listField(group, 'variables')) }]),
        )
      : { output: first(listField(data, 'variables')) };
  return { type: 'variable_assign', config: { values } };
};

const OPERATIONS: Readonly<Record<string, string>> = {
  ...{ 'over-write': 'overwrite', set: 'overwrite', append: 'append', extend: 'extend', clear: 'clear' },
  ...{ '+=': 'add', '-=': 'subtract', '*=': 'multiply', '/=': 'divide' },
  ...{ 'remove-first': 'remove_first', 'remove-last': 'remove_last' },
};

export const assigner: Converter = ({ data }, conversion) => {
  const { names, note } = conversion;
  const given = listField(data, 'items').filter(isObject);
  const items =
    given.length > 0
      ? given
      : [
          {
            variable_selector: data.assigned_variable_selector ?? null,
            operation: data.write_mode ?? 'over-write',
            input_type: 'variable',
            value: data.input_variable_selector ?? null,
          },
        ];
  const converted = items.flatMap((item): JsonObject[] => {
    const selector = Array.isArray(item.variable_selector) ? item.variable_selector.map(String) : [];
    const [owner, name] = selector;
    const isKnown = owner !== undefined && name !== undefined && names.sourceOf(item.variable_selector) !== null;
    if (!isKnown) {
      note('changed', noted('assigns_undeclared', { variable: selector.join('.') || '' }));
      return [];
    }
    const operation = OPERATIONS[String(item.operation)] ?? 'overwrite';
    const variable = `${owner === 'conversation' ? owner : idOf(owner)}.${name}`;
    if (['clear', 'remove_first', 'remove_last'].includes(operation)) return [{ variable, operation }];
    const type = names.typeOfVariable(owner, name);
    const value =
      item.input_type === 'constant'
        ? constant(constantOf(item.value, operation, type), names)
        : names.selected(item.value) || null;
    return [{ variable, operation, value, ...(given.length > 0 && typesFor(operation, type)) }];
  });
  if (converted.length === 0) return { type: 'variable_assign', config: { values: {} } };
  return { type: 'assigner', config: { items: converted } };
};

const CALCULATIONS = ['add', 'subtract', 'multiply', 'divide'];

/** Numbers and objects may be texts in a file. */
function constantOf(value: Json | undefined, operation: string, type: string): Json | undefined {
  if (CALCULATIONS.includes(operation)) return numberOf(value) ?? value;
  return type === 'object' ? (parsed(value, isObject) ?? value) : value;
}

/** The types that a value must have for a variable, for assigners of version 2: others take any. */
function typesFor(operation: string, type: string): JsonObject {
  if (CALCULATIONS.includes(operation)) return { value_type: 'number' };
  const isEntry = operation === 'append' && valueType(type) === 'list';
  const value_type = isEntry ? entryTypeOf(type) : valueType(type);
  if (value_type === 'any' || value_type === 'file') return {};
  const entry_type = isEntry ? 'any' : entryTypeOf(type);
  return { value_type, ...(entry_type !== 'any' && entry_type !== 'file' && { entry_type }) };
}

export const listOperator: Converter = ({ data }, conversion) => {
  const { names } = conversion;
  const [filter, order, limit, extract] = ['filter_by', 'order_by', 'limit', 'extract_by'].map((name) =>
    objectField(data, name),
  ) as [JsonObject, JsonObject, JsonObject, JsonObject];
  const serial = typeof extract.serial === 'string' ? names.text(extract.serial) : (extract.serial ?? null);
  const size = numberOf(limit.size);
  return {
    type: 'list_operator',
    config: {
      items: names.selected(data.variable) || [],
      ...(filter.enabled === true && {
        filter: memberConditions({ logical_operator: 'and', conditions: filter.conditions ?? [] }, conversion),
      }),
      ...(extract.enabled === true && { extract: numberOf(serial) ?? serial }),
      ...(order.enabled === true && {
        sort: {
          ...(textField(order, 'key') !== '' && { key: textField(order, 'key') }),
          order: order.value === 'desc' ? 'desc' : 'asc',
        },
      }),
      ...(limit.enabled === true && size !== null && { limit: Math.max(1, Math.min(10_000, Math.floor(size))) }),
    },
  };
};

export const documentExtractor: Converter = ({ data }, { names }) => ({
  type: 'document_extractor',
  config: { file: names.selected(data.variable_selector) },
});

const ON_ITEM_ERROR: Readonly<Record<string, string>> = {
  'continue-on-error': 'null',
  'remove-abnormal-output': 'skip',
};

export const iteration: Converter = ({ data }, { names }) => ({
  type: 'iteration',
  config: {
    items: names.selected(data.iterator_selector) || [],
    output: names.selected(data.output_selector),
    concurrency: data.is_parallel === true ? Math.max(1, Math.min(50, numberOf(data.parallel_nums) ?? 10)) : 1,
    on_item_error: ON_ITEM_ERROR[textField(data, 'error_handle_mode')] ?? 'fail',
    // Lists of lists become one list there, unless the file says otherwise.
    ...(data.flatten_output !== false && { flatten: true }),
  },
});

export const loop: Converter = ({ data }, conversion) => {
  const { names } = conversion;
  const variables = listField(data, 'loop_variables').filter(isObject);
  const given = listField(data, 'break_conditions').filter(isObject);
  return {
    type: 'loop',
    config: {
      variables: Object.fromEntries(
        variables.map((each) => [
          textField(each, 'label'),
          each.value_type === 'variable'
            ? names.selected(each.value) || null
            : constant(fitting(each.value, valueType(each.var_type)), names),
        ]),
      ),
      max_passes: Math.max(1, Math.min(10_000, numberOf(data.loop_count) ?? 10)),
      ...(given.length > 0 && {
        until: conditions({ logical_operator: data.logical_operator ?? 'and', conditions: given }, conversion),
        on_limit: 'end',
      }),
    },
  };
};

export const loopEnd: Converter = () => ({ type: 'break', config: {} });
