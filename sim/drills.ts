import type { Drill } from './drill.ts';
import { APPROVAL_DRILLS } from './approval-drills.ts';
import { FILE_DRILLS } from './file-drills.ts';
import { FAULT_ROWS } from './fault-rows.ts';
import type { FaultName, Knobs, Questions } from './knobs.ts';
import type { AnyFaultName } from './play.ts';
import type { Life } from './lives.ts';
import { OTHER_DRILLS } from './other-drills.ts';
import type { Row } from './store.ts';
import { HOUR, MINUTE } from './time.ts';

/**
 * Worlds with one kind of fault each, so that its effects can be told apart from those of others.
 */

export const DRILLS: readonly Drill[] = [
  ...FAULT_ROWS,
  ...OTHER_DRILLS,
  ...APPROVAL_DRILLS,
  ...FILE_DRILLS,
];

const NEEDS = 2;
const BEGUN_WITHIN_MS = 10 * MINUTE;
const AMOUNT = 1_240_000n;
const HEALS_AT_MS = 3 * HOUR;
/**
 * The answers of a provider without surprises. A drill adds the delays and oddities that it tests.
 */
const PLAIN: Partial<Questions> = {
  stateCodes: false,
  readLags: false,
  lagMaxMs: MINUTE,
  refusedBurnsId: false,
};

export function drillOf(name: string): Drill {
  const drill = DRILLS.find((one) => one.name === name);
  if (drill === undefined)
    throw new Error(`no drill ${name}; there are ${DRILLS.map((one) => one.name).join(', ')}`);
  return drill;
}

/** The world of a seed with the faults of this drill and no others. */
export function drilled(
  drawn: Knobs,
  { faults, beside, questions, knobs, twins = false }: Drill,
  without: readonly AnyFaultName[],
): Knobs {
  const names = Object.keys(drawn.faults) as FaultName[];
  return {
    ...drawn,
    questions: { ...drawn.questions, ...PLAIN, ...questions },
    faults: Object.fromEntries(
      names.map((name) => [
        name,
        without.includes(name) ? 0 : (faults[name] ?? beside?.[name] ?? 0),
      ]),
    ) as Record<FaultName, number>,
    needs: drawn.needs.slice(0, NEEDS).map((need) => ({
      ...need,
      payee: twins ? 0 : need.index,
      amountMinor: twins ? AMOUNT : need.amountMinor,
      startsAt: need.startsAt % BEGUN_WITHIN_MS,
    })),
    kind: 'payout',
    workers: 2,
    lanes: 1,
    approvalsNeeded: 0,
    autoResend: true,
    healsAt: HEALS_AT_MS,
    suspends: false,
    slowest: 'seconds',
    ...knobs,
  };
}

/**
 * Describes an intent that met the drill's fault and did not end as the fault matrix says, or null.
 */
export function unmet(
  { holds, marks }: Drill,
  lives: Iterable<Life>,
  rows: readonly Row[],
): string | null {
  for (const life of lives) {
    const row = rows.find((one) => one.extId === life.extId);
    if (row === undefined || !marks.some((mark) => life.met.has(mark))) continue;
    if (!holds(life, row, rows))
      return (
        `${life.extId}: ${life.states.join(' → ')}, sent ${life.sentAt.length}, executed ` +
        `${life.executed}, looked at ${life.looks} times, flags ` +
        `${[...life.flags].join(' ') || 'none'}, returned ${row.returned}`
      );
  }
  return null;
}
