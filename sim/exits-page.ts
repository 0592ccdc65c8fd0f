import { EXIT_KINDS, exitsOf, exitStates, isEnd } from '#lib/movements/exits.ts';
import type { Exit, ExitKind } from '#lib/movements/exits.ts';

/** The page `docs/exits.md`: every state of every kind, and the steps that lead out of it. */

const HEAD =
  '# The step out of every state\n\n' +
  'Every state that money can be in, by kind, and who can take it out of there: a worker, ' +
  'a person, or two people who say the same. Without a step only what has ended is listed.\n' +
  'Made from `lib/movements/exits.ts` by `node sim/exits.ts`; `sim/exits.test.ts` fails when ' +
  'this page is stale, when a state that is not final has no step, or when a step names a ' +
  'function that is not there.\n' +
  'The simulator judges the same in its worlds: wherever an intent stands, one of its steps ' +
  'can be taken (rule X).\n';

/** The text of the whole page. */
export function exitsPage(): string {
  return `${HEAD}\n${EXIT_KINDS.map(section).join('\n')}`;
}

/** States that are not final and have no step, as \`kind state\`. */
export function statesWithoutExit(): string[] {
  return EXIT_KINDS.flatMap((kind) =>
    exitStates(kind)
      .filter((state) => !isEnd(kind, state) && exitsOf(kind, state).length === 0)
      .map((state) => `${kind} ${state}`),
  );
}

/** Every function that is named as a step out of a state. */
export function exitVerbs(): string[] {
  const exits = EXIT_KINDS.flatMap((kind) =>
    exitStates(kind).flatMap((state) => exitsOf(kind, state)),
  );
  return [...new Set(exits.map(({ verb }) => verb))].sort();
}

function section(kind: ExitKind): string {
  const rows = exitStates(kind).flatMap((state) =>
    rowsOf(state, isEnd(kind, state) ? [] : exitsOf(kind, state)),
  );
  return `## ${kind}\n\n| State | Who | Step | Condition |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function rowsOf(state: string, exits: readonly Exit[]): string[] {
  if (exits.length === 0) return [`| ${state} | | ended | |`];
  return exits.map(
    ({ by, verb, condition }, index) =>
      `| ${index === 0 ? state : ''} | ${by} | \`${verb}\` | ${condition} |`,
  );
}
