/** Reads an image and writes a picture of the results, for people: see USAGE. */
import { readFile, writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { FileDrugMaster, MASTER_FILE } from '../functions/adapters/drug-master/file-drug-master.ts';
import { onnxModels } from '../functions/adapters/readers/onnx-models.ts';
import { OnnxTableNetwork } from '../functions/adapters/readers/onnx-table-network.ts';
import type { JudgedPage } from '../functions/extraction/domain/extraction.ts';
import { koreanDate } from '../functions/extraction/domain/korean-date.ts';
import { DEFAULT_TEMPLATE_ID, findTemplate, templateIds } from '../functions/extraction/domain/templates.ts';
import { explanationOf } from '../show/explanation.ts';
import { showImage } from '../show/show-image.ts';
import { runCommand, UsageError } from './command-line.ts';

const USAGE = `Usage: npm run show -- <image> [--out picture.png] [--template ${DEFAULT_TEMPLATE_ID}] [--data-dir .local]

  --out       where the picture goes (default: in the image's folder, as <image>.shown.png)
  --template  the template to read by: ${templateIds.join(', ')}
  --data-dir  data directory with the drug master to compare with (default: TRIPOD_DATA_DIR, else .local); the shipped list without one

It reads as the service does; nothing is charged or stored. It also prints the header words, sections and rows that it
found, or why it found no drug table, which reading was answered, and what the network took each print of its lines for; the local service adds the same to an extraction with ?debug=1.`;

await runCommand(USAGE, run);

async function run(): Promise<void> {
  const { image, out, template, dataDirectory } = readArguments();
  const master = await new FileDrugMaster(pathToFileURL(join(dataDirectory, MASTER_FILE))).current();
  const today = koreanDate(Date.now());
  const { png, judged, trace } = await showImage(await readImage(image), {
    ...(await onnxModels()),
    network: await OnnxTableNetwork.load(),
    template,
    master,
    today,
  });
  await writeFile(out, png);
  console.log([sentence(judged), ...explanationOf(trace), out].join('\n'));
}

function readArguments() {
  const { values, positionals } = parsed();
  const [image, ...more] = positionals;
  if (image === undefined || more.length > 0) throw new UsageError('Name exactly one image.');
  const template = findTemplate(values.template);
  if (template === null) throw new UsageError(`There is no template ${JSON.stringify(values.template)}.`);
  const { dir, name } = parse(image);
  return {
    image,
    template,
    out: values.out ?? join(dir, `${name}.shown.png`),
    dataDirectory: values['data-dir'] ?? (process.env.TRIPOD_DATA_DIR || '.local'),
  };
}

function parsed() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        out: { type: 'string' },
        template: { type: 'string', default: DEFAULT_TEMPLATE_ID },
        'data-dir': { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function readImage(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new Error(`The image cannot be read: ${(error as Error).message}`);
  }
}

function sentence({ foundTable, meta, summary: { items, byStatus } }: JudgedPage): string {
  if (!foundTable) return `No drug table was found: ${meta.documentKind}.`;
  return `${items} lines: ${byStatus.green} GREEN, ${byStatus.yellow} YELLOW, ${byStatus.red} RED.`;
}
