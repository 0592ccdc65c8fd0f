import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });

export async function POST(request: Request): Promise<Response> {
  await pool.query({
    name: 'insert',
    text: 'INSERT INTO bodies (body) VALUES ($1)',
    values: [await request.text()],
  });
  return Response.json({ ok: true });
}
