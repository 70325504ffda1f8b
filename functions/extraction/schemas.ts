import * as z from 'zod';
import { pageQuery } from '../shared/http/page-query.ts';
import { UPLOAD_TYPES } from './domain/create-upload.ts';
import { MAX_IMAGE_BYTES } from './domain/inline-image.ts';
import { ROLES } from './domain/interpret/learned/roles.ts';
import { MAX_LABEL_LENGTH } from './domain/labels.ts';
import { EXTRACTION_CURSOR } from './domain/list-extractions.ts';
import { REVIEW_FIELDS } from './domain/review.ts';
import { templateIds } from './domain/templates.ts';
import { review } from './review-schemas.ts';

/** Request and response bodies of the extraction service. */

/** The domain checks the rules that only the description gives here: it has specific codes for them. */
export const templateId = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe('Version of the template; default: "default"')
  .meta({ enum: templateIds });

export const serviceDate = z.iso
  .date('must be a day like 2026-11-01')
  .optional()
  .describe(
    'Day of the treatment: prices that were in force on it are current. Absent: the date that the sheet prints, else today',
  );

const label = (text: string) =>
  z
    .string()
    .regex(/^\P{Cc}+$/u, 'must have at least one character, and no control characters')
    .max(MAX_LABEL_LENGTH)
    .optional()
    .describe(text);

export const labels = {
  fileName: label('Name of the file, for lists and exports; changes nothing of the reading'),
  reference: label('An id of your own records, for lists and exports'),
};

export const shownLabels = {
  fileName: z.string().nullable().describe('As the request named it; null: not named'),
  reference: z.string().nullable().describe('As the request gave it; null: none'),
};

export const pageNumber = z.int().min(1).max(10_000);

export const extractBody = z
  .strictObject({
    image: z
      .string()
      .min(1, 'is empty; send the picture in base64')
      .optional()
      .describe(
        'The picture in base64, bare or as a data: URL; up to 18 MB decoded. Exactly one of image and imageUrl',
      ),
    imageUrl: z.url().max(4096).optional().describe('https URL of the picture; a presigned one is recommended'),
    templateId,
    serviceDate,
    page: pageNumber
      .optional()
      .describe('Page of a PDF or TIFF, from 1. Absent: the first; further pages are an issue (multiple_pages)'),
    ...labels,
  })
  .describe('Exactly one of image and imageUrl');

export const extractQuery = z.strictObject({
  debug: z
    .literal('1', 'must be 1, or left out')
    .optional()
    .describe('1: with how the page was interpreted. In the local service only; elsewhere it is refused as unknown'),
});

export const uploadBody = z.strictObject({
  contentType: z
    .string()
    .min(1)
    .max(100)
    .describe('image/jpeg, image/png, image/webp, image/tiff, image/bmp or application/pdf')
    .meta({ enum: UPLOAD_TYPES }),
  contentLength: z
    .int()
    .positive()
    .optional()
    .describe('Bytes of the image, 18 MB at most. If given, uploadUrl takes exactly this number')
    .meta({ maximum: MAX_IMAGE_BYTES }),
});

export const upload = z.object({
  uploadUrl: z.url().describe('PUT the image here, with the Content-Type (and Content-Length) of this request'),
  imageUrl: z
    .url()
    .describe('For extractions of this workspace; a presigned URL, valid for up to 24 hours without a key'),
  expiresIn: z.int().describe('Seconds for which uploadUrl is valid'),
});

export const idempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
    .optional()
    .describe('The same key with the same body gives the first answer again, without a new charge, for 24 hours'),
});

export const extractionParams = z.object({
  id: z.string().describe('A requestId of a single extraction, or an extractionId of a batch'),
});

const size = z.object({ width: z.int().nonnegative(), height: z.int().nonnegative() });
const point = z.object({ x: z.number(), y: z.number() });
const rect = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const corners = z.array(point).length(4).describe('Clockwise from the top left');

export const geometry = z.object({
  rotation: z
    .literal([0, 90, 180, 270])
    .describe('Counter-clockwise rotation, in degrees, that makes the source upright'),
  mirrored: z
    .literal(true)
    .optional()
    .describe('Present where the orientation tag says that the source is mirrored: left to right, before the rotation'),
  source: size.describe('Size of the upload'),
  oriented: size.describe('Size after the rotation'),
  crop: z
    .object({
      score: z.number().nullable(),
      corners: corners.describe('In the oriented image'),
      box: rect,
      sourceCorners: corners.describe('In the upload'),
      sourceBox: rect,
      normalized: rect.describe('box as ratios, 0 to 1, of the oriented image'),
    })
    .nullable()
    .describe('Null when the whole picture was read'),
});

