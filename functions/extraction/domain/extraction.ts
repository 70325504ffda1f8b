import type { StoredFinding } from './judging/finding.ts';
import type { Geometry } from './reading/geometry.ts';
import type { ReadingService } from './reading/table-reader.ts';

/** One drug line, with the names and meanings of the API. */
export interface Item {
  readonly drugCode: string | null;
  readonly drugName: string | null;
  readonly quantity: number | null;
  readonly days: number | null;
  readonly prescribedQty: number | null;
  readonly unitPrice: number | null;
  readonly totalAmount: number | null;
  readonly codeInMaster: boolean;
  readonly suggestedDrugCode: string | null;
  readonly priceCheck: PriceCheck;
  readonly status: TrafficLight;
  readonly needsReview: boolean;
  /** Stable machine code, colon, human text: `price_mismatch: unit price 118 is not 112 (in force since 2026-01-01)`. */
  readonly review: readonly string[];
}

export const LINE_FIELDS = [
  'drugCode',
  'drugName',
  'quantity',
  'days',
  'prescribedQty',
  'unitPrice',
  'totalAmount',
] as const satisfies readonly (keyof Item)[];

export type PriceCheck = 'current' | 'historical' | 'mismatch' | 'none';
export type TrafficLight = 'GREEN' | 'YELLOW' | 'RED';

/** Open-ended in the contract; these are the kinds that we tell apart. */
export type DocumentType = 'drug_table' | 'business_registration' | 'receipt' | 'other';

export interface Summary {
  readonly items: number;
  readonly needsReview: number;
  readonly byStatus: { readonly green: number; readonly yellow: number; readonly red: number };
  /** Null when it is unknown. */
  readonly completeExtraction: boolean | null;
}

export interface Meta {
  /** Finer than the document type, and open-ended as well: prescription, edi_claim, receipt, … */
  readonly documentKind: string;
  readonly imageReadable: boolean;
  readonly imageIssues: readonly string[];
  readonly rotationApplied: number;
  readonly cropped: boolean;
  readonly template: string;
  /** Of a PDF or TIFF, from 1; absent: the request named none, and the first was read. */
  readonly page?: number;
  /** Absent where the deployment reads with its own reader alone. */
  readonly readingService?: ReadingService;
  /** Absent in results that were stored before sheets were judged by their own date. */
  readonly serviceDate?: ServiceDate;
}

/** The date whose prices a page was judged by. */
export interface ServiceDate {
  /** ISO. */
  readonly date: string;
  /** `today`: neither the request nor the sheet states one. */
  readonly source: 'request' | 'sheet' | 'today';
}

/** A page that was read and judged, before it is paid for. */
export interface JudgedPage {
  readonly documentType: DocumentType;
  readonly foundTable: boolean;
  readonly items: readonly Item[];
  /** Findings of each item, which its `review` says in English; absent of pages of earlier releases. */
  readonly findings?: readonly (readonly StoredFinding[])[];
  readonly summary: Summary;
  readonly geometry: Geometry;
  readonly meta: Meta;
  /** Places of the items; absent if the reader reports none, null for an item that is not found again. */
  readonly places?: readonly (LinePlace | null)[];
  /** Fields of the cells of `places`; absent of pages of earlier releases. */
  readonly placeFields?: readonly (readonly (LineField | null)[] | null)[];
}

/** Fields that a line prints. */
export type LineField = (typeof LINE_FIELDS)[number];

/** Cells of a line in the upload: x and y of the corners of each, clockwise from the top left, in whole pixels. */
export type LinePlace = readonly (readonly number[])[];

/** A page that was stored and, where it is charged, paid for: the body of a successful call. */
export interface ExtractionResult extends JudgedPage {
  /** Also the extraction's id: `GET /api/v1/extractions/{requestId}` finds it again. */
  readonly requestId: string;
  readonly cost: { readonly krw: number; readonly free: boolean };
  /** After the call. */
  readonly balanceKrw: number;
}
