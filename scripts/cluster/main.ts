/**
 * `npm run cluster`: the product on several processes of each kind with a replicated PostgreSQL,
 * until Ctrl-C. `-- --kill primary|web|worker|proxy` kills a part of the running one. `-- --drill`
 * kills parts under load and compares our books with the provider's. Needs Debian's packages.
 */
import { forgetOurVariables } from '../environment.ts';
import { lockHolder, takeLock, type Lock } from '../lock.ts';
import { watchInterruption } from '../interrupted.ts';
import { printError, Refused } from '../refused.ts';
import { readArguments, type Victim } from './arguments.ts';
import { startCluster, type Cluster } from './cluster.ts';
import { startControl, statusOf } from './control.ts';
import { runDrill } from './drill.ts';
import { clusterFolder, emptyFolder, type Folder } from './folder.ts';
import { findPrograms } from './programs.ts';
import { statusLine } from './status.ts';

const STATUS_MS = 5_000;
const LOCK = 'cluster';

const interrupted = watchInterruption();

try {
  const order = readArguments(process.argv.slice(2), Date.now() % 1_000_000);
  forgetOurVariables();
  const folder = clusterFolder();
  if (order.kind === 'kill') await requestKill(folder, order.victim);
  else {
    const lock = takeLock(folder.path, LOCK);
    if (lock === undefined) throw new Refused(`A cluster runs already in ${folder.path}.`);
    try {
      if (order.kind === 'drill') await runDrill(order, folder, interrupted.signal);
      else await show(folder, lock, order.pooler);
    } finally {
      lock.release();
    }
  }
  process.exit(0);
} catch (error) {
  if (!interrupted.signal.aborted) printError(error);
  process.exit(interrupted.signal.aborted ? 0 : 1);
}

/** Runs the cluster and prints its state whenever it changes, until it is interrupted. */
async function show(folder: Folder, lock: Lock, pooler: boolean): Promise<void> {
  const { signal } = interrupted;
  emptyFolder(folder);
  const say = (line: string) => console.log(`  ${line}`);
  const programs = findPrograms(say);
  const cluster = await startCluster({ folder, programs, pooler, signal, say });
  try {
    const control = await startControl(cluster);
    lock.describe({ pid: process.pid, control: control.url });
    console.log(introduction(cluster));
    process.send?.({ ready: true });
    await watch(cluster, signal);
    control.close();
  } finally {
    console.log('\nStopping…');
    await cluster.stop();
    emptyFolder(folder);
    console.log('Stopped. Nothing is left.');
  }
}

async function watch(cluster: Cluster, signal: AbortSignal): Promise<void> {
  let last = '';
  while (!signal.aborted) {
    const line = statusLine(await statusOf(cluster));
    if (line !== last) console.log(`${new Date().toISOString().slice(11, 19)}  ${line}`);
    last = line;
    const rest = AbortSignal.any([signal, AbortSignal.timeout(STATUS_MS)]);
    await new Promise((resolve) => rest.addEventListener('abort', resolve, { once: true }));
  }
}

function introduction({ origin, sandboxUrl, statsUrl }: Cluster): string {
  return [
    '',
    `Dashboard   ${origin}   (HAProxy in front of three webs)`,
    `Sandbox     ${sandboxUrl}`,
    `HAProxy     ${statsUrl}`,
    'People      as of npm start, password demo-Parola-1',
    'In another terminal: npm run cluster -- --kill primary|web|worker|proxy. Ctrl-C ends it all.',
    '',
  ].join('\n');
}

async function requestKill(folder: Folder, victim: Victim): Promise<void> {
  const { control } = lockHolder(folder.path, LOCK);
  if (typeof control !== 'string')
    throw new Refused('No cluster runs: start one with `npm run cluster`.');
  const answer = await fetch(`${control}/kill/${victim}`, { method: 'POST' });
  const { name, error } = (await answer.json()) as { name?: string; error?: string };
  if (name === undefined) throw new Refused(`Nothing was killed: ${error ?? answer.status}.`);
  console.log(`${name} was killed.`);
}
