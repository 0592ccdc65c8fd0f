/**
 * The step of a start that writes the demo's history, once, into a database that was never used.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from '../command.ts';
import type { Environment } from '../processes.ts';
import { Refused } from '../refused.ts';
import { isFresh, openPast } from './past.ts';

/** While this file is in DATA_DIR, the writing of a history was begun and has not ended. */
const UNFINISHED = 'history.unfinished';
/** The folders of DATA_DIR into which a history writes. */
const WRITTEN = ['postgres', 'sandbox', 'marks', 'sends'];
/** The variables with the addresses to which the history sends money. */
const PROVIDERS = ['CARD_BASE_URL', 'WALLET_AUTH_URL', 'WALLET_API_URL'];

type Options = {
  ownerUrl: string;
  sandboxUrl: string;
  /** The environment of the worker. PORT is the port to which the sandbox sends its webhooks. */
  environment: Environment;
  dataDir: string;
  signal: AbortSignal | undefined;
  say: (line: string) => void;
};

/**
 * Deletes the data of a start that was killed while it wrote a history; nobody has used these data.
 */
export function dropUnfinishedHistory(dataDir: string): void {
  if (!existsSync(join(dataDir, UNFINISHED))) return;
  for (const name of [...WRITTEN, UNFINISHED])
    rmSync(join(dataDir, name), { recursive: true, force: true });
}

/** Whether every address that could receive a payment belongs to this sandbox. */
export function paysOnlyInSandbox(environment: Environment, sandboxUrl: string): boolean {
  return (
    environment['SANDBOX'] === 'on' &&
    PROVIDERS.every((name) => environment[name]?.startsWith(`${sandboxUrl}/`) === true)
  );
}

/**
 * Writes the history of a fresh demo. Writes nothing into a database that was used before, or when
 * a provider is not the sandbox.
 *
 * @throws Refused with the last lines of the writer when it fails
 */
export async function writeDemoHistory(options: Options): Promise<void> {
  const { ownerUrl, sandboxUrl, environment, dataDir, signal, say } = options;
  if (!paysOnlyInSandbox(environment, sandboxUrl) || !(await isFresh(ownerUrl))) return;
  const began = performance.now();
  writeFileSync(join(dataDir, UNFINISHED), '');
  const past = await openPast(ownerUrl);
  const { code, output } = await runNode(['--conditions=react-server', 'demo/main.ts'], {
    env: { ...environment, DATABASE_URL: past.url, SANDBOX_URL: sandboxUrl, LOG_LEVEL: 'error' },
    ...(signal === undefined ? {} : { signal }),
  });
  if (code !== 0) throw new Refused(`The demo's history was not written:\n${output.slice(-2_000)}`);
  await past.close();
  rmSync(join(dataDir, UNFINISHED));
  say(`history     ninety days of the demo's merchant, in ${seconds(performance.now() - began)} s`);
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
