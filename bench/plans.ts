/** Writes down by which plans PostgreSQL answers the web. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asSuperuser } from './growth-rows.ts';
import { load } from './load.ts';
import type { Stand } from './stand.ts';

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_parameter_max_length': '0',
};
const WARM_UP = 30;
/** A statement that is faster is left out. */
const LEAST_MS = 0.1;

/** Writes the plans of the statements of these paths, as they were carried out, into a file. */
export async function writePlans(
  stand: Stand,
  file: string,
  { paths, cookie }: { paths: Record<string, string>; cookie: string },
): Promise<void> {
  const log = join(stand.dataDir, 'logs', 'postgres.log');
  const ask = (path: string, count: number) =>
    load({
      url: stand.origin + path,
      connections: 1,
      count,
      headers: { cookie },
      signal: stand.signal,
    });
  const parts: string[] = [];
  await setForWebs(stand, (name, value) => `SET ${name} = '${value}'`);
  for (const [what, path] of Object.entries(paths)) {
    await ask(path, WARM_UP);
    const before = readFileSync(log, 'utf8').length;
    await ask(path, 1);
    parts.push(`== ${what}: ${path}\n`, ...plansIn(readFileSync(log, 'utf8').slice(before)));
  }
  await setForWebs(stand, (name) => `RESET ${name}`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${parts.join('\n')}\n`);
}

/** Changes settings of the webs' role; its connections are ended, and the next ones have them. */
async function setForWebs(
  stand: Stand,
  change: (name: string, value: string) => string,
): Promise<void> {
  await asSuperuser(stand, async (client) => {
    for (const [name, value] of Object.entries(SETTINGS))
      await client.query(`ALTER ROLE dashboard_web ${change(name, value)}`);
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'dashboard_web'`,
    );
  });
}

/** The plans in a piece of the server's log, each without the time at which it was written. */
function plansIn(log: string): string[] {
  return log
    .split(/^(?=\d{4}-\d{2}-\d{2} )/m)
    .filter(
      (entry) =>
        Number(/duration: (?<ms>[\d.]+) ms {2}plan:\n/.exec(entry)?.groups?.['ms']) >= LEAST_MS,
    )
    .map((entry) => entry.replace(/^.*?LOG: {2}/s, '').trimEnd());
}
