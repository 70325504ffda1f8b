import { readFile } from 'node:fs/promises';
import { Segment } from '../../functions/knowledge/domain/segment.ts';
import { pdfOf } from '../helpers/pdf.ts';

/** Bundled as functions are: shows that a document is read in a thread, with the PDF engine of the layer. */
const { threadedSegmentMaker } = await import('../../functions/adapters/knowledge/segment-thread.ts');
const document = { documentId: 'd', title: 'Probe' };
const caller = { tenant: 'probe' };
const { segment, passages, pages } = await threadedSegmentMaker().read(
  pdfOf('Hello from a page'),
  'pdf',
  document,
  caller,
);
// With the native modules and the models of the layer.
const picture = await threadedSegmentMaker(undefined, { ocrDirectory: process.env.OCR_DIR! }).read(
  await readFile(process.env.SCAN!),
  'image',
  document,
  caller,
);
const scanned = new Segment(picture.segment).passage(0).text;
console.log(JSON.stringify({ pages, passages, text: new Segment(segment).passage(0).text, scanned }));
