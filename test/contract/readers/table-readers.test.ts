import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { AnalyzeDocumentCommand, TextractClient } from '@aws-sdk/client-textract';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeAll } from 'vitest';
import type { PageTruth } from '../../../bench/corpus/truth.ts';
import { corpusPages } from '../../../bench/pages.ts';
import { decodeImage } from '../../../functions/adapters/codecs/decode-image.ts';
import { BedrockReader } from '../../../functions/adapters/readers/bedrock-reader.ts';
import { EmbeddedReader } from '../../../functions/adapters/readers/embedded-reader.ts';
import { TextractReader } from '../../../functions/adapters/readers/textract-reader.ts';
import type { TableReader } from '../../../functions/extraction/domain/reading/table-reader.ts';
import { rememberingModels } from '../../helpers/remembering-models.ts';
import { converseTruth, textractBlocks } from '../../helpers/service-answers.ts';
import { contractPages, describeTableReader } from '../../helpers/table-reader-contract.ts';

/** A screenshot: upright and straight, so that the truth's places are those of the page that Textract is sent. */
const straightPages = corpusPages('test/fixtures/pages').filter(({ truth }) => truth.id === 'screen-004');

const textract = mockClient(TextractClient);
const bedrock = mockClient(BedrockRuntimeClient);
const readers: Partial<Record<'embedded' | 'textract' | 'bedrock', TableReader>> = {};

beforeAll(async () => {
  const parts = { ...(await rememberingModels()), decode: decodeImage };
  const region = 'ap-northeast-2';
  readers.embedded = new EmbeddedReader(parts);
  const textractReader = new TextractReader({ client: new TextractClient({ region }), ...parts });
  readers.textract = answered(textractReader, (truth) =>
    textract.on(AnalyzeDocumentCommand).resolves({ Blocks: textractBlocks(truth) }),
  );
  const bedrockReader = new BedrockReader({
    client: new BedrockRuntimeClient({ region }),
    modelId: 'a-vision-model',
    onUnusableAnswer(why) {
      throw new Error(`The answer should have been used: ${why}`);
    },
    ...parts,
  });
  readers.bedrock = answered(bedrockReader, (truth) => bedrock.on(ConverseCommand).resolves(converseTruth(truth)));
});

/** A reader whose service answers with the truth of the given page. */
function answered(reader: TableReader, answer: (truth: PageTruth) => void): TableReader {
  return {
    read(image, template) {
      const page = [...contractPages, ...straightPages].find(({ bytes }) => Buffer.compare(bytes(), image) === 0);
      if (page) answer(page.truth);
      return reader.read(image, template);
    },
  };
}

describeTableReader('EmbeddedReader', () => readers.embedded!);
describeTableReader('TextractReader', () => readers.textract!, straightPages);
describeTableReader('BedrockReader', () => readers.bedrock!);
