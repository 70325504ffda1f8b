import type { DocumentType, PriceCheck, TrafficLight } from '../../functions/extraction/domain/extraction.ts';
import type { Point, Quad, Rect, Rotation, Size } from '../../functions/extraction/domain/reading/geometry.ts';
import type { TableField } from '../../functions/extraction/domain/reading/template.ts';

/** Classes of sheets in pictures of every kind, and of other papers. */
export const SHEET_CLASSES = ['screen', 'scan', 'photo', 'hard', 'other'] as const;
export type SheetClass = (typeof SHEET_CLASSES)[number];

/** Pages as people really send them, by what they show. */
export const FORM_CLASSES = ['prescription', 'screen-grids', 'guide', 'negative'] as const;
export type FormClass = (typeof FORM_CLASSES)[number];

export const PAGE_CLASSES = [...SHEET_CLASSES, ...FORM_CLASSES] as const;
export type PageClass = (typeof PAGE_CLASSES)[number];

export const SPLITS = ['tuned', 'untuned'] as const;
export type Split = (typeof SPLITS)[number];

/** The content of a page and the response of a faultless service: the JSON next to every rendered page. */
export interface PageTruth {
  readonly id: string;
  readonly split: Split;
  readonly class: PageClass;
  readonly seed: number;
  readonly image: { readonly file: string; readonly width: number; readonly height: number };
  /** How the page was made; for breaking figures down, never for reading it. */
  readonly made: Readonly<Record<string, string | number | boolean>>;
  readonly documentType: DocumentType;
  readonly foundTable: boolean;
  readonly geometry: PageGeometry;
  readonly table: TableTruth | null;
  /** Lines of print on pages whose drugs are not in a grid. */
  readonly texts?: readonly PrintedText[];
}

export interface PrintedText {
  readonly text: string;
  readonly box: Rect;
}

export interface PageGeometry {
  /** Counter-clockwise rotation that makes the image upright. */
  readonly rotation: Rotation;
  /** The upright, flat page in its own pixels; every box of the table is in them. */
  readonly page: Size;
  /** Row-major 3 × 3 homography from page pixels to image pixels. */
  readonly pageToImage: readonly number[];
  /** The page's corners in the image, clockwise from the page's own top left; may be outside of the image. */
  readonly quad: Quad;
  /** Whether the page's edges stand out in the image, so that a detector can be asked for them. */
  readonly edgesVisible: boolean;
}

export interface TableTruth {
  readonly box: Rect;
  readonly headerRowCount: number;
  readonly columns: readonly ColumnTruth[];
  readonly rows: readonly RowTruth[];
  readonly grid: GridTruth;
  /** A second table next to it, as of another form on the same page: its columns and rows follow in `columns` and `rows`. */
  readonly beside?: { readonly box: Rect; readonly grid: GridTruth };
  /** Totals that the sheet prints. */
  readonly footer: FooterTruth;
  /**
   * Expected `completeExtraction`: false if rows are cut off or the printed total is wrong, null if a missing amount prevents checking
   * the total.
   */
  readonly complete: boolean | null;
  /** Codes of lines that are not drugs, as fees: an answer may hold them or leave them out. */
  readonly tolerated?: readonly string[];
}

/** The whole table as a grid, from the first header row to the footer; no cells where the print has no columns. */
export interface GridTruth {
  readonly rowCount: number;
  readonly columnCount: number;
  /** A merged cell is listed once, at its top left. */
  readonly cells: readonly GridCellTruth[];
}

export interface GridCellTruth {
  readonly row: number;
  readonly column: number;
  readonly rowSpan: number;
  readonly columnSpan: number;
  /** As printed; `\n` where the print breaks the line, empty when nothing is printed. */
  readonly text: string;
  readonly box: Rect;
}

export interface ColumnTruth {
  /** A field of ours, or what else the column holds. */
  readonly kind: TableField | OtherColumn;
  readonly header: string;
  /** From the header's top to the end of the body. */
  readonly box: Rect;
}

export type OtherColumn = 'serial' | 'maker' | 'spec' | 'unit' | 'usage' | 'note' | 'category';

export interface RowTruth {
  readonly box: Rect;
  /** The exact printed text of every field that the sheet has a column for. */
  readonly cells: Readonly<Partial<Record<TableField, CellTruth>>>;
  /** The item's values; null where the sheet has no such column or prints nothing. */
  readonly item: ItemValues;
  readonly nameTruncated: boolean;
  readonly codeInMaster: boolean;
  readonly priceCheck: PriceCheck;
  /** The right code, when the printed one is not in the master but the drug is. */
  readonly suggestedDrugCode: string | null;
  /** The finding of a correct judge on a line that was read without a mistake. */
  readonly status: TrafficLight;
  readonly errors: readonly PlantedError[];
  /** Cut through by the picture's edge: neither its presence nor its absence is a mistake. */
  readonly cut: boolean;
}

export interface CellTruth {
  readonly text: string;
  readonly value: string | number | null;
  readonly box: Rect;
}

export interface ItemValues {
  readonly drugCode: string | null;
  readonly drugName: string | null;
  readonly quantity: number | null;
  readonly days: number | null;
  readonly prescribedQty: number | null;
  readonly unitPrice: number | null;
  readonly totalAmount: number | null;
}

export type PlantedError =
  | 'drug_unlisted'
  | 'code_unknown'
  | 'code_misprint'
  | 'code_old_form'
  | 'price_mismatch'
  | 'price_historical'
  | 'price_delisted'
  | 'amount_misprint'
  | 'amount_rounding'
  | 'total_quantity_misprint'
  | 'value_missing'
  | 'name_misprint';

export interface FooterTruth {
  readonly totalAmount: number | null;
  readonly lineCount: number | null;
  /** False when the printed total is deliberately not the sum of the printed amounts. */
  readonly totalIsSum: boolean;
}

export type { DocumentType, Point, PriceCheck, Quad, Rect, Rotation, Size, TableField, TrafficLight };
