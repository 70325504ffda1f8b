import { readFile } from 'node:fs/promises';
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { mockClient } from 'aws-sdk-client-mock';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PageTruth } from '../../../../bench/corpus/truth.ts';
import { decodeImage } from '../../../../functions/adapters/codecs/decode-image.ts';
import { loadMaster } from '../../../../functions/adapters/drug-master/master-bytes.ts';
import { SHIPPED_MASTER } from '../../../../functions/adapters/drug-master/shipped-master.ts';
import { BedrockReader } from '../../../../functions/adapters/readers/bedrock-reader.ts';
import { judgePage } from '../../../../functions/extraction/domain/judge-page.ts';
import type { DrugMaster } from '../../../../functions/extraction/domain/master/drug-master.ts';
import { preparePage } from '../../../../functions/extraction/domain/reading/page/prepare-page.ts';
import { readPrepared } from '../../../../functions/extraction/domain/reading/read-prepared.ts';
import type { PageReading } from '../../../../functions/extraction/domain/reading/table-reader.ts';
import { DEFAULT_TEMPLATE_ID, findTemplate } from '../../../../functions/extraction/domain/templates.ts';
import { shortPage } from '../../../helpers/page-images.ts';
import { rememberingModels } from '../../../helpers/remembering-models.ts';
import { converseAnswer } from '../../../helpers/service-answers.ts';

const template = findTemplate(DEFAULT_TEMPLATE_ID)!;
const TODAY = '2026-11-21';

