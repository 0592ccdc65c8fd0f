import type { Choice } from './knobs.ts';
import { ANY_FAULT_NAMES, partsOf } from './play.ts';
import type { AnyFaultName } from './play.ts';
import { ruleBrokenBy } from './run.ts';
import type { Rule } from './violation.ts';

const TRIES_MAX = 400;

/**
 * Makes a broken world smaller as long as it breaks the same rule: fewer needs, fewer kinds of
 * faults. Each one that remains is needed to break the rule, unless TRIES_MAX was reached.
 */
export function shrink(
  whole: Choice,
  breaks: (choice: Choice) => Rule | null = ruleBrokenBy,
): Choice {
  const rule = breaks(whole);
  if (rule === null) return whole;
  const parts = partsOf(whole);
  let { needs } = parts;
  let without: AnyFaultName[] = ANY_FAULT_NAMES.filter((name) => !parts.faults.includes(name));
  let tries = 0;
  const stillBreaks = (choice: Choice): boolean => ++tries <= TRIES_MAX && breaks(choice) === rule;
  // oxlint-disable-next-line no-unmodified-loop-condition -- `stillBreaks` counts the tries
  for (let smaller = true; smaller && tries < TRIES_MAX;) {
    smaller = false;
    for (const need of needs.length > 1 ? needs : []) {
      const fewer = needs.filter((one) => one !== need);
      if (fewer.length > 0 && stillBreaks({ ...whole, needs: fewer, without })) {
        needs = fewer;
        smaller = true;
      }
    }
    for (const name of ANY_FAULT_NAMES) {
      if (without.includes(name) || !stillBreaks({ ...whole, needs, without: [...without, name] }))
        continue;
      without = [...without, name];
      smaller = true;
    }
  }
  return { ...whole, needs, without };
}
