import { decodePdf } from '../../functions/adapters/codecs/decode-pdf.ts';

/** One empty page; PDFium rebuilds the table of contents that is missing at the end. */
const PDF = `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>> endobj
trailer <</Root 1 0 R>>
%%EOF`;

/** Bundled and run by the test in this folder, as a function would be. */
const { pageCount, raster } = await decodePdf(Buffer.from(PDF), () => 1);
console.log(`${pageCount} page of ${raster.width} × ${raster.height}`);
process.exit();
