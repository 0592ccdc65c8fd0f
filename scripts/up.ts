/**
 * `npm start` and, with `--dev`, `npm run dev`: runs the whole product with its demo until Ctrl-C.
 * `--empty`: a new demo begins without the history of its merchant.
 */
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { printError, Refused } from './refused.ts';
import { readSettings } from './settings.ts';
import { startStack, type Stack } from './stack.ts';

const DEMO_PASSWORD = 'demo-Parola-1';
const DEMO_PEOPLE = [
  ['ayse@demo.test', 'clerk', 'prepares and sends payouts, transfers, captures'],
  ['mehmet@demo.test', 'approver', 'the same; closes days, stops sending, second person'],
  ['selin@demo.test', 'owner', 'the same; people, policy, card tools, webhook address'],
  ['can@demo.test', 'support', 'looks, never moves money'],
  ['deniz@demo.test', 'auditor', 'reads everything, exports, changes nothing'],
] as const;

const interrupted = new AbortController();
let stack: Stack | undefined;
let stopping = false;

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  interrupted.abort(new Refused('Stopped before everything had started.'));
  if (stack === undefined) return;
  console.log('\nStopping…');
  await stack.stop();
  console.log('Stopped. The data are kept.');
  process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void stop());
// The process that started this one (scripts/install.mjs) has ended, perhaps by SIGKILL: no signal
// could stop this process any more.
process.on('disconnect', () => void stop());

try {
  const { values } = parseArgs({
    options: {
      dev: { type: 'boolean', default: false },
      empty: { type: 'boolean', default: false },
    },
  });
  const settings = readSettings(process.env);
  stack = await startStack({
    ...settings,
    dev: values.dev,
    history: !values.empty,
    signal: interrupted.signal,
    say: (line) => console.log(`  ${line}`),
  });
  announce(stack, settings.dataDir);
  // For a program that started this one and waits until everything is ready.
  process.send?.({ ready: true });
} catch (error) {
  if (!stopping) printError(error);
  process.exit(stopping ? 0 : 1);
}

function announce(running: Stack, dataDir: string): void {
  const lines = ['', `Dashboard   ${running.origins[0]}`];
  if (running.sandboxUrl !== undefined) {
    lines.push(
      `Sandbox     ${running.sandboxUrl}   (its phone shows the sign-in codes)`,
      '',
      `Demo people, password ${DEMO_PASSWORD}:`,
    );
    for (const [email, role, does] of DEMO_PEOPLE)
      lines.push(`  ${email.padEnd(18)}${role.padEnd(10)}${does}`);
  }
  const logs = join(dataDir, 'logs');
  const near = relative(process.cwd(), logs);
  lines.push(
    '',
    `Logs are in ${near.startsWith('..') ? logs : near}. Ctrl-C stops everything and keeps the data.`,
  );
  if (running.notReady !== undefined)
    lines.push('', `Not everything is ready yet: ${running.notReady}`);
  console.log(lines.join('\n'));
}
