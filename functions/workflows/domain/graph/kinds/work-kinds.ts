import { MAX_TEXT_LENGTH } from '../fields.ts';
import {
  any,
  application,
  DEFAULT_HITS,
  declaredOutputs,
  importedFrom,
  LANGUAGES,
  match,
  memberConditions,
  OUTPUT_TYPES,
  single,
  text,
  timeoutSeconds,
  typed,
} from '../node-fields.ts';
import type { NodeKinds } from '../node-kind.ts';

/** Nodes that do something beyond the engine, without a model. */
export const workKinds: NodeKinds<
  | 'knowledge_search'
  | 'http_request'
  | 'tool'
  | 'code'
  | 'extract'
  | 'template'
  | 'sub_workflow'
  | 'list_operator'
  | 'document_extractor'
> = {
  knowledge_search: {
    about: 'Searches knowledge bases for passages, as a list and as one text for prompts.',
    nature: 'effect',
    config: {
      query: { ...text, description: 'The text to search for: the first 2,000 characters of it.' },
      knowledge_base_ids: {
        kind: 'list',
        min: 0,
        max: 10,
        of: { kind: 'literal' },
        description: 'Ids of knowledge bases of the workspace. Without any, the node fails with `not_connected`.',
      },
      top_k: {
        kind: 'integer',
        min: 1,
        max: 50,
        description: 'Passages that are given out at most.',
        byDefault: DEFAULT_HITS,
        optional: true,
      },
    },
    outputs: typed({ documents: 'list', text: 'text' }),
    handles: single,
  },
  http_request: {
    about:
      'Calls an address on the public internet, or a server that the operator names in `LAN_HOSTS`. Requests other than GET and HEAD ' +
      'carry an `Idempotency-Key`, the same in each attempt.',
    nature: 'effect',
    config: {
      method: {
        kind: 'choice',
        of: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
        description: 'Method of the request.',
        byDefault: 'GET',
        optional: true,
      },
      url: { kind: 'text', maxLength: 8_000, description: 'The address, with http or https.' },
      params: {
        kind: 'record',
        max: 100,
        of: any,
        description:
          'Parameters that are added to the address, encoded: no value can add another one. A list gives several of one name.',
        optional: true,
        anyName: true,
      },
      headers: {
        kind: 'record',
        max: 50,
        of: text,
        description: 'Headers by name. They take precedence over those that the node sets itself.',
        optional: true,
        anyName: true,
      },
      auth: {
        kind: 'object',
        description: 'A credential for the server.',
        optional: true,
        fields: {
          kind: {
            kind: 'choice',
            of: ['bearer', 'basic', 'header'],
            description:
              '`bearer` and `basic` are sent as `Authorization`, `header` in a header of any name. `basic` encodes `name:password`.',
          },
          header: {
            kind: 'literal',
            description: 'With the kind `header`: the name of the header. Without it: `Authorization`.',
            optional: true,
          },
          value: {
            ...text,
            description: 'The token, `name:password`, or the value of the header: mostly a secret, `{{env.api_key}}`.',
          },
        },
      },
      body: {
        ...any,
        description: 'The body: a text, an object, or a file, as `body_type` takes it. Without it: none.',
        optional: true,
      },
      body_type: {
        kind: 'choice',
        of: ['json', 'text', 'form', 'multipart', 'binary'],
        description:
          'How the body is written, and its `Content-Type`. `form` and `multipart` take an object, whose files are parts of a `multipart`; ' +
          '`binary` takes a file. Without it: `text` for a text, otherwise `json`.',
        optional: true,
      },
      fail_on_status: {
        kind: 'flag',
        description: 'Whether a status of 400 or more fails the node. False: it is an output like any other.',
        byDefault: true,
        optional: true,
      },
      timeout_seconds: timeoutSeconds('http_request', 120),
    },
    outputs: typed({ status: 'number', headers: 'object', body: 'any', text: 'text', files: 'list' }),
    handles: single,
  },
  tool: {
    about:
      'Calls a tool of an application without a model. Without `application_id`, `chart`, `markdown_to_docx`, `markdown_to_pdf`, ' +
      '`code_interpreter`, `web_fetch` and `time` are available in addition.',
    nature: 'effect',
    config: {
      application_id: application('whose tool is called'),
      tool: { kind: 'literal', description: 'Name of the tool.' },
      arguments: {
        kind: 'record',
        max: 100,
        of: any,
        description: 'Arguments by name, as the schema of the tool asks for them.',
        optional: true,
        anyName: true,
      },
      imported_from: importedFrom,
      timeout_seconds: timeoutSeconds('tool', 240),
    },
    outputs: typed({ result: 'any', text: 'text', json: 'list', files: 'list' }),
    isOpen: true,
    handles: single,
  },
  code: {
    about:
      'Runs a program in the sandbox. It reads the `inputs` of the node as JSON on standard input, and prints its outputs as one JSON ' +
      'object. Inputs that are data: URLs are files in `inputs/`, too.',
    nature: 'effect',
    config: {
      language: { kind: 'choice', of: LANGUAGES, description: 'Language of the program.' },
      code: {
        kind: 'literal',
        maxLength: 200_000,
        description: 'The program. References are not replaced in it: pass values as `inputs`.',
      },
      outputs: {
        kind: 'record',
        max: 50,
        of: { kind: 'choice', of: OUTPUT_TYPES },
        description:
          'Outputs by name, with their types. A program that does not print one of them fails with `invalid_output`.',
        optional: true,
      },
      entry_types: {
        kind: 'record',
        max: 50,
        of: { kind: 'choice', of: OUTPUT_TYPES },
        description:
          'Types of the entries of outputs that are lists, by name. An entry of another type fails with `invalid_output`; null is of any.',
        optional: true,
      },
      timeout_seconds: timeoutSeconds('code', 300),
    },
    outputs: (node) => declaredOutputs(node),
    handles: single,
  },
  extract: {
    about:
      'Reads the drug table of an image. It is charged to the workspace once, also if it is repeated after a crash.',
    nature: 'effect',
    config: {
      image: { ...any, description: 'The image: a file, an https address, or a data: URL.' },
      template_id: {
        kind: 'literal',
        description: 'The `templateId` of the extraction.',
        optional: true,
      },
    },
    outputs: typed({
      extraction_id: 'text',
      found_table: 'boolean',
      document_type: 'text',
      items: 'list',
      summary: 'object',
      meta: 'object',
      cost_krw: 'number',
    }),
    handles: single,
  },
  template: {
    about:
      'Renders a template over the `inputs` of the node. It has no other values: one that uses members of a node, or an unknown filter, ' +
      'keeps the graph from being published.',
    nature: 'effect',
    config: {
      template: { kind: 'literal', maxLength: MAX_TEXT_LENGTH, description: 'The template.' },
      syntax: {
        kind: 'choice',
        of: ['liquid', 'jinja2'],
        description: 'Language of the template.',
        byDefault: 'liquid',
        optional: true,
      },
    },
    outputs: typed({ text: 'text' }),
    handles: single,
  },
  sub_workflow: {
    about:
      'Runs another workflow of the workspace as a separate run, which starts once, also after a crash. Five may run within each other.',
    nature: 'effect',
    config: {
      workflow_id: {
        kind: 'literal',
        pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
        form: { en: 'the UUID of a workflow of the workspace', ko: '워크스페이스에 있는 워크플로의 UUID' },
        description: 'The workflow.',
      },
      version: {
        kind: 'integer',
        min: 1,
        max: 1_000_000,
        description: 'Number of the version that runs. Without it: the one that is published when the node runs.',
        optional: true,
      },
      inputs: {
        kind: 'record',
        max: 100,
        of: any,
        description: 'Values of the fields of its start node. Secrets are not passed on.',
        optional: true,
      },
      query: { ...text, description: '`{{sys.query}}` of the run. Without it: empty.', optional: true },
      files: {
        ...any,
        description: '`{{sys.files}}` of the run: a file, an address, or a list of them.',
        optional: true,
      },
      timeout_seconds: timeoutSeconds('sub_workflow', 280),
    },
    outputs: typed({ answer: 'text', outputs: 'object', run_id: 'text' }),
    isOpen: true,
    handles: single,
  },
  list_operator: {
    about: 'Filters a list, takes out one entry, sorts and cuts it, in this order.',
    nature: 'effect',
    config: {
      items: { kind: 'value', type: 'list', description: 'The list.' },
      filter: {
        kind: 'object',
        description: 'The entries that are kept. Without it: all.',
        optional: true,
        fields: { match, conditions: memberConditions },
      },
      extract: {
        kind: 'value',
        type: 'number',
        description:
          'Number of the only entry that is kept, from 1. One that the list does not have fails with `invalid_items`.',
        optional: true,
      },
      sort: {
        kind: 'object',
        description: 'The order of the entries: numbers by size, anything else by its text. Without it: as they are.',
        optional: true,
        fields: {
          key: {
            kind: 'literal',
            description: 'The compared member of an entry. Without it: the entry itself.',
            optional: true,
          },
          order: {
            kind: 'choice',
            of: ['asc', 'desc'],
            description: 'Ascending or descending.',
            byDefault: 'asc',
            optional: true,
          },
        },
      },
      limit: {
        kind: 'integer',
        min: 1,
        max: 10_000,
        description: 'Entries that are kept at most. Without it: all.',
        optional: true,
      },
    },
    outputs: typed({ result: 'list', first: 'any', last: 'any' }),
    handles: single,
  },
  document_extractor: {
    about:
      'Reads the text of a file: PDF, Word, Excel, PowerPoint, Hangul (`.hwp`, `.hwpx`), OpenDocument text, RTF, EPUB, e-mail, HTML, ' +
      'Markdown, plain text.',
    nature: 'effect',
    config: {
      file: { ...any, description: 'The file, its address, or a list of up to 20, which gives lists of texts.' },
      timeout_seconds: timeoutSeconds('document_extractor', 240),
    },
    outputs: typed({ text: 'any', pages: 'any' }),
    handles: single,
  },
};
