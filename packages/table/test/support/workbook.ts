import { strToU8, zipSync } from 'fflate';

/** A sheet of a workbook, as the XML of its rows. */
export interface Sheet {
  name: string;
  rows: string;
  state?: 'hidden' | 'veryHidden';
}

/** The other parts of a workbook, by their paths. */
export type Parts = Record<string, string>;

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** An Excel workbook with only the parts that are required. */
export function workbookOf(sheets: readonly Sheet[], parts: Parts = {}): Uint8Array {
  const names = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="rId${index + 1}"/>`,
  );
  const targets = sheets.map(
    (_, index) => `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/${index}.xml"/>`,
  );
  const others = ['sharedStrings', 'styles'].map(
    (part) => `<Relationship Id="${part}" Type="${relations}/${part}" Target="${part}.xml"/>`,
  );
  const files = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${names.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${[...targets, ...others].join('')}</Relationships>`,
    ...Object.fromEntries(sheets.map(({ rows }, index) => [`xl/worksheets/${index}.xml`, sheetXml(rows)])),
    ...parts,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([path, xml]) => [path, strToU8(xml)])));
}

function sheetXml(rows: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`;
}

/** The XML of a row with these texts, numbers and empty cells. */
export function rowXml(number: number, ...cells: readonly (string | number | null)[]): string {
  const xml = cells.map((cell, index) => {
    const address = `${String.fromCodePoint(65 + index)}${number}`;
    if (cell === null) return '';
    return typeof cell === 'number'
      ? `<c r="${address}"><v>${cell}</v></c>`
      : `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c>`;
  });
  return `<row r="${number}">${xml.join('')}</row>`;
}
