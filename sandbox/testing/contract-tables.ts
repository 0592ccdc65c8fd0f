/**
 * The contents of the contracts (docs/contracts/), read from their tables, headings and code lists:
 * the operations, fields, codes and events that the coverage must have a row for. A program cannot
 * read their rules, which are prose: coverage/ keeps the rules by hand.
 */

export type Kind = 'operation' | 'field' | 'code' | 'event';
/**
 * `operations`: each of these operations must have the row; `anywhere`: one operation of that area
 * must have it.
 */
export type Demand = {
  file: string;
  section: string;
  kind: Kind;
  item: string;
  operations: string[];
  anywhere?: 'card' | 'login' | 'wallet';
};

export type Section = { title: string; text: string };
type Table = { head: string[]; rows: string[][] };

/** Splits a file into sections at its headings of one to three signs. */
export function sectionsOf(text: string): Section[] {
  return text
    .split(/^(?=#{1,3} )/m)
    .map((part) => ({ title: /^#{1,3} (.*)$/m.exec(part)?.[1] ?? '', text: part }));
}

export function tablesOf(text: string): Table[] {
  const cells = (line: string): string[] =>
    line
      .slice(1, line.lastIndexOf('|'))
      .split('|')
      .map((cell) => cell.trim());
  return [...text.matchAll(/^\|.*\|\s*\n\|[-|: ]+\|\s*\n(?:\|.*\|\s*(?:\n|$))*/gm)].map(
    ([table]) => {
      const [head = '', , ...rows] = table.trim().split('\n');
      return { head: cells(head), rows: rows.map(cells) };
    },
  );
}

export const section = (sections: Section[], title: RegExp): Section => {
  const found = sections.find((one) => title.test(one.title));
  if (found === undefined) throw new Error(`no section ${String(title)} in the contract`);
  return found;
};
export const names = (cell: string): string[] =>
  cell
    .split(/,\s*/)
    .map((name) => name.replaceAll('`', '').trim())
    .filter((name) => /^[A-Za-z]\w*$/.test(name));

/**
 * Returns the codes of a list such as "14, 31/32 order not found, 90–97 hash": the numbers that
 * begin each part. Text in brackets is left out.
 */
export function codesOf(list: string): string[] {
  const sentence = list.replace(/\([^()]*\)/g, '').split(/\.(?:\s|$)/)[0]!;
  return sentence.split(/[,;]/).flatMap((part) => {
    const range = /^\s*(\d{1,3})–(\d{1,3})\b/.exec(part);
    if (range)
      return Array.from({ length: Number(range[2]) - Number(range[1]) + 1 }, (_, n) =>
        String(Number(range[1]) + n),
      );
    return (
      /^\s*(?:HTTP )?(\d{1,3}(?:\s?\/\s?\d{1,3})*)\b/.exec(part)?.[1] ??
      /-> (\d{1,3})\b/.exec(part)?.[1] ??
      ''
    )
      .split('/')
      .map((code) => code.trim())
      .filter((code) => code !== '');
  });
}

/** Returns the name that the coverage gives an operation: the end of its path. */
export const operationOfPath = (path: string): string =>
  path
    .replace(/^\{\w+\}/, '')
    .replace(/^\/ccpayment\/(?:api\/(?=\w)|(?=p))/, '')
    .replace(/^\/?(?:api\/)/, '')
    .replace(/^\/v1\/(?:Account|Transaction|TransactionData|Wallet(?=\/Create))\//, '')
    .replace(/^\/v1\//, '');
