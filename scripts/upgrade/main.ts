/**
 * `npm run upgrade-drill -- [--from COMMIT] [--operations N] [--seed N]`: the rolling upgrade of a
 * running installation from an earlier commit to the present files. Web and worker of the earlier
 * commit go on while the present migrations run, then both versions run side by side, then the
 * earlier one is stopped; payouts, transfers, approvals and webhooks flow all the time. The
 * provider's books judge. Without `--from` the drill begins before the newest migration.
 * `--operations`: how many payments are requested in each of the four parts.
 */
import { parseArgs } from 'node:util';
import { runVitest } from '../checks/suites.ts';
import { forgetOurVariables } from '../environment.ts';
import { watchInterruption } from '../interrupted.ts';
import { printError, Refused } from '../refused.ts';
import { inThrowawayFolder } from '../throwaway.ts';
import { buildFormer, checkOut, commitBefore } from './former.ts';
import { openStage } from './stage.ts';

const MOST_OPERATIONS = 500;

const interrupted = watchInterruption();

try {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      operations: { type: 'string', default: '30' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  });
  forgetOurVariables();
  const operations = Number(values.operations);
  if (!Number.isInteger(operations) || operations < 1 || operations > MOST_OPERATIONS)
    throw new Refused(`--operations is a whole number from 1 to ${MOST_OPERATIONS}.`);
  const isSound = await drill(values.from, {
    UPGRADE_OPERATIONS: String(operations),
    UPGRADE_SEED: values.seed,
  });
  process.exit(isSound ? 0 : 1);
} catch (error) {
  printError(error);
  process.exit(1);
}

async function drill(from: string | undefined, env: Record<string, string>): Promise<boolean> {
  const { signal } = interrupted;
  const say = (line: string): void => console.log(`  ${line}`);
  return inThrowawayFolder(async (folder) => {
    const commit = await commitBefore(from, signal);
    say(`from        ${commit.title}`);
    await checkOut(commit.id, folder, signal);
    say('build       of that commit…');
    const former = { folder, buildDir: await buildFormer(folder, signal) };
    return inThrowawayFolder(async (dataDir) => {
      const stage = await openStage(former, dataDir, { signal, say });
      try {
        const outcome = await runVitest('upgrade', {
          signal,
          live: true,
          env: { ...stage.env, ...env },
        });
        if (outcome.report !== '') console.log(outcome.report);
        console.log(`\n${outcome.passed} passed, ${outcome.failed} failed`);
        return outcome.failed === 0;
      } finally {
        await stage.stop();
      }
    });
  });
}