export const item = z.object({
  drugCode: z
    .string()
    .nullable()
    .describe(
      'Exactly as visible; may not have 9 digits. Where a digit could not be read surely, the one of those it may be with which the ' +
        'master gives the code to the name of the line; review says so (code_uncertain)',
    ),
  drugName: z
    .string()
    .nullable()
    .describe(
      "As printed. Syllables that could not be read surely, or that differ by one letter from the master's while no other " +
        "name of it is nearer, are the master's; review quotes the reading, unless it may as well be read so",
    ),
  quantity: z.number().nullable(),
  days: z.number().nullable(),
  prescribedQty: z.number().nullable(),
  unitPrice: z.number().nullable(),
  totalAmount: z.number().nullable(),
  codeInMaster: z.boolean(),
  suggestedDrugCode: z
    .string()
    .nullable()
    .describe('Estimated from the name when the code is not in the master; never changes drugCode or status'),
  priceCheck: z.enum(['current', 'historical', 'mismatch', 'none']),
  status: z.enum(['GREEN', 'YELLOW', 'RED']),
  needsReview: z.boolean(),
  review: z
    .array(z.string())
    .describe('Stable machine code, colon, text for people: in English, or by Accept-Language: ko in Korean'),
});

export const count = z.int().nonnegative();

export const summary = z.object({
  items: count,
  needsReview: count,
  byStatus: z.object({ green: count, yellow: count, red: count }),
  completeExtraction: z.boolean().nullable().describe('Null when it is unknown'),
});

const page = {
  documentType: z.string().describe('drug_table, business_registration, receipt, other; the list is open'),
  foundTable: z.boolean(),
  items: z.array(item),
  summary,
  geometry,
};

const pageTrace = z.object({
  answeredBy: z.enum(['rules', 'network']).describe('Whose lines were answered'),
  tables: z
    .array(
      z.object({
        box: rect.describe('In the page as it was read'),
        rowCount: count,
        columnCount: count,
        headerWords: z.array(z.object({ row: count, text: z.string(), kind: z.string() })),
        columns: z.array(
          z.object({ field: z.string(), inferred: z.boolean().describe('By its values, without a header') }),
        ),
        sections: z.array(z.string()),
        rows: z
          .array(z.enum(['header', 'line', 'total', 'section', 'unread', 'blank', 'ignored']))
          .describe('What each row was taken for'),
        lines: z
          .array(
            z.object({
              row: count,
              read: z.array(z.string()).describe('Cells of the row as the recogniser read them'),
              drugCode: z.string().nullable(),
              drugName: z.string().nullable(),
              openLetters: z
                .array(
                  z.object({
                    letter: z.string(),
                    chance: z.number().describe('That print gives it, 0 to 1'),
                    others: z.string().describe('The others that print may show'),
                  }),
                )
                .describe('Letters of code and name for which print shows several'),
            }),
          )
          .describe('Each drug line next to the print that it was made of'),
        evidence: z.number().describe('Points for codes, header words and names'),
        required: z.number().describe('Points that a table of drugs has at least'),
        verdict: z.enum(['drug_table', 'no_lines', 'too_little_evidence']),
      }),
    )
    .describe('Every table of the page that the rules considered'),
  network: z
    .object({
      lineCount: count.describe('0: it found no drugs'),
      labels: z
        .array(
          z.object({
            text: z.string(),
            box: rect.describe('In the page as it was read'),
            role: z.enum(ROLES),
            chance: z.number().describe('Of that role, 0 to 1'),
            line: count.nullable().describe('Index of the line of the network that it is a part of; null: none'),
          }),
        )
        .describe('What the network takes each print of the page for'),
    })
    .nullable()
    .describe('Null where the network was not asked, such as on a page of more than 500 prints'),
  lostCodes: z.array(z.string()).describe('Drug codes that were found on the page, and that no line of the answer has'),
  textCount: count.describe('Lines of text outside of all tables'),
});

