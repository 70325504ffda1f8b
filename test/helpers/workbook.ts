import { strToU8, zipSync } from 'fflate';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The files of an .xlsx, as few as the format allows, with one sheet of these cells in their order. */
export function workbook(cells: Readonly<Record<string, string>>): Record<string, string> {
  const rows = Map.groupBy(Object.entries(cells), ([name]) => /\d+/.exec(name)![0]);
  const sheet = [...rows].map(([row, inRow]) => {
    const texts = inRow.map(([name, text]) => `<c r="${name}" t="inlineStr"><is><t>${text}</t></is></c>`);
    return `<row r="${row}">${texts.join('')}</row>`;
  });
  return {
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${sheet.join('')}</sheetData></worksheet>`,
  };
}

export function packed(files: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))));
}
