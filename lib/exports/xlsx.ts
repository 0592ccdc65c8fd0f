import { visibleText } from '#lib/values/foreign-text.ts';
import { decimal, isFormula } from './cells.ts';
import { wordsOf } from './csv.ts';
import type { Lines } from './csv.ts';
import type { Frame } from './profile.ts';
import type { Column } from './source.ts';
import { wallClock } from './wall-clock.ts';

/**
 * The parts of a workbook (ECMA-376) of two sheets: a description of the file, and its rows. Texts
 * are inline strings, which are never formulas; one that looks like a formula is also marked as
 * text (quotePrefix), so that editing it does not run it. Pure.
 */

/**
 * A spreadsheet calculates with fifteen digits; a longer amount is written as text to stay exact.
 */
const EXACT_DIGITS = 15;
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
/** Indexes into `cellXfs` of the styles below. */
const STYLE = { head: 1, text: 2, quoted: 3, amount: 4, time: 5 };

export const ABOUT_SHEET = 'xl/worksheets/sheet1.xml';
export const ROWS_SHEET = 'xl/worksheets/sheet2.xml';

/** The files before the sheets, by name. */
export function workbookParts(frame: Frame): { name: string; text: string }[] {
  return partsOf([
    { name: frame.labels.about, path: ABOUT_SHEET },
    { name: frame.title, path: ROWS_SHEET },
  ]);
}

/**
 * A whole workbook of one sheet with headings alone, whose columns keep what is typed as text: an
 * IBAN or a number with a leading zero stays as it is.
 */
export function templateWorkbook(
  title: string,
  columns: readonly { heading: string; width: number }[],
): { name: string; text: string }[] {
  const widths = columns.map(
    ({ width }, at) =>
      `<col min="${at + 1}" max="${at + 1}" width="${width}" style="${STYLE.text}" customWidth="1"/>`,
  );
  const head = columns.map(({ heading }) => textCell(heading, STYLE.head));
  const sheet = [
    `${DECLARATION}<worksheet xmlns="${MAIN}"><cols>${widths.join('')}</cols>`,
    `<sheetData><row>${head.join('')}</row></sheetData></worksheet>`,
  ].join('');
  return [...partsOf([{ name: title, path: ABOUT_SHEET }]), { name: ABOUT_SHEET, text: sheet }];
}

