import { describe, expect, it } from 'vitest';
import { phrasesOf } from '../../../functions/shared/phrases.ts';
import { ISSUE_TEXTS } from '../../../functions/workflows/domain/graph/issue-texts.ts';
import { graphIssues } from '../../../functions/workflows/domain/graph/validate-graph.ts';
import { fromDify } from '../../../functions/workflows/domain/import/dify/from-dify.ts';
import { NOTE_TEXTS } from '../../../functions/workflows/domain/import/note-texts.ts';
import { latinSentences } from '../../helpers/latin-sentences.ts';
import { difyFile, difyNode, difyStart } from '../../helpers/workflows/dify.ts';
import { graph, node } from '../../helpers/workflows/graphs.ts';

const valuesIn = (text: string) => [...new Set(text.match(/<\w+>/g))].sort();

describe.each(Object.entries({ ...ISSUE_TEXTS, ...NOTE_TEXTS }))('the text %s', (_, { en, ko }) => {
  it('has the same values in both languages, and no English in Korean', () => {
    expect(valuesIn(ko)).toEqual(valuesIn(en));
    expect(ko.replace(/<\w+>/g, '') === '' || /[가-힣]/.test(ko)).toBe(true);
    expect(latinSentences(ko)).toEqual([]);
  });
});

it('a phrase has its values in both languages, also those that look like values', () => {
  const say = phrasesOf({ seen: { en: 'Saw <one> and <two>.', ko: '<two>, <one> 보임.' } });
  expect(say('seen', { one: '<two>', two: { en: 'b', ko: '나' } })).toEqual({
    code: 'seen',
    en: 'Saw <two> and b.',
    ko: '나, <two> 보임.',
  });
});

it('issues of a graph are said in both languages, with the titles of nodes', () => {
  const nodes = [
    node('start', 'start'),
    node('a', 'condition', {}, { title: '나눔' }),
    node('b', 'code', { language: 'perl', code: 'x', extra: 1 }),
  ];
  const issues = graphIssues(graph(nodes, ['start > a', 'a > missing']));
  expect(issues.find(({ code, nodeId }) => code === 'missing' && nodeId === 'a')).toMatchObject({
    field: 'config.cases',
    message: 'Node "나눔": config.cases is missing. Set it to a list.',
    korean: '"나눔" 노드의 config.cases: 값이 없습니다. 필요한 값: 목록.',
  });
  expect(issues.length).toBeGreaterThan(4);
  for (const { korean, code } of issues) expect(latinSentences(korean), code).toEqual([]);
});

it('notes of an import are said in both languages', () => {
  const file = difyFile(
    [
      difyStart(),
      difyNode('model', { type: 'llm', model: { name: 'gpt', completion_params: { seed: 1 } }, prompt_template: [] }),
      difyNode('other', { type: 'unheard-of' }),
      difyNode('web', { type: 'http-request', method: 'brew', ssl_verify: false, url: '{{#gone.text#}}' }),
    ],
    ['start > model', 'model > other', 'other > web'],
    { features: { opening_statement: '안녕하세요', speech_to_text: { enabled: true } } },
  );
  const { notes } = fromDify(JSON.parse(file));
  expect(notes.map(({ code }) => code)).toEqual(
    expect.arrayContaining([
      ...['model_with_parameters', 'node_type', 'method', 'certificates', 'dead_reference'],
      ...['opening_statement', 'speech_to_text'],
    ]),
  );
  for (const { korean, message } of notes) {
    expect(korean).toMatch(/[가-힣]/);
    expect(latinSentences(korean), message).toEqual([]);
  }
});
