/**
 * The least work with which a process can send the rows of a table: as PostgreSQL copies them, read
 * by cursor and formatted cell by cell, or as a bare workbook; without permissions, masking and
 * storage. `DATABASE_URL` and `PORT` name the database and the port.
 */
import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { createDeflateRaw } from 'node:zlib';
import pg from 'pg';

const BATCH = 2_000;
const ROWS = `SELECT m.ext_id, m.created_at, m.name, m.iban, m.tax_number, m.wallet, m.amount_minor,
  m.currency, m.fee_minor, m.state, m.payment_type, m.description, p.name AS maker, m.accepted_at,
  m.ended_at, m.returned_at,
  m.request_id, m.transaction_id, m.reason_code, m.reason_text FROM movements m
    JOIN people p ON p.id = m.maker_id WHERE m.kind = 'payout' ORDER BY m.created_at DESC, m.id`;
const AS_TEXT = {
  rowMode: 'array' as const,
  types: { getTypeParser: () => (value: string) => value },
};

createServer(async (request, response) => {
  if (request.url === '/') return void response.end('here');
  const client = new pg.Client({
    connectionString: process.env['DATABASE_URL'],
    options: '-c TimeZone=UTC',
  });
  await client.connect();
  if (request.url === '/copy') await copy(client, response);
  else if (request.url === '/xlsx') await workbook(client, response);
  else
    for await (const rows of cursor(client))
      if (!response.write(rows.map(csvLine).join(''))) await once(response, 'drain');
  response.end();
  await client.end();
}).listen(Number(process.env['PORT']), '127.0.0.1');

async function* cursor(client: pg.Client): AsyncGenerator<(string | null)[][]> {
  await client.query(`BEGIN; DECLARE rows NO SCROLL CURSOR FOR ${ROWS}`);
  for (;;) {
    const { rows } = await client.query<(string | null)[]>({
      text: `FETCH ${BATCH} FROM rows`,
      ...AS_TEXT,
    });
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
  }
}

function csvCell(cell: string | null): string {
  if (cell === null) return '';
  if (/[",\r\n]/.test(cell)) return `"${cell.replaceAll('"', '""')}"`;
  return /^[=+\-@\t]/.test(cell) ? `'${cell}` : cell;
}

function csvLine(cells: (string | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

async function workbook(client: pg.Client, response: ServerResponse): Promise<void> {
  const deflate = createDeflateRaw({ level: 1 });
  deflate.pipe(response, { end: false });
  const escaped = (text: string): string =>
    /[&<>]/.test(text)
      ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      : text;
  const element = (cell: string | null): string =>
    cell === null ? '<c/>' : `<c t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
  for await (const rows of cursor(client)) {
    const text = rows.map((cells) => `<row>${cells.map(element).join('')}</row>`).join('');
    if (!deflate.write(text)) await once(deflate, 'drain');
  }
  deflate.end();
  await once(deflate, 'end');
}

/**
 * Sends the rows by COPY. The driver passes the messages of its connection to a query object; this
 * object handles the messages of COPY.
 */
async function copy(client: pg.Client, response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    client.query({
      submit: (connection: { query(text: string): void }) =>
        connection.query(`COPY (${ROWS}) TO STDOUT (FORMAT csv)`),
      handleCopyData: ({ chunk }: { chunk: Buffer }) => response.write(chunk),
      handleError: reject,
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => resolve(),
    } as unknown as pg.Submittable);
  });
}
