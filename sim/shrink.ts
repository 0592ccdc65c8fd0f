import { drawKnobs, FAULT_NAMES } from './knobs.ts';
import type { Choice, FaultName } from './knobs.ts';
import { ruleBrokenBy } from './run.ts';

/**
 * Makes a broken world smaller as long as it breaks the same rule: fewer people who need something, fewer kinds of faults.
 * What stays is what it takes.
 */
export function shrink(seed: number, triesMax = 400): Choice {
  const rule = ruleBrokenBy({ seed });
  if (rule === null) return { seed };
  const knobs = drawKnobs({ seed });
  let needs = knobs.needs.map((need) => need.index);
  let without: FaultName[] = FAULT_NAMES.filter((name) => knobs.faults[name] === 0);
  let tries = 0;
  const stillBreaks = (choice: Choice): boolean => ++tries <= triesMax && ruleBrokenBy(choice) === rule;
  // oxlint-disable-next-line no-unmodified-loop-condition -- `stillBreaks` counts the tries
  for (let smaller = true; smaller && tries < triesMax; ) {
    smaller = false;
    for (const need of needs.length > 1 ? needs : []) {
      const fewer = needs.filter((one) => one !== need);
      if (fewer.length > 0 && stillBreaks({ seed, needs: fewer, without })) {
        needs = fewer;
        smaller = true;
      }
    }
    for (const name of FAULT_NAMES) {
      if (without.includes(name) || !stillBreaks({ seed, needs, without: [...without, name] })) continue;
      without = [...without, name];
      smaller = true;
    }
  }
  return { seed, needs, without };
}
