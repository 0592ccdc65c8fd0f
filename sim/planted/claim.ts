import type { Mutation } from './mutation.ts';

/**
 * The claim and the step: what a worker may take, in which order it does things, and what it
 * leaves.
 */

const CLAIM = 'lib/movements/claim-rules.ts';
const STEP = 'lib/movements/one-step.ts';

export const CLAIM_BUGS: readonly Mutation[] = [
  {
    name: 'claim-fails-unseen',
    foundBy: { test: 'lib/movements/claim.db.test.ts' },
    about: 'a row whose claim fails for ever is told to nobody',
    file: 'lib/movements/claim.ts',
    find: 'const FAILURES_MANY = 10;',
    replace: 'const FAILURES_MANY = 10_000;',
  },
  {
    name: 'claim-clears-a-graver-flag',
    foundBy: { test: 'lib/movements/claim.db.test.ts' },
    about: 'the first claim that works takes a contradiction from the row',
    file: 'lib/movements/claim.ts',
    find: 'alert = nullif(alert, ${CLAIM_FAILING}::text) WHERE',
    replace: 'alert = NULL WHERE',
  },
  {
    name: 'claim-failures-add-up',
    foundBy: { test: 'lib/movements/claim.db.test.ts' },
    about: 'failures of a row count although claims between them worked',
    file: 'lib/movements/claim.ts',
    find: '      if (raw.claim_failures > 0) await clearFailures(tx, options, raw);\n',
    replace: '',
  },
  {
    name: 'lease-ignored',
    about: 'a row is taken although a worker holds it',
    file: CLAIM,
    find: 'nextAt <= now && (leaseUntil === null || leaseUntil <= now);',
    replace: 'nextAt <= now;',
  },
  {
    name: 'lease-never-ends',
    drill: '7',
    about: 'a row that was ever held is never taken again',
    file: CLAIM,
    find: '(leaseUntil === null || leaseUntil <= now)',
    replace: 'leaseUntil === null',
  },
  {
    name: 'switch-ignored',
    drill: 'kill-switch',
    about: 'the kill switch is not looked at',
    file: CLAIM,
    find: 'if (!due.switchedOff && due.confirmed &&',
    replace: 'if (due.confirmed &&',
  },
  {
    name: 'maker-approves',
    drill: '41',
    about: 'the maker’s own approval counts',
    file: CLAIM,
    find: ' && one.personId !== movement.makerId)',
    replace: ')',
  },
  {
    name: 'old-content-approved',
    drill: '41',
    about: 'an approval of other content counts',
    file: CLAIM,
    find: 'approvals.filter((one) => one.contentHash === movement.contentHash && one',
    replace: 'approvals.filter((one) => one',
  },
  {
    name: 'one-too-few',
    drill: 'nobody-approves',
    about: 'one approval too few is enough',
    file: CLAIM,
    find: '.size >= movement.approvalsNeeded;',
    replace: '.size >= movement.approvalsNeeded - 1;',
  },
  {
    name: 'gate-open',
    about: 'the gate of an IBAN lets everybody through',
    file: CLAIM,
    find: '  return now - cooldownMs;',
    replace: '  return now;',
  },
  {
    name: 'gate-opens-for-sent',
    about: 'a request that may have arrived opens the gate',
    file: CLAIM,
    find: "evidence.outcome.kind === 'unauthorized')",
    replace: "evidence.outcome.kind === 'unauthorized' || evidence.outcome.kind === 'unclear')",
  },
  {
    name: 'stale-worker-sends',
    drill: '5',
    about: 'a worker that was frozen sends after its lease',
    file: 'lib/begin-check/start-limit.ts',
    find: 'now.monotonic - began.monotonic < SEND_START_LIMIT_MS && now.wall - began.wall < SEND_START_LIMIT_MS',
    replace: 'true',
  },
  {
    name: 'suspended-worker-sends',
    drill: 'suspended',
    about: 'a machine that was suspended sends after its lease',
    file: 'lib/begin-check/start-limit.ts',
    find: ' && now.wall - began.wall < SEND_START_LIMIT_MS',
    replace: '',
  },
  {
    name: 'wall-clock-alone',
    drill: 'wall-clock-set-back',
    about: 'only the wall clock, which people set, is asked',
    file: 'lib/begin-check/start-limit.ts',
    find: 'now.monotonic - began.monotonic < SEND_START_LIMIT_MS && now.wall',
    replace: 'now.wall',
  },
  {
    name: 'nothing-is-late',
    drill: 'frozen-look',
    about: 'a late answer is taken for one in time',
    file: CLAIM,
    find: 'return isHeld && !isStale ? evidence : { ...evidence, late: true };',
    replace: 'return evidence;',
  },
  {
    name: 'old-look-is-fresh',
    drill: 'frozen-look',
    about: 'a worker that slept over a "not found" dates it by its waking',
    file: CLAIM,
    find: "const isStale = evidence.kind !== 'answer' && (movement.leaseUntil ?? 0) <= now;",
    replace: 'const isStale = now < 0;',
  },
  {
    name: 'lease-given-back-by-others',
    drill: '8',
    about: 'a late worker gives back the lease of another',
    file: CLAIM,
    find: 'lease: leaseToken !== null && leaseUntil !== null ? { token: leaseToken, until: leaseUntil } : null };\n  }',
    replace: 'lease: null };\n  }',
  },
  {
    name: 'other-bytes',
    drill: 'upgrade',
    about: 'a later version sends what may have been executed in other bytes',
    file: CLAIM,
    find: 'return bodies.every((body) => body === hash);',
    replace: 'return bodies.length >= 0 || hash === null;',
  },
  {
    name: 'lease-unwatched',
    drill: '4',
    about: 'nobody comes when a lease is over',
    file: CLAIM,
    find: 'return { nextAt: now + LEASE_MS + 1,',
    replace: 'return { nextAt: now + 20 * LEASE_MS,',
  },
  {
    name: 'hint-unguarded',
    drill: '30',
    about: 'every notice pulls a read',
    file: CLAIM,
    find: 'export const HINT_GUARD_MS = 10_000;',
    replace: 'export const HINT_GUARD_MS = 100;',
  },
  {
    name: 'clock-after-claim',
    drill: '5',
    about: 'the time that a claim takes does not count against its lease',
    file: STEP,
    find: "  const began = clocks();\n  const claim = (yield { kind: 'claim' }) as T | N;\n",
    replace: "  const claim = (yield { kind: 'claim' }) as T | N;\n  const began = clocks();\n",
  },
  {
    name: 'asks-again',
    drill: '7',
    about: 'who cannot write an answer down sends again to get it once more',
    file: STEP,
    find: "  yield* recorded({ kind: 'record', task: claim, response });\n",
    replace:
      "  try {\n    yield { kind: 'record', task: claim, response };\n  } catch {\n  " +
      "  yield* recorded({ kind: 'record', task: claim, response: claim.kind === 'send' ? " +
      "answer((yield { kind: 'request', task: claim, mayWrite: () => true }) as " +
      'SendOutcome) : response });\n  }\n',
  },
  {
    name: 'one-record',
    drill: 'blip',
    about: 'an answer is given up when the database is away for a moment',
    file: STEP,
    find: 'const RECORD_RETRY_MS = [50, 200, 1_000, 3_000, 5_000, 10_000];',
    replace: 'const RECORD_RETRY_MS: number[] = [];',
  },
];
