import { readFile } from 'node:fs/promises';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { EmbeddedReader } from '../../functions/adapters/embedded/embedded-reader.ts';
import { OnnxRecogniser } from '../../functions/adapters/embedded/onnx-recogniser.ts';

/** Uses everything that the OCR layer brings, on the page that is named; bundled and run by the test beside it. */
const [page = ''] = process.argv.slice(1);

(await PDFiumLibrary.init()).destroy();

const reader = new EmbeddedReader(await OnnxRecogniser.load(process.env.OCR_DIR ?? ''));
const { tables } = await reader.read(await readFile(page));
console.log(JSON.stringify(tables.flatMap(({ cells }) => cells.map(({ text }) => text.text))));
process.exit();
