/**
 * Runs test files with a bug planted in the code that they test. Standard input: JSON, a list of `{
 * name, test, texts }`. Standard output: one JSON line `{ name, result }` for each; the result is
 * `red` when the test finds the bug, otherwise a sentence that says why not.
 */
import { text } from 'node:stream/consumers';
import { Refused, printError } from './refused.ts';
import { forgetOurVariables } from './environment.ts';
import { openPlantedRuns, type PlantedBug } from './planted-runs.ts';
import { withThrowawayDatabase } from './throwaway.ts';

const bugs = JSON.parse(await text(process.stdin)) as PlantedBug[];
try {
  forgetOurVariables();
  // Vitest sets these variables itself, and would use the values of another test run that started
  // this process.
  for (const name of Object.keys(process.env))
    if (/^(VITEST|TEST_DATABASE_URL)/.test(name)) delete process.env[name];
  const onDatabase = bugs.filter(({ test }) => test.endsWith('.db.test.ts'));
  await tryAll(bugs.filter((bug) => !onDatabase.includes(bug)));
  if (onDatabase.length > 0) {
    await withThrowawayDatabase(async (url) => {
      process.env['TEST_DATABASE_URL'] = url;
      await tryAll(onDatabase);
    });
  }
  process.exit(0);
} catch (error) {
  printError(error instanceof Error ? error : new Refused(String(error)));
  process.exit(1);
}

async function tryAll(list: readonly PlantedBug[]): Promise<void> {
  if (list.length === 0) return;
  const runs = await openPlantedRuns();
  try {
    const sound = new Map<string, string>();
    for (const bug of list) {
      const base = sound.get(bug.test) ?? (await runs.soundRun(bug.test));
      sound.set(bug.test, base);
      const result =
        base === 'green'
          ? await runs.plantedRun(bug)
          : `${bug.test} is not green without the bug: ${base}`;
      console.log(JSON.stringify({ name: bug.name, result }));
    }
  } finally {
    await runs.close();
  }
}