const meta = z.object({
  documentKind: z
    .string()
    .describe(
      'Finer than documentType: prescription, edi_claim, order_screen, pharmacy_guide, drug_list, receipt, hospital_bill, ' +
        'insurance_claim, business_registration, other; the list is open',
    ),
  imageReadable: z.boolean(),
  imageIssues: z.array(z.string()),
  rotationApplied: z.number(),
  cropped: z.boolean(),
  template: z.string(),
  page: z.int().optional().describe('Page of the file that was read, as the request named it'),
  readingService: z
    .object({
      name: z.enum(['textract', 'bedrock']),
      outcome: z
        .enum(['read', 'not_asked', 'throttled', 'failed'])
        .describe(
          'read: its reading is used. Else our own reading is: not_asked, it found no drug table; throttled or failed, the service gave no answer',
        ),
    })
    .optional()
    .describe('Service of AWS that was to read the page; absent where the deployment uses none'),
  serviceDate: z
    .object({ date: z.iso.date(), source: z.enum(['request', 'sheet', 'today']) })
    .optional()
    .describe('The day whose prices the lines were judged by, and where it comes from'),
});

export const extractionResult = z.object({
  requestId: z.string().describe('Also the extractionId of GET /api/v1/extractions/{id}'),
  ...page,
  meta,
  cost: z.object({ krw: z.number(), free: z.boolean() }),
  balanceKrw: z.number().describe('Balance after the call'),
  debug: pageTrace.optional().describe('With debug=1, in the local service: how the page was interpreted'),
});

const cellCorners = z
  .array(z.int())
  .length(8)
  .describe('x and y of its corners in the upload, in pixels, clockwise from the top left');

export const extraction = z.object({
  extractionId: z.string(),
  ...page,
  meta,
  ...shownLabels,
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().describe('Until when it is kept'),
  places: z
    .array(z.array(cellCorners).nullable())
    .nullable()
    .describe('Where each item is in the upload: its cells; null if unknown'),
  placeFields: z
    .array(z.array(z.enum(REVIEW_FIELDS).nullable()).nullable())
    .nullable()
    .describe('Which field each cell of places holds; null: none, or unknown'),
  findings: z
    .array(
      z.array(
        z.object({
          code: z.string().describe('The machine code of the note'),
          kind: z.string().describe('The code, with a dot and a word where several texts share it'),
          parameters: z.record(z.string(), z.unknown()).describe('What the text is made of: values, dates, names'),
        }),
      ),
    )
    .nullable()
    .describe('Of each item, its review notes as data; null of extractions of earlier releases'),
  review: review
    .nullable()
    .describe('What people have decided about its lines; null: nothing yet. Items stay as they were read'),
});

const flag = (text: string) =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((value) => value === 'true')
    .optional()
    .describe(text);

export const extractionsQuery = pageQuery('extractions', 'nextCursor', EXTRACTION_CURSOR).extend({
  needsReview: flag('true: those with lines that need a review and have no decision; false: the others'),
  foundTable: flag('Whether a drug table was found'),
  jobId: z.string().max(100).optional().describe('Those of one batch'),
  search: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(100, 'must have at most 100 characters')
    .optional()
    .describe('Those whose fileName or reference contains this text, in capitals or not'),
});

export const extractionList = z.object({
  extractions: z
    .array(
      z.object({
        extractionId: z.string(),
        createdAt: z.iso.datetime(),
        documentType: z.string(),
        foundTable: z.boolean(),
        itemCount: count,
        byStatus: z
          .object({ green: count, yellow: count, red: count })
          .nullable()
          .describe('Null of extractions of earlier releases'),
        openLines: count.nullable().describe('Lines that need a review and have no decision; null as byStatus'),
        jobId: z.string().nullable().describe('The batch that it belongs to; null: a single call'),
        ...shownLabels,
        pictureStored: z.boolean().describe('Whether its image was stored: GET …/picture shows it for 7 days'),
      }),
    )
    .describe('Newest first. With a filter a page may hold fewer than `limit`, or none, before the last one'),
  nextCursor: z.string().nullable().describe('Cursor of the next page; null: this is the last one'),
});

/** Pixels of the square that a thumbnail fits into: enough for a list on a screen of high density. */
export const THUMBNAIL_SIDE = 240;

export const pictureQuery = z.strictObject({
  thumbnail: z
    .literal('1', 'must be 1, or left out')
    .optional()
    .describe(
      `1: the page that was read, upright and within ${THUMBNAIL_SIDE} × ${THUMBNAIL_SIDE} pixels, as a JPEG in a data: URL`,
    ),
  drawn: z
    .literal('1', 'must be 1, or left out')
    .optional()
    .describe('1: of a PDF or TIFF the page that was read, as a JPEG in a data: URL'),
});

export const picture = z.object({
  url: z.url().describe('GET it without a key; a data: URL with thumbnail=1, and with drawn=1 of a PDF or TIFF'),
  contentType: z.string().describe('By its content: image/jpeg, application/pdf, …'),
  expiresIn: z.int().describe('Seconds for which the address is valid'),
});
