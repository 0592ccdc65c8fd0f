/**
 * The least work with which a process can take a webhook: plain Node, one INSERT, an answer.
 * `DATABASE_URL` and `PORT` name the database and the port.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });

createServer(async (request, response) => {
  await pool.query({
    name: 'insert',
    text: 'INSERT INTO bodies (body) VALUES ($1)',
    values: [await text(request)],
  });
  response.end('{"ok":true}');
}).listen(Number(process.env['PORT']), '127.0.0.1');
