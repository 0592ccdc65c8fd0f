/** `npm run cluster -- --drill`: a cluster for the kills, and one for each promotion. */
import { runNode } from '../command.ts';
import { Refused } from '../refused.ts';
import type { Order } from './arguments.ts';
import { startCluster } from './cluster.ts';
import { startControl } from './control.ts';
import { emptyFolder, type Folder } from './folder.ts';
import { findPrograms } from './programs.ts';

type Drill = Extract<Order, { kind: 'drill' }>;

/** Waits as short as in the crash test (scripts/checks/crash.ts). */
const IMPATIENT = { RESEND_QUIET_SECONDS: '6', MANUAL_REVIEW_SECONDS: '30', LOG_LEVEL: 'warn' };

/** @throws Refused when a drill failed; its logs stay in the folder */
export async function runDrill(drill: Drill, folder: Folder, signal: AbortSignal): Promise<void> {
  const { async, ...kills } = drill.counts;
  const total = Object.values(kills).reduce((sum, count) => sum + count, 0);
  if (total > 0)
    await play(drill, folder, signal, {
      CLUSTER_DRILL: 'kills',
      CLUSTER_KILLS: JSON.stringify(kills),
      CLUSTER_SEED: String(drill.seed),
    });
  // Each promotion stops sending until two people have looked, so it has a cluster of its own.
  for (let nth = 1; nth <= async; nth += 1)
    await play(drill, folder, signal, { CLUSTER_DRILL: 'promotion' });
}

async function play(
  { pooler }: Drill,
  folder: Folder,
  signal: AbortSignal,
  orders: Record<string, string>,
): Promise<void> {
  emptyFolder(folder);
  const say = (line: string) => console.log(`  ${line}`);
  const programs = findPrograms(say);
  const cluster = await startCluster({ folder, programs, pooler, env: IMPATIENT, signal, say });
  const control = await startControl(cluster);
  let code: number;
  try {
    const env = {
      ...process.env,
      BASE_URL: cluster.origin,
      BASE_URL_2: cluster.origin,
      SANDBOX_URL: cluster.sandboxUrl,
      TEST_DATABASE_URL: cluster.ownerUrl,
      DATA_DIR: cluster.dataDir,
      CONTROL_URL: control.url,
      ...IMPATIENT,
      ...orders,
    };
    const args = ['--conditions=react-server', 'e2e/cluster/drill.ts'];
    ({ code } = await runNode(args, { env, signal, show: true }));
  } finally {
    control.close();
    await cluster.stop();
  }
  if (code !== 0) throw new Refused(`The drill failed; the logs are in ${folder.path}.`);
  emptyFolder(folder);
}
