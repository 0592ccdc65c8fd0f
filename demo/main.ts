/**
 * Writes the demo's history into a fresh database, in a process that `npm start` runs once before
 * the web and the worker. Environment: that of a worker, with the address of the past as
 * DATABASE_URL, and SANDBOX_URL, and HOST and PORT of the web.
 */
import { replaceTime } from './clock.ts';

replaceTime();
const { writeHistory } = await import('./history.ts');
await writeHistory(process.env['SANDBOX_URL'] ?? '', {
  host: process.env['HOST'] ?? '127.0.0.1',
  port: Number(process.env['PORT']),
});