describe('BedrockReader', () => {
  const bedrock = mockClient(BedrockRuntimeClient);
  afterAll(() => bedrock.restore());
  let reader: BedrockReader;
  let image: Buffer;
  let own: PageReading;
  let master: DrugMaster;
  let complaints: string[];

  beforeAll(async () => {
    const models = await rememberingModels();
    image = await shortPage();
    own = await readPrepared(await preparePage(await decodeImage(image), models), models.recogniser);
    master = await loadMaster(await readFile(SHIPPED_MASTER));
    reader = new BedrockReader({
      client: new BedrockRuntimeClient({ region: 'ap-northeast-2', maxAttempts: 1 }),
      modelId: 'a-vision-model',
      decode: decodeImage,
      ...models,
      onUnusableAnswer: (why) => complaints.push(why),
    });
  });
  beforeEach(() => {
    bedrock.reset();
    complaints = [];
  });

  /** The rows of the page, as a model gives them that reads as we do. */
  function pageRows(): string[][] {
    const { rowCount, columnCount, cells } = own.tables[0]!;
    return Array.from({ length: rowCount }, (_, row) =>
      Array.from(
        { length: columnCount },
        (_, column) => cells.find((cell) => cell.row === row && cell.column === column)?.text.text ?? '',
      ),
    );
  }

  const answer = (rows: unknown) => {
    const [header, ...body] = rows as string[][];
    return converseAnswer(header, body);
  };

  const judged = (reading: PageReading) =>
    judgePage(reading, template, master, { today: TODAY, serviceDate: TODAY }).items;

  it('gives what the model and our own recogniser both read, and lines may be GREEN', async () => {
    bedrock.on(ConverseCommand).resolves(answer(pageRows()));
    const reading = await reader.read(image, template);
    const items = judged(reading);
    expect(items.map(({ drugCode }) => drugCode)).toEqual(judged(own).map(({ drugCode }) => drugCode));
    expect(items.length).toBeGreaterThan(0);
    expect(items.map(({ status }) => status)).toContain('GREEN');
    expect(complaints).toEqual([]);
  });

  it('compares a list without any rule with the model as it does a table', async () => {
    const fixture = new URL('../../../fixtures/pages/scan-003', import.meta.url);
    const picture = await readFile(`${fixture.pathname}.jpg`);
    const { table } = JSON.parse(await readFile(`${fixture.pathname}.json`, 'utf8')) as PageTruth;
    const { grid, rows } = table!;
    const answered = Array.from({ length: grid.rowCount }, (_, row) =>
      grid.cells.filter((cell) => cell.row === row).map(({ text }) => text),
    );
    const codes = rows.map(({ item }) => item.drugCode);
    bedrock.on(ConverseCommand).resolves(answer(answered));
    const reading = await reader.read(picture, template);
    expect(reading).toMatchObject({ service: { outcome: 'read' } });
    expect(judged(reading).map(({ drugCode }) => drugCode)).toEqual(codes);
    const other = codes[1]!.replace(/.$/, (digit) => (digit === '7' ? '3' : '7'));
    bedrock
      .on(ConverseCommand)
      .resolves(answer(answered.map((row) => row.map((text) => (text === codes[1] ? other : text)))));
    const items = judged(await reader.read(picture, template));
    expect(items[1]!.status).not.toBe('GREEN');
  });

  it('sends the picture, the prompt of the template, and the form of the answer', async () => {
    bedrock.on(ConverseCommand).resolves(answer(pageRows()));
    await reader.read(image, { ...template, prompt: 'Only the second table.' });
    const { modelId, messages, toolConfig } = bedrock.commandCalls(ConverseCommand)[0]!.args[0].input;
    expect(modelId).toBe('a-vision-model');
    const [picture, prompt] = messages![0]!.content!;
    expect(prompt!.text).toBe('Only the second table.');
    const { width, height, format } = await sharp(picture!.image!.source!.bytes!).metadata();
    expect(own.page).toMatchObject({ width, height });
    expect(picture!.image!.format).toBe(format);
    expect(toolConfig!.toolChoice).toEqual({ tool: { name: toolConfig!.tools![0]!.toolSpec!.name } });
  });

  it('never accepts an invented value: a line that a model changes is not GREEN', async () => {
    const rows = pageRows();
    const green = judged(own).findIndex(({ status }) => status === 'GREEN');
    expect(green, 'a GREEN line to start with').toBeGreaterThanOrEqual(0);
    const line = rows.findIndex((cells) => cells.some((text) => text === judged(own)[green]!.drugCode));
    // The first column numbers the lines: no user sees it.
    for (const column of [...rows[line]!.keys()].slice(1)) {
      const invented = rows.map((cells, row) =>
        cells.map((text, c) =>
          row === line && c === column ? `${text.slice(0, -1)}${text.endsWith('7') ? 3 : 7}` : text,
        ),
      );
      bedrock.reset();
      bedrock.on(ConverseCommand).resolves(answer(invented));
      const items = judged(await reader.read(image, template));
      expect(items[green]!.status, rows[line]![column]).not.toBe('GREEN');
    }
  });

  it.each([
    ['filtered', { stopReason: 'content_filtered' }, 'content filter'],
    ['stopped by a guardrail', { stopReason: 'guardrail_intervened' }, 'guardrail'],
    ['cut off', { stopReason: 'max_tokens' }, 'token limit'],
    ['malformed', { stopReason: 'malformed_tool_use' }, 'malformed'],
    [
      'a refusal',
      { stopReason: 'end_turn', output: { message: { role: 'assistant', content: [{ text: 'I cannot help.' }] } } },
      'refused',
    ],
    ['empty', {}, 'refused'],
  ] as const)('reads by itself when the answer is %s, and says so', async (_, response, why) => {
    bedrock.on(ConverseCommand).resolves(response as never);
    expect(await reader.read(image, template)).toEqual({ ...own, service: { name: 'bedrock', outcome: 'failed' } });
    expect(complaints).toEqual([expect.stringContaining(why)]);
  });

  it.each([
    ['a number for a text', [['a'], [1]]],
    ['no rows', [['a'], 'b']],
    ['a text that is far too long', [['a'], ['x'.repeat(501)]]],
  ])('reads by itself when the answer has another form: %s', async (_, rows) => {
    bedrock.on(ConverseCommand).resolves(answer(rows));
    expect(await reader.read(image, template)).toEqual({ ...own, service: { name: 'bedrock', outcome: 'failed' } });
    expect(complaints).toEqual([expect.stringMatching(/form asked for \(tables\.0\./)]);
  });

  const failure = (name: string) => Object.assign(new Error('as the service says'), { name });

  it.each([
    ['ThrottlingException', 'throttled'],
    ['ServiceUnavailableException', 'throttled'],
    ['ModelNotReadyException', 'failed'],
    ['InternalServerException', 'failed'],
  ] as const)('reads by itself after %s, and says so', async (name, outcome) => {
    bedrock.on(ConverseCommand).rejects(failure(name));
    expect(await reader.read(image, template)).toEqual({ ...own, service: { name: 'bedrock', outcome } });
    expect(complaints).toEqual([expect.stringContaining(name)]);
  });

  it.each(['AccessDeniedException', 'ResourceNotFoundException', 'ValidationException'])(
    'reads by itself after %s, and names the model and what to check',
    async (name) => {
      bedrock.on(ConverseCommand).rejects(failure(name));
      expect(await reader.read(image, template)).toMatchObject({ service: { outcome: 'failed' } });
      expect(complaints).toEqual([
        expect.stringMatching(new RegExp(`a-vision-model \\(${name}.*enabled.*bedrockModel`)),
      ]);
    },
  );

  it('reads by itself when the model is too slow for the caller', async () => {
    bedrock.on(ConverseCommand).rejects(failure('TimeoutError'));
    expect(await reader.read(image, template, { deadlineMs: Date.now() + 60_000 })).toEqual({
      ...own,
      service: { name: 'bedrock', outcome: 'failed' },
    });
    expect(complaints).toEqual([expect.stringContaining('TimeoutError')]);
  });

  it('does not pay for a picture on which nothing is legible', async () => {
    const blank = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'white' } })
      .png()
      .toBuffer();
    expect(await reader.read(blank, template)).toMatchObject({ image: { readable: false }, tables: [] });
    expect(bedrock.calls()).toHaveLength(0);
  });
});
