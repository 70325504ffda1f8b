/** The part of pdfmake that is used here. Its published types load those of browsers into the whole program. */
declare module 'pdfmake' {
  export interface Style {
    readonly font?: string;
    readonly fontSize?: number;
    readonly lineHeight?: number;
    readonly bold?: boolean;
    readonly italics?: boolean;
    readonly color?: string;
    readonly background?: string;
    readonly decoration?: 'underline' | 'lineThrough';
    readonly alignment?: 'left' | 'center' | 'right';
    readonly margin?: readonly [left: number, top: number, right: number, bottom: number];
    readonly preserveLeadingSpaces?: boolean;
  }

  export type Text = Style & { readonly text: string | readonly Text[]; readonly link?: string };

  export type Content =
    | Text
    | (Style & { readonly stack: readonly Content[] })
    | (Style & { readonly ul: readonly Content[] })
    | (Style & { readonly ol: readonly Content[]; readonly start: number })
    | (Style & { readonly table: Table; readonly layout: TableLayout })
    | (Style & { readonly canvas: readonly object[] });

  export interface Table {
    readonly headerRows?: number;
    readonly widths: readonly ('*' | 'auto')[];
    readonly body: readonly (readonly Content[])[];
  }

  export interface TableLayout {
    readonly hLineWidth: () => number;
    readonly vLineWidth: () => number;
    readonly hLineColor?: () => string;
    readonly vLineColor?: () => string;
    readonly fillColor: (row: number) => string | null;
  }

  export interface Definition {
    readonly content: readonly Content[];
    readonly defaultStyle: Style;
    readonly pageSize: 'A4';
    readonly pageMargins: readonly [number, number, number, number];
    readonly footer: (page: number, pages: number) => Content;
    readonly language: string;
    readonly info: { readonly creator: string; readonly title?: string };
  }

  interface PdfMake {
    /** Files by name, before those of the machine. */
    virtualfs: { existsSync(name: string): boolean; readFileSync(name: string): Uint8Array };
    setFonts(
      fonts: Readonly<Record<string, Readonly<Record<'normal' | 'bold' | 'italics' | 'bolditalics', string>>>>,
    ): void;
    setUrlAccessPolicy(isAllowed: (url: string) => boolean): void;
    setLocalAccessPolicy(isAllowed: (path: string) => boolean): void;
    createPdf(definition: Definition): { getBuffer(): Promise<Uint8Array> };
  }

  const pdfmake: PdfMake;

  export { pdfmake as default };
}
