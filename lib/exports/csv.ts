import { decimal, forcedText, guarded } from './cells.ts';
import type { Frame } from './profile.ts';
import type { Cells, Column } from './source.ts';
import { isoInstant, wallClock } from './wall-clock.ts';

/**
 * Lines of CSV in two forms. For Excel in Turkish: byte order mark, semicolons, decimal commas,
 * local times of the workspace, words; no `sep=` line, because it makes Excel ignore the UTF-8
 * mark. For programs: RFC 4180 with decimal points, ISO instants and codes. Pure.
 */

const BYTE_ORDER_MARK = '\uFEFF';
const END = '\r\n';

export type Lines = { head: string; row(cells: Cells): string };
type Write = (text: string) => string;

export function excelCsv(columns: readonly Column[], frame: Frame): Lines {
  const clock = wallClock(frame.zone);
  const quoted = quoting(';');
  const writes = columns.map(({ key, kind }): Write => {
    if (kind === 'minor') return (text) => decimal(text, ',');
    if (kind === 'instant') return clock.text;
    const words = wordsOf(frame, key, kind);
    return (text) => quoted(forcedText(words.get(text) ?? text));
  });
  return {
    head:
      BYTE_ORDER_MARK +
      columns.map(({ key }) => quoted(guarded(frame.columns[key] ?? key))).join(';') +
      END,
    row: joined(writes, ';'),
  };
}

export function machineCsv(columns: readonly Column[]): Lines {
  const quoted = quoting(',');
  const writes = columns.map(({ kind }): Write => {
    if (kind === 'minor') return (text) => decimal(text, '.');
    if (kind === 'instant') return isoInstant;
    return (text) => quoted(guarded(text));
  });
  return { head: columns.map(({ key }) => key).join(',') + END, row: joined(writes, ',') };
}

/** The displayed words for the codes of a column. */
export function wordsOf(
  frame: Frame,
  key: string,
  kind: Column['kind'],
): ReadonlyMap<string, string> {
  return new Map(kind === 'code' ? Object.entries(frame.codes[key] ?? {}) : []);
}

function joined(writes: readonly Write[], mark: string): (cells: Cells) => string {
  return (cells) => {
    let line = '';
    for (let at = 0; at < writes.length; at++) {
      const cell = cells[at];
      if (at > 0) line += mark;
      if (cell !== null && cell !== undefined && cell !== '') line += writes[at]!(cell);
    }
    return line + END;
  };
}

function quoting(mark: ';' | ','): Write {
  const special = mark === ';' ? /[";\r\n]/ : /[",\r\n]/;
  return (text) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
}