function partsOf(
  sheets: readonly { name: string; path: string }[],
): { name: string; text: string }[] {
  const part = (name: string, type: string): string =>
    `<Override PartName="/${name}" ContentType="${CONTENT}.${type}+xml"/>`;
  return [
    {
      name: '[Content_Types].xml',
      text: [
        `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">`,
        '<Default Extension="rels"',
        ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
        '<Default Extension="xml" ContentType="application/xml"/>',
        part('xl/workbook.xml', 'sheet.main'),
        part('xl/styles.xml', 'styles'),
        ...sheets.map(({ path }) => part(path, 'worksheet')),
        '</Types>',
      ].join(''),
    },
    { name: '_rels/.rels', text: relations([['officeDocument', 'xl/workbook.xml']]) },
    {
      name: 'xl/workbook.xml',
      text: [
        `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>`,
        ...sheets.map(
          ({ name }, at) =>
            `<sheet name="${sheetName(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
        ),
        '</sheets></workbook>',
      ].join(''),
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: relations([
        ...sheets.map(({ path }) => ['worksheet', path.slice('xl/'.length)] as const),
        ['styles', 'styles.xml'],
      ]),
    },
    { name: 'xl/styles.xml', text: STYLES },
  ];
}

/** `tail` closes the sheet of rows. */
export function sheetRows(columns: readonly Column[], frame: Frame): Lines & { tail: string } {
  const clock = wallClock(frame.zone);
  const writes = columns.map(({ key, kind }): ((text: string) => string) => {
    if (kind === 'minor')
      return (text) =>
        text.length > EXACT_DIGITS
          ? textCell(decimal(text, '.'))
          : `<c s="${STYLE.amount}"><v>${decimal(text, '.')}</v></c>`;
    if (kind === 'instant')
      return (text) => `<c s="${STYLE.time}"><v>${clock.serial(text)}</v></c>`;
    const words = wordsOf(frame, key, kind);
    return (text) => textCell(words.get(text) ?? text);
  });
  const widths = columns
    .map(
      ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
    )
    .join('');
  const head = columns.map(({ key }) => textCell(frame.columns[key] ?? key, STYLE.head)).join('');
  return {
    head: [
      `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">`,
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
      `</sheetView></sheetViews><cols>${widths}</cols><sheetData><row>${head}</row>`,
    ].join(''),
    row: (cells) => {
      let line = '<row>';
      for (let at = 0; at < writes.length; at++) {
        const cell = cells[at];
        line += cell === null || cell === undefined || cell === '' ? '<c/>' : writes[at]!(cell);
      }
      return `${line}</row>`;
    },
    tail: '</sheetData></worksheet>',
  };
}

/** A sheet of two columns: label and value. */
export function aboutSheet(lines: readonly (readonly [string, string])[]): string {
  const rows = lines
    .map(([label, value]) => `<row>${textCell(label, STYLE.head)}${textCell(value)}</row>`)
    .join('');
  return [
    `${DECLARATION}<worksheet xmlns="${MAIN}"><cols>`,
    '<col min="1" max="1" width="24" customWidth="1"/>',
    '<col min="2" max="2" width="90" customWidth="1"/>',
    `</cols><sheetData>${rows}</sheetData></worksheet>`,
  ].join('');
}

function textCell(
  written: string,
  style: number = isFormula(written) ? STYLE.quoted : STYLE.text,
): string {
  const text = visibleText(written);
  // Leading and trailing blanks would be dropped as XML indentation.
  const space =
    text.charCodeAt(0) <= BLANK || text.charCodeAt(text.length - 1) <= BLANK
      ? ' xml:space="preserve"'
      : '';
  return `<c t="inlineStr" s="${style}"><is><t${space}>${escaped(text)}</t></is></c>`;
}

const BLANK = 32;
const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};
/** A fast path per cell: most texts need no escaping. */
const NOT_PLAIN = /[^\t\n !#-%'-;=?-\uD7FF\uE000-\uFFFD]/;
// XML allows no control characters, unpaired surrogates and two noncharacters.
const SPECIALS = /[&<>"\uFFFE\uFFFF]|\p{Cs}|(?![\t\n])\p{Cc}/gu;

/** In the text of a workbook, `_x0041_` stands for a letter by its code (ECMA-376, 22.9.2.19). */
const CODE = /_(?=x[0-9A-Fa-f]{4}_)/g;
const UNDERSCORE = '_x005F_';

function escaped(text: string): string {
  const literal = text.includes('_x') ? text.replace(CODE, UNDERSCORE) : text;
  return NOT_PLAIN.test(literal)
    ? literal.replace(SPECIALS, (one) => ESCAPES[one] ?? '\uFFFD')
    : literal;
}

/** The name of a sheet: at most 31 characters, without those that are forbidden in it. */
function sheetName(text: string): string {
  return escaped(text.replace(/[[\]:*?/\\']/g, ' ').slice(0, 31));
}

function relations(all: readonly (readonly [type: string, target: string])[]): string {
  const each = all.map(
    ([type, target], at) =>
      `<Relationship Id="rId${at + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return [
    `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">`,
    ...each,
    '</Relationships>',
  ].join('');
}

/** Number formats: 49 is text, 4 is `#,##0.00` in the reader's locale, 164 is defined here. */
const STYLES = [
  `${DECLARATION}<styleSheet xmlns="${MAIN}">`,
  '<numFmts count="1"><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy\\ hh:mm:ss"/></numFmts>',
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>',
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2">',
  '<fill><patternFill patternType="none"/></fill>',
  '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1">',
  '<border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>',
  '</cellStyleXfs><cellXfs count="6">',
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>',
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" quotePrefix="1"/>',
  '<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
  '</cellXfs></styleSheet>',
].join('');
