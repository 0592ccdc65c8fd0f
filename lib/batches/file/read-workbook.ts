import 'server-only';
import { Refusal } from '#lib/access/refusal.ts';
import { readSheet } from './read-sheet.ts';
import type { WorkbookParts } from './read-sheet.ts';
import { isTrue, readXml } from './read-xml.ts';
import type { SourceSheet } from './source.ts';
import type { Unpacked } from './unpack.ts';

/**
 * Reads a workbook (ECMA-376, XLSX) as its XML has it: numbers as text, hidden rows, columns and
 * sheets, formulas, merged cells. Readers of whole workbooks turn every number into a
 * floating-point number and leave hidden sheets out without a word.
 */

const TYPES = '[Content_Types].xml';
/** Ends of the relationship types, which differ in the two namespaces of the standard. */
const MAIN = '/officeDocument';
const SHEET = '/worksheet';
const STRINGS = '/sharedStrings';
const STYLES = '/styles';
const MACRO_SHEET = '/xlMacrosheet';
const SHEETS_MAX = 200;
/** Built-in number formats that show a date or a time (ECMA-376 part 1, 18.8.30). */
const DATE_FORMATS: readonly (readonly [number, number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];
/** What a number format says as text, escaped or in brackets: colours, currencies, conditions. */
const NOT_PARTS = /"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi;

export type ZipKind = 'workbook' | 'macro' | 'XLSB' | 'ODS' | 'DOCX' | 'PPTX' | 'ZIP';

/** What kind of file a ZIP file is, by what is in it and not by its name. */
export function kindOfZip(zip: Unpacked): ZipKind {
  const names = zip.names;
  const types = zip.read(TYPES) ?? '';
  if (names.some((name) => name.endsWith('vbaproject.bin')) || /macroEnabled/i.test(types))
    return 'macro';
  if (names.includes('xl/workbook.bin')) return 'XLSB';
  if (names.some((name) => name.startsWith('xl/'))) return 'workbook';
  if (names.some((name) => name.startsWith('word/'))) return 'DOCX';
  if (names.some((name) => name.startsWith('ppt/'))) return 'PPTX';
  if (zip.read('mimetype')?.includes('opendocument.spreadsheet')) return 'ODS';
  return 'ZIP';
}

/** @throws Refusal `file_broken`, `file_macro`, `file_unpacks_too_large`, `file_too_wide`, … */
export function readWorkbook(zip: Unpacked): SourceSheet[] {
  const main = [...relationsOf(zip, '').values()].find(({ type }) => type.endsWith(MAIN));
  const book = main === undefined ? null : zip.read(main.target);
  if (main === undefined || book === null) throw new Refusal('file_broken');
  const relations = relationsOf(zip, main.target);
  if ([...relations.values()].some(({ type }) => type.endsWith(MACRO_SHEET)))
    throw new Refusal('file_macro');
  const { sheets, epoch1904 } = sheetsOf(book);
  const partOf = (end: string): string | null => {
    const found = [...relations.values()].find(({ type }) => type.endsWith(end));
    return found === undefined ? null : zip.read(found.target);
  };
  const parts: WorkbookParts = {
    strings: stringsOf(partOf(STRINGS)),
    dateStyles: dateStylesOf(partOf(STYLES)),
    epoch1904,
  };
  return sheets.flatMap(({ name, hidden, id }) => {
    const relation = relations.get(id);
    if (relation === undefined) throw new Refusal('file_broken');
    // A sheet may also be a chart, which has no cells.
    if (!relation.type.endsWith(SHEET)) return [];
    const xml = zip.read(relation.target);
    if (xml === null) throw new Refusal('file_broken');
    return [{ name, hidden, ...readSheet(xml, parts) }];
  });
}

type Relation = { type: string; target: string };

/** The relations of a part by their ids, with targets as part names. */
function relationsOf(zip: Unpacked, part: string): Map<string, Relation> {
  const at = part.lastIndexOf('/');
  const folder = part.slice(0, at + 1);
  const xml = zip.read(`${folder}_rels/${part.slice(at + 1)}.rels`);
  const relations = new Map<string, Relation>();
  if (xml === null) return relations;
  readXml(xml, {
    open: (name, { Id = '', Type = '', Target = '' }) => {
      if (name === 'Relationship')
        relations.set(Id, { type: Type, target: partName(folder, Target) });
    },
  });
  return relations;
}

function partName(folder: string, target: string): string {
  const path = target.startsWith('/') ? target.slice(1) : folder + target;
  const names: string[] = [];
  for (const name of path.split('/'))
    if (name === '..') names.pop();
    else if (name !== '.') names.push(name);
  return names.join('/');
}

function sheetsOf(xml: string): {
  sheets: { name: string; hidden: boolean; id: string }[];
  epoch1904: boolean;
} {
  const sheets: { name: string; hidden: boolean; id: string }[] = [];
  let epoch1904 = false;
  readXml(xml, {
    open: (name, attributes) => {
      if (name === 'workbookPr') epoch1904 = isTrue(attributes['date1904']);
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => /^\w+:id$/.test(key))?.[1] ?? '';
      const hidden = ['hidden', 'veryHidden'].includes(attributes['state'] ?? '');
      sheets.push({ name: attributes['name'] ?? '', hidden, id });
    },
  });
  if (sheets.length > SHEETS_MAX) throw new Refusal('file_broken');
  return { sheets, epoch1904 };
}

/** The texts that cells name by their position; phonetic readings are left out. */
function stringsOf(xml: string | null): string[] {
  const strings: string[] = [];
  if (xml === null) return strings;
  let text = '';
  let reading = false;
  let phonetic = false;
  readXml(xml, {
    open: (name) => {
      if (name === 'si') text = '';
      if (name === 'rPh') phonetic = true;
      reading = name === 't' && !phonetic;
    },
    text: (more) => {
      if (reading) text += more;
    },
    close: (name) => {
      if (name === 'rPh') phonetic = false;
      if (name === 't') reading = false;
      if (name === 'si') strings.push(text);
    },
  });
  return strings;
}

/** The positions of the cell styles that show a number as a date. */
function dateStylesOf(xml: string | null): ReadonlySet<number> {
  const styles = new Set<number>();
  if (xml === null) return styles;
  const custom = new Map<number, string>();
  let within = false;
  let position = 0;
  readXml(xml, {
    open: (name, { numFmtId = '', formatCode = '' }) => {
      if (name === 'numFmt') custom.set(Number(numFmtId), formatCode);
      if (name === 'cellXfs') within = true;
      if (name !== 'xf' || !within) return;
      if (showsDate(Number(numFmtId), custom)) styles.add(position);
      position += 1;
    },
    close: (name) => {
      if (name === 'cellXfs') within = false;
    },
  });
  return styles;
}

function showsDate(format: number, custom: ReadonlyMap<number, string>): boolean {
  const code = custom.get(format);
  if (code === undefined) return DATE_FORMATS.some(([from, to]) => format >= from && format <= to);
  return /[dmyhs]/i.test(code.replace(NOT_PARTS, '').replace(/general/gi, ''));
}
