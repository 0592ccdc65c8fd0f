/** Runs the checks that read the code without running it: types, lint, format, layers. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from '../command.ts';
import { ROOT } from '../processes.ts';
import { oneCheck, type Outcome } from './outcome.ts';
import { ringsOf, type CruisedModule } from './rooms.ts';

/** The folders and files that the layer rules apply to. */
export const PRODUCT_FOLDERS = [
  'app',
  'components',
  'lib',
  'sandbox',
  'demo',
  'scripts',
  'prisma',
  'e2e',
  'sim',
  'bench',
  'instrumentation.ts',
  'instrumentation-client.ts',
  'proxy.ts',
  'server.ts',
  'next.config.mjs',
];

export async function checkTypes(signal: AbortSignal): Promise<Outcome> {
  // Pages take their props' types from files that Next derives from the routes.
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
  const derived = await runNode(['node_modules/next/dist/bin/next', 'typegen'], { env, signal });
  if (derived.code !== 0) return oneCheck(derived.output || 'next typegen failed');
  const checked = await runNode(
    ['node_modules/typescript/bin/tsc', '--noEmit', '--pretty', 'false', '-p', '.'],
    { signal },
  );
  return oneCheck(checked.code === 0 ? '' : checked.output || 'tsc failed');
}

/**
 * Checks that every file is formatted as oxfmt would format it; `npm run format` repairs the files
 * that are named.
 */
export async function checkFormat(signal: AbortSignal): Promise<Outcome> {
  const tool = 'node_modules/oxfmt/bin/oxfmt';
  const checked = await runNode([tool, '--list-different', '.'], { signal });
  return oneCheck(
    checked.code === 0 ? '' : `not formatted, run npm run format:\n${checked.output}`,
  );
}

export async function checkLint(signal: AbortSignal): Promise<Outcome> {
  const linted = await runNode(['node_modules/oxlint/bin/oxlint', '--deny-warnings', '.'], {
    signal,
  });
  const unused = await findUnused(ROOT, signal);
  return oneCheck([
    ...(linted.code === 0 ? [] : [linted.output || 'oxlint failed']),
    ...(unused === '' ? [] : [unused]),
  ]);
}

/**
 * Returns the files and exports of `root` that nobody uses, by .knip.jsonc; '' when there are none.
 * A pattern of that file that matches no file is a finding too.
 */
export async function findUnused(root: string, signal?: AbortSignal): Promise<string> {
  const tool = join(ROOT, 'node_modules/knip/bin/knip.js');
  const ran = await runNode([tool, '--config', join(root, '.knip.jsonc'), '--no-progress'], {
    cwd: root,
    signal,
  });
  return ran.code === 0 ? '' : ran.output || 'knip failed';
}

type Cruise = {
  modules: CruisedModule[];
  summary: {
    totalCruised: number;
    violations: { from: string; to: string; rule: { name: string } }[];
    ruleSetUsed?: { forbidden?: { name: string; comment?: string }[] };
  };
};

export async function checkLayers(signal: AbortSignal): Promise<Outcome> {
  const folders = PRODUCT_FOLDERS.filter((path) => existsSync(join(ROOT, path)));
  const cruised = await cruise(ROOT, folders, signal);
  if (typeof cruised === 'string') return oneCheck(cruised);
  // With some pairs of TypeScript and this tool, it reads no file at all and reports no violation.
  if (cruised.summary.totalCruised === 0)
    return oneCheck('No file was looked at: the layer rules checked nothing.');
  const { violations, ruleSetUsed } = cruised.summary;
  const broken = (ruleSetUsed?.forbidden ?? []).filter((rule) =>
    violations.some((found) => found.rule.name === rule.name),
  );
  const problems = broken.map(({ name, comment }) => {
    const places = violations
      .filter((found) => found.rule.name === name)
      .map(({ from, to }) => (from === to ? from : `${from} → ${to}`));
    return `${name}: ${comment ?? ''}\n${places.map((place) => `    ${place}`).join('\n')}`;
  });
  const rings = ringsOf(cruised.modules).map((ring) => `rooms of lib/ in a ring: ${ring}`);
  return oneCheck([...problems, ...rings]);
}

/**
 * Runs the layer rules of this project over `folders` of `root`. A text instead of a result says
 * what went wrong.
 */
export async function cruise(
  root: string,
  folders: string[],
  signal?: AbortSignal,
): Promise<Cruise | string> {
  const tool = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [
    tool,
    '--config',
    join(ROOT, '.dependency-cruiser.mjs'),
    '--output-type',
    'json',
    ...folders,
  ];
  const ran = await runNode(args, { cwd: root, signal, keepAll: true });
  try {
    return JSON.parse(ran.output) as Cruise;
  } catch {
    return ran.output || 'dependency-cruiser failed';
  }
}
