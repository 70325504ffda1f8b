import type { workKinds } from '../../../functions/workflows/domain/graph/kinds/work-kinds.ts';
import type { NodeTexts } from './texts.ts';

const ONE = { out: 'The node has ended.' };

export const workTexts: Readonly<Record<keyof typeof workKinds, NodeTexts>> = {
  knowledge_search: {
    example: {
      config: {
        query: '{{sys.query}}',
        knowledge_base_ids: ['0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b'],
        top_k: 5,
      },
    },
    outputs: {
      documents: 'The passages, best first: `id`, `title`, `score`, `snippet`, `source`, `content`, `metadata`.',
      text: 'All passages as one text, each below its title in brackets.',
    },
    handles: ONE,
  },
  http_request: {
    example: {
      config: {
        method: 'POST',
        url: 'https://api.example.com/orders',
        params: { notify: true },
        auth: { kind: 'bearer', value: '{{env.api_key}}' },
        body: { total: '{{check.total}}' },
      },
    },
    outputs: {
      status: 'The HTTP status.',
      headers: 'Headers by lower-case name.',
      body: 'JSON, parsed, if the server declares it; otherwise the text.',
      text: 'The body as text; empty if it is binary.',
      files: 'A binary body as one file; otherwise empty.',
    },
    handles: ONE,
  },
  tool: {
    example: { config: { tool: 'get_order', arguments: { id: '{{start.id}}' } } },
    outputs: {
      result: 'The result: JSON, parsed, or the text.',
      text: 'The result as text.',
      json: 'The result as a list of objects.',
      files: 'Files that the tool has written.',
      '<member>': 'Each member of a result that is an object.',
    },
    handles: ONE,
  },
  code: {
    example: {
      inputs: { items: '{{read.items}}' },
      config: {
        language: 'python',
        code: "import json, sys\nitems = json.load(sys.stdin)['items']\nprint(json.dumps({'total': len(items)}))",
        outputs: { total: 'number' },
      },
    },
    outputs: {
      '<output>': 'Each member of the printed object.',
      files: 'Files that the program has written below `out/`, by address for an hour. Absent without any.',
    },
    handles: ONE,
  },
  extract: {
    example: { config: { image: '{{start.image_url}}' } },
    outputs: {
      extraction_id: 'Id of the extraction.',
      found_table: 'Whether the image shows a drug table.',
      document_type: 'Type of the document.',
      items: 'The drugs, as [extraction](../../extraction.md) describes them.',
      summary: 'Sums of the table.',
      meta: 'Readings around the table.',
      cost_krw: 'The price in KRW.',
    },
    handles: ONE,
  },
  template: {
    example: {
      inputs: { items: '{{read.items}}' },
      config: { template: '{% for item in items %}{{ item.drugName }}\n{% endfor %}' },
    },
    outputs: { text: 'The rendered text.' },
    handles: ONE,
  },
  sub_workflow: {
    example: {
      config: { workflow_id: '0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b', inputs: { page: '{{start.page}}' } },
    },
    outputs: {
      answer: 'The answer of the run.',
      outputs: 'What its answer nodes hand out by name.',
      run_id: 'Id of the run.',
      '<output>': 'Each member of `outputs`.',
    },
    handles: ONE,
  },
  list_operator: {
    example: {
      config: {
        items: '{{start.papers}}',
        filter: { match: 'all', conditions: [{ key: 'type', operator: 'equals', value: 'image' }] },
        sort: { key: 'name', order: 'asc' },
        limit: 3,
      },
    },
    outputs: {
      result: 'The entries that are left.',
      first: 'The first of them; null without any.',
      last: 'The last of them; null without any.',
    },
    handles: ONE,
  },
  document_extractor: {
    example: { config: { file: '{{start.paper}}' } },
    outputs: {
      text: 'The text; of a list of files a list of texts.',
      pages: 'Number of pages; null if the format has none. Of a list of files a list of numbers.',
    },
    handles: ONE,
  },
};
