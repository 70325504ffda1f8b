import { bedrockModelArns } from '../bedrock-model-arns.ts';
import { readersOf } from '../config.ts';
import { allow, type GrantMaker } from './grant.ts';

/** Folder of the OCR layer's models once Lambda has mounted it. */
const OCR_DIR = '/opt/ocr';

export const grantTextract: GrantMaker = ({ access }, { config }) =>
  access.textract && readersOf(config).has('textract')
    ? [
        {
          statements: [allow(['textract:AnalyzeDocument'], ['*'])],
          wildcards: [{ resource: '*', reason: 'Textract has no resources: its rights are for all or none.' }],
        },
      ]
    : [];

/** The OCR layer and the choice of the reader. */
export const grantOcr: GrantMaker = ({ access }, { config, ocrLayer }) =>
  access.ocr
    ? [{ environment: { READER: config.reader, OCR_DIR }, ...(ocrLayer !== null && { layers: [ocrLayer] }) }]
    : [];

/** The OCR layer alone, for functions that read PDFs, and where its models are, for those that read pictures of pages. */
export const grantPdf: GrantMaker = ({ access }, { ocrLayer }) =>
  access.pdf && ocrLayer !== null
    ? [{ layers: [ocrLayer], ...(access.pdf === 'scans' && { environment: { OCR_DIR } }) }]
    : [];

/** The vision model, for functions that read. */
export const grantBedrock: GrantMaker = ({ access }, { config, stack }) => {
  const { bedrockModel } = config;
  if (!access.ocr || bedrockModel === undefined || !readersOf(config).has('bedrock')) return [];
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
