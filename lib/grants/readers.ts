import { bedrockModelArns } from '../bedrock-model-arns.ts';
import { readersOf } from '../config.ts';
import { allow, type GrantMaker } from './grant.ts';

/** Folder of the OCR layer's models once Lambda has mounted it. */
const OCR_DIR = '/opt/ocr';

export const grantTextract: GrantMaker = ({ config }) =>
  readersOf(config).has('textract')
    ? [
        {
          statements: [allow(['textract:AnalyzeDocument'], ['*'])],
          wildcards: [{ resource: '*', reason: 'Textract has no resources: its rights are for all or none.' }],
        },
      ]
    : [];

/** The OCR layer, the choice of the reader, and its vision model. */
export const grantOcr: GrantMaker = (sources) => [
  { environment: { READER: sources.config.reader, OCR_DIR } },
  ...grantPdf(sources),
  ...grantBedrock(sources),
];

/** The OCR layer alone, which has PDFium. */
export const grantPdf: GrantMaker = ({ ocrLayer }) => (ocrLayer === null ? [] : [{ layers: [ocrLayer] }]);

/** The OCR layer and the place of its models, for reading pages that are pictures. */
export const grantScans: GrantMaker = (sources) =>
  grantPdf(sources).map((layer) => ({ ...layer, environment: { OCR_DIR } }));

const grantBedrock: GrantMaker = ({ config, stack }) => {
  const { bedrockModel } = config;
  if (bedrockModel === undefined || !readersOf(config).has('bedrock')) return [];
  const arns = bedrockModelArns(bedrockModel, stack);
  return [
    {
      statements: [allow(['bedrock:InvokeModel'], arns)],
      environment: { BEDROCK_MODEL: bedrockModel },
      wildcards: arns
        .filter((arn) => arn.includes(':*:'))
        .map((arn) => ({
          resource: arn.replace(/^arn:[^:]*:/, 'arn:<AWS::Partition>:'),
          reason: 'An inference profile chooses the region; the model is one.',
        })),
    },
  ];
};
