import { crc32, inflateRawSync } from 'node:zlib';

/**
 * An independent reader of ZIP files, by the central directory: every length and checksum is
 * compared.
 */
export function unzip(file: Buffer): Map<string, Buffer> {
  const end = file.length - 22;
  if (file.readUInt32LE(end) !== 0x06054b50) throw new Error('no directory at the end');
  const found = new Map<string, Buffer>();
  let at = file.readUInt32LE(end + 16);
  if (at + file.readUInt32LE(end + 12) !== end)
    throw new Error('the directory is not where it should be');
  for (let n = 0; n < file.readUInt16LE(end + 10); n++) {
    const [crc, packed, size, nameLength, local] = [
      file.readUInt32LE(at + 16),
      file.readUInt32LE(at + 20),
      file.readUInt32LE(at + 24),
      file.readUInt16LE(at + 28),
      file.readUInt32LE(at + 42),
    ];
    const name = file.toString('utf8', at + 46, at + 46 + nameLength);
    if (
      file.readUInt32LE(local) !== 0x04034b50 ||
      file.toString('utf8', local + 30, local + 30 + nameLength) !== name
    )
      throw new Error(`${name} is not where the directory says`);
    const data = local + 30 + nameLength;
    const bytes = inflateRawSync(file.subarray(data, data + packed));
    const behind = data + packed;
    const fields = [0, 4, 8, 12].map((step) => file.readUInt32LE(behind + step));
    if (fields.join() !== [0x08074b50, crc, packed, size].join())
      throw new Error(`${name}: the data descriptor differs from the directory`);
    if (bytes.length !== size || crc32(bytes) !== crc) throw new Error(`${name} is damaged`);
    found.set(name, bytes);
    at += 46 + nameLength;
  }
  return found;
}

/** CSV as RFC 4180 reads it. */
export function readCsv(text: string, mark: ',' | ';'): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${mark}\\r\\n]*))(${mark}|\\r\\n|$)`, 'y');
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (match === null) throw new Error(`not CSV at row ${rows.length + 1}`);
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] !== mark) {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

/** The cells of a sheet: text as text, numbers as the sheet writes them, each with its style. */
export function readSheet(xml: string): { text: string; number: boolean; style: number }[][] {
  const plain = (text: string): string =>
    text.replace(
      /&(amp|lt|gt|quot|#13);/g,
      (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#13': '\r' })[name]!,
    );
  return [...xml.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row]) =>
    [
      ...row!.matchAll(
        /<c(?: t="(inlineStr)")?(?: s="(\d)")?(?:\/>|>(?:<v>([^<]*)<\/v>|<is><t(?: xml:space="preserve")?>([^<]*)<\/t><\/is>)<\/c>)/gs,
      ),
    ].map(([, inline, style, value, text]) => ({
      text: plain(inline ? text! : (value ?? '')),
      number: value !== undefined,
      style: Number(style ?? 0),
    })),
  );
}
