import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { dirname, join } from 'node:path';
import { editsOf, testOf } from './planted/mutation.ts';
import type { Mutation } from './planted/mutation.ts';
import { withEdit } from './planted/place.ts';

const ROOT = dirname(import.meta.dirname);

/**
 * Runs the test file of each bug with the bug planted, in a process of its own, because it needs a
 * test runner and a database. Returns by name of the bug `red`, or in words why the bug was not
 * found.
 */
export async function runPlantedTests(bugs: readonly Mutation[]): Promise<Map<string, string>> {
  const results = new Map<string, string>();
  if (bugs.length === 0) return results;
  const runner = spawn(process.execPath, [join(ROOT, 'scripts/planted.ts')], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  runner.stdin.end(
    JSON.stringify(
      bugs.map((bug) => ({ name: bug.name, test: testOf(bug), texts: plantedTexts(bug) })),
    ),
  );
  for await (const line of createInterface({ input: runner.stdout })) {
    if (!line.startsWith('{')) continue;
    const { name, result } = JSON.parse(line) as { name: string; result: string };
    results.set(name, result);
  }
  return results;
}

/** The files that a bug patches, by path, with the bug in their text. */
function plantedTexts(bug: Mutation): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const edit of editsOf(bug))
    texts[edit.file] = withEdit(
      texts[edit.file] ?? readFileSync(join(ROOT, edit.file), 'utf8'),
      edit,
    );
  return texts;
}
